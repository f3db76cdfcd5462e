// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// One step of LOBPCG: new directions, the small problem over [X P W], and the blocks that its answer makes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "setka/exec/block.hpp"
#include "setka/modes/lobpcg_space.hpp"
#include "setka/modes/symmetric.hpp"

namespace setka::modes {
namespace {

using solve::SmallMatrix;

/// Of the Gram matrix of X, P and W with a unit diagonal: what is less leaves X orthonormal to no more than
/// ten digits. The second is of directions that were made orthonormal.
constexpr double min_pivot = 1e-6;
constexpr double min_pivot_of_orthonormal = 0.01;

/// Rows first .. first + count - 1.
SmallMatrix rows_of(const SmallMatrix& a, std::int64_t first, std::int64_t count) {
  SmallMatrix part(count, a.columns);
  std::copy_n(a.value.begin() + first * a.columns, count * a.columns, part.value.begin());
  return part;
}

/// Converged columns join those that are not until their number suits products and cycles of multigrid,
/// which take eight columns together and others one by one.
void fill_up(std::vector<std::int64_t>& active, std::int64_t columns) {
  std::vector<std::int64_t> chosen;
  std::size_t next = 0;
  const std::int64_t whole = (static_cast<std::int64_t>(active.size()) + 7) / 8 * 8;
  std::int64_t more = std::min(whole, columns) - static_cast<std::int64_t>(active.size());
  for (std::int64_t j = 0; j < columns; ++j) {
    if (next < active.size() && active[next] == j) {
      ++next;
    } else if (more > 0) {
      --more;
    } else {
      continue;
    }
    chosen.push_back(j);
  }
  active = std::move(chosen);
}

}  // namespace

void LobpcgSpace::fill_whole(Projected& projected, const std::vector<double>& of_x, const SmallMatrix& xw,
                             const SmallMatrix& pw, const SmallMatrix& ww) const {
  const std::int64_t p = x_->columns;
  const std::int64_t w = p + p_.columns;
  SmallMatrix& whole = projected.whole;
  whole = SmallMatrix(w + w_.columns, w + w_.columns);
  const auto put = [&](const SmallMatrix& block, std::int64_t row, std::int64_t column) {
    for (std::int64_t i = 0; i < block.rows; ++i) {
      for (std::int64_t j = 0; j < block.columns; ++j)
        whole(row + i, column + j) = whole(column + j, row + i) = block(i, j);
    }
  };
  for (std::int64_t j = 0; j < p; ++j) whole(j, j) = of_x[static_cast<std::size_t>(j)];
  put(projected.xp, 0, p);
  put(projected.pp, p, p);
  put(xw, 0, w);
  put(pw, p, w);
  put(ww, w, w);
}

/// Keeps W off the given blocks.
void LobpcgSpace::project_w() {
  if (off_.empty()) return;
  project_off(w_, off_);
  project_off(w_, off_);  // what the first leaves of a column that was almost all share
}

/// P and W as directions that can be told from X and each other; what cannot is dropped.
void LobpcgSpace::orthonormalise_directions() {
  std::vector<const MassBlock*> off = off_;
  off.push_back(x_.get());
  if (p_.columns > 0) {
    orthonormalise(p_, off);
    if (p_.columns > 0) problem_.k.apply(problem_.stream, p_.view(), part(kp_, p_.columns));
    set_products_of_p();
  }
  off.push_back(&p_);
  orthonormalise(w_, off);
  if (w_.columns > 0 && problem_.project_k == nullptr)
    problem_.k.apply(problem_.stream, w_.view(), part(kw_, w_.columns));
}

/// K W and M W, where projections do not take their place.
void LobpcgSpace::multiply_w() {
  if (problem_.project_k != nullptr) return;
  problem_.m.apply(problem_.stream, w_.view(), w_.mass());
  problem_.k.apply(problem_.stream, w_.view(), part(kw_, w_.columns));
}

/// X'MW, P'MW, W'MW, and the same with K.
std::vector<SmallMatrix> LobpcgSpace::products_with_w() {
  const ConstBlock w = std::as_const(w_).view();
  const Block kx = part(kx_, x_->columns);
  const Block kp = part(kp_, p_.columns);
  if (problem_.project_k == nullptr || w_.columns == 0) {
    return algebra_.inner(
        {{x_->mass(), w}, {p_.mass(), w}, {w_.mass(), w}, {kx, w}, {kp, w}, {part(kw_, w_.columns), w}});
  }
  std::vector<SmallMatrix> with_x = algebra_.inner({{x_->mass(), w}, {kx, w}});
  const auto by = [&](const Projection& projection) {
    return [&](Block s) { projection(problem_.stream, w, s); };
  };
  std::vector<SmallMatrix> own =
      algebra_.computed(w_.columns, {by(*problem_.project_m), by(*problem_.project_k)});
  const SmallMatrix none(0, w_.columns);
  return {std::move(with_x[0]), none, std::move(own[0]), std::move(with_x[1]), none, std::move(own[1])};
}

/// The lowest Ritz pairs, their coordinates in [X P W]; nothing where the columns depend on each other.
/// orthonormal: the directions are.
std::optional<SmallEigen> LobpcgSpace::best_of_space(bool orthonormal) {
  const std::vector<SmallMatrix> products = products_with_w();
  fill_whole(mass_, std::vector<double>(lambda_.size(), 1.0), products[0], products[1], products[2]);
  fill_whole(stiffness_, lambda_, products[3], products[4], products[5]);
  require_finite(mass_.whole);
  require_finite(stiffness_.whole);
  return algebra_.agreed([&] {
    return generalised_eigen(stiffness_.whole, mass_.whole, x_->columns,
                             orthonormal ? min_pivot_of_orthonormal : min_pivot);
  });
}

/// X and P from coordinates in [X P W], with their products: P is the share of P and W in the active columns.
void LobpcgSpace::combine(const SmallMatrix& coordinates, const std::vector<std::int64_t>& active) {
  const std::int64_t columns = x_->columns;
  const std::int64_t directions = p_.columns;
  const SmallMatrix of_x = rows_of(coordinates, 0, columns);
  const SmallMatrix of_p = rows_of(coordinates, columns, directions);
  const SmallMatrix of_w = rows_of(coordinates, columns + directions, w_.columns);
  const std::array<std::array<exec::Array<double>*, 3>, 3> memory{
      {{&x_->x, &p_.x, &w_.x}, {&x_->mx, &p_.mx, &w_.mx}, {&kx_, &kp_, &kw_}}};
  const auto width = static_cast<std::int64_t>(active.size());
  for (const auto& [x, p, w] : memory) {
    const Block went = part(spare_p_, columns);
    const Block next = part(spare_, columns);
    algebra_.combine({{part(*p, directions), &of_p}, {part(*w, w_.columns), &of_w}}, 0, went, went);
    algebra_.combine({{part(*x, columns), &of_x}}, 1, went, next);
    std::swap(*x, spare_);
    if (width == columns) {
      std::swap(*p, spare_p_);
    } else if (width > 0) {
      exec::pick_columns(problem_.stream, went, active, part(*p, width));
    }
  }
  p_.columns = width;
  SmallMatrix went(coordinates.rows, width);
  for (std::int64_t k = 0; k < width; ++k) {
    for (std::int64_t i = columns; i < went.rows; ++i)
      went(i, k) = coordinates(i, active[static_cast<std::size_t>(k)]);
  }
  for (Projected* const projected : {&mass_, &stiffness_}) {
    projected->xp = sandwiched(coordinates, projected->whole, went);
    projected->pp = sandwiched(went, projected->whole, went);
  }
}

/// X from coordinates in [X W], with its products computed anew.
void LobpcgSpace::combine_x(const SmallMatrix& coordinates) {
  const std::int64_t columns = x_->columns;
  const SmallMatrix of_x = rows_of(coordinates, 0, columns);
  const SmallMatrix of_w = rows_of(coordinates, columns, w_.columns);
  const Block next = part(spare_, columns);
  algebra_.combine({{x_->view(), &of_x}, {std::as_const(w_).view(), &of_w}}, 0, next, next);
  std::swap(x_->x, spare_);
  problem_.m.apply(problem_.stream, x_->view(), x_->mass());
  problem_.k.apply(problem_.stream, x_->view(), part(kx_, columns));
}

bool LobpcgSpace::step(const std::vector<double>& residual, double lock, bool keep_directions) {
  const std::int64_t columns = x_->columns;
  std::vector<std::int64_t> active;
  for (std::int64_t j = 0; j < columns; ++j) {
    if (residual[static_cast<std::size_t>(j)] > lock) active.push_back(j);
  }
  if (active.empty()) return false;
  fill_up(active, columns);
  w_.columns = static_cast<std::int64_t>(active.size());
  const bool all = w_.columns == columns;
  const Block chosen = part(all ? residual_ : spare_, w_.columns);
  if (!all) exec::pick_columns(problem_.stream, part(residual_, columns), active, chosen);
  problem_.preconditioner.apply(problem_.stream, chosen, w_.view());
  project_w();
  multiply_w();
  std::optional<SmallEigen> eigen = best_of_space(false);
  if (!eigen) {
    orthonormalise_directions();
    if (w_.columns == 0 && p_.columns == 0) return false;
    eigen = best_of_space(true);
    if (!eigen) return false;
  }
  lambda_ = eigen->value;
  if (problem_.project_k != nullptr) {
    combine_x(eigen->vector);
    return true;
  }
  combine(eigen->vector, keep_directions ? active : std::vector<std::int64_t>());
  return true;
}

}  // namespace setka::modes
