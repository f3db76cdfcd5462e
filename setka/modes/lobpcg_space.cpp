// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lobpcg_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/vector.hpp"
#include "setka/modes/modes.hpp"
#include "setka/modes/symmetric.hpp"

namespace setka::modes {
namespace {

using solve::SmallMatrix;

/// Of a column, before it was made orthogonal to the others: what is shorter after that is rounding. The
/// second is of directions that rounding had hidden.
constexpr double shortest = 1e-12;
constexpr double shortest_hidden = 1e-5;
constexpr int most_passes = 4;

/// Of the Gram matrix of X, P and W with a unit diagonal: what is less leaves X orthonormal to no more than
/// ten digits. The second is of directions that were made orthonormal.
constexpr double least_pivot = 1e-6;
constexpr double least_pivot_of_orthonormal = 0.01;

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

bool finite(const SmallMatrix& a) {
  return std::all_of(a.value.begin(), a.value.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

Problem::Problem(const exec::Stream& on, const solve::Operator& stiffness, const solve::Operator& mass,
                 const solve::Operator& approximate_inverse, double tolerance)
    : stream(on), k(stiffness), m(mass), preconditioner(approximate_inverse) {
  exec::Array<double> x(stream.device(), k.rows());
  fill_noise(stream, 0, x.view());
  exec::Array<double> y(stream.device(), k.rows());
  k.apply(stream, std::as_const(x).view(), y.view());
  const auto stiff = exec::norm<double>(stream, y);
  m.apply(stream, std::as_const(x).view(), y.view());
  const auto heavy = exec::norm<double>(stream, y);
  zero_level = modes::zero_level(stiff, heavy, tolerance);
  rounding = rounding_of_zero(stiff, heavy);
}

std::vector<double> MassBlock::values() const {
  std::vector<double> all = x.to_vector();
  all.resize(static_cast<std::size_t>(rows * columns));
  return all;
}

LobpcgSpace::LobpcgSpace(const Problem& problem, std::vector<const MassBlock*> off, std::int64_t columns)
    : problem_(problem),
      off_(std::move(off)),
      algebra_(problem.stream, std::max<std::int64_t>(64, columns)),
      x_(std::make_unique<MassBlock>(problem.stream.device(), problem.k.rows(), columns)),
      p_(problem.stream.device(), problem.k.rows(), columns),
      w_(problem.stream.device(), problem.k.rows(), columns),
      kx_(problem.stream.device(), problem.k.rows() * columns),
      kp_(problem.stream.device(), problem.k.rows() * columns),
      kw_(problem.stream.device(), problem.k.rows() * columns),
      spare_(problem.stream.device(), problem.k.rows() * columns),
      spare_p_(problem.stream.device(), problem.k.rows() * columns),
      residual_(problem.stream.device(), problem.k.rows() * columns) {
  p_.columns = 0;
  w_.columns = 0;
}

LobpcgSpace::LobpcgSpace(const Problem& problem, std::vector<const MassBlock*> off, std::int64_t columns,
                         std::uint64_t seed)
    : LobpcgSpace(problem, std::move(off), columns) {
  if (columns == 0) return;
  fill_noise(problem_.stream, seed, {spare_.data(), problem.k.rows() * columns});
  // M T noise: places that fill blocks and have no mass stay zero.
  problem_.m.apply(problem_.stream, part(spare_, columns), part(spare_p_, columns));
  problem_.preconditioner.apply(problem_.stream, part(spare_p_, columns), x_->view());
  refresh();
}

LobpcgSpace::LobpcgSpace(const Problem& problem, exec::View<const double> values, std::int64_t columns)
    : LobpcgSpace(problem, std::vector<const MassBlock*>(), columns) {
  exec::copy_async<double>(problem.stream, values, x_->x);
  refresh();
}

/// W -= B (B'MW) for each block; returns the squares of the shares of each column.
std::vector<double> LobpcgSpace::project_off(MassBlock& w, const std::vector<const MassBlock*>& off) {
  std::vector<double> squares(static_cast<std::size_t>(w.columns), 0.0);
  for (const MassBlock* const block : off) {
    if (block->columns == 0 || w.columns == 0) continue;
    const SmallMatrix share = algebra_.inner({{block->mass(), w.view()}})[0];
    algebra_.multiply(-1, block->view(), share, 1, w.view());
    for (std::size_t k = 0; k < share.value.size(); ++k) {
      squares[k % squares.size()] += share.value[k] * share.value[k];
    }
  }
  return squares;
}

/// W becomes M-orthonormal, to the blocks too; what depends is dropped. M W is computed on the way.
void LobpcgSpace::orthonormalise(MassBlock& w, const std::vector<const MassBlock*>& off) {
  const std::vector<double> lost = project_off(w, off);
  for (int pass = 1; pass <= most_passes && w.columns > 0; ++pass) {
    problem_.m.apply(problem_.stream, w.view(), w.mass());
    SmallMatrix gram = algebra_.inner({{w.view(), w.mass()}})[0];
    if (!finite(gram)) {
      throw Error(Fault::usage, "lobpcg: K, M or the preconditioner makes numbers that are not finite");
    }
    // In the first pass to the lengths before the projection, so that the bound is a part of those.
    std::vector<double> scale(static_cast<std::size_t>(w.columns), 1.0);
    for (std::int64_t j = 0; pass == 1 && j < w.columns; ++j) {
      const double square = gram(j, j) + lost[static_cast<std::size_t>(j)];
      scale[static_cast<std::size_t>(j)] = square > 0 ? 1 / std::sqrt(square) : 0.0;
    }
    for (std::int64_t i = 0; i < w.columns; ++i) {
      for (std::int64_t j = 0; j < w.columns; ++j) {
        gram(i, j) *= scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)];
      }
    }
    solve::Orthonormaliser made =
        solve::orthonormaliser(gram, pass == 1 ? shortest : shortest_hidden, pass == most_passes);
    SmallMatrix& transform = made.transform;
    for (std::size_t k = 0; k < transform.value.size(); ++k) {
      transform.value[k] *= scale[k / static_cast<std::size_t>(transform.columns)];
    }
    const std::int64_t fewer = transform.columns;
    const bool done = made.complete && pass > 1;
    if (fewer > 0) {
      algebra_.multiply(1, w.view(), transform, 0, part(spare_, fewer));
      std::swap(w.x, spare_);
      if (done) {
        algebra_.multiply(1, w.mass(), transform, 0, part(spare_, fewer));
        std::swap(w.mx, spare_);
      }
    }
    w.columns = fewer;
    if (done) return;
    project_off(w, off);  // what was short has been stretched, and rounding with it
  }
}

/// X becomes the best of its own span.
void LobpcgSpace::rotate_x() {
  const std::int64_t columns = x_->columns;
  lambda_.clear();
  if (columns == 0) return;
  const SmallEigen eigen = symmetric_eigen(algebra_.inner({{x_->view(), part(kx_, columns)}})[0]);
  lambda_ = eigen.value;
  for (exec::Array<double>* const memory : {&x_->x, &x_->mx, &kx_}) {
    algebra_.multiply(1, part(*memory, columns), eigen.vector, 0, part(spare_, columns));
    std::swap(*memory, spare_);
  }
}

void LobpcgSpace::refresh() {
  orthonormalise(*x_, off_);
  if (x_->columns > 0) problem_.k.apply(problem_.stream, x_->view(), part(kx_, x_->columns));
  rotate_x();
  if (p_.columns == 0) return set_products_of_p();
  std::vector<const MassBlock*> off = off_;
  off.push_back(x_.get());
  orthonormalise(p_, off);
  if (p_.columns > 0) problem_.k.apply(problem_.stream, p_.view(), part(kp_, p_.columns));
  set_products_of_p();
}

bool LobpcgSpace::settled_above(double number, const std::vector<double>& residual) const {
  constexpr double room = 10;
  const double r = residual.front();
  return r < 1 && room * r / (1 - r) * lambda_.front() < lambda_.front() - number;
}

std::vector<double> LobpcgSpace::residuals() {
  const std::int64_t columns = x_->columns;
  if (columns == 0) return {};
  const std::int64_t size = problem_.k.rows() * columns;
  exec::copy_async<double>(problem_.stream, exec::View<const double>{kx_.data(), size},
                           {residual_.data(), size});
  std::vector<double> minus(lambda_.size());
  std::transform(lambda_.begin(), lambda_.end(), minus.begin(), [](double value) { return -value; });
  const Block r = part(residual_, columns);
  const Block kx = part(kx_, columns);
  algebra_.add_scaled_columns(minus, x_->mass(), r);
  const auto squares = algebra_.column_dots({{r, r}, {kx, kx}, {x_->mass(), x_->mass()}});
  std::vector<double> relative(lambda_.size());
  for (std::size_t j = 0; j < relative.size(); ++j) {
    const double size_j = std::max(std::sqrt(squares[1][j]), problem_.zero_level * std::sqrt(squares[2][j]));
    relative[j] = size_j > 0 ? std::sqrt(squares[0][j]) / size_j : std::sqrt(squares[0][j]);
  }
  return relative;
}

std::vector<double> LobpcgSpace::stiffness_over_zero_level() {
  const Block kx = part(kx_, x_->columns);
  const auto squares = algebra_.column_dots({{kx, kx}, {x_->mass(), x_->mass()}});
  std::vector<double> shares(lambda_.size());
  for (std::size_t j = 0; j < shares.size(); ++j) {
    shares[j] = std::sqrt(squares[0][j] / squares[1][j]) / problem_.zero_level;
  }
  return shares;
}

/// X'MP and so on anew, from the blocks.
void LobpcgSpace::set_products_of_p() {
  const ConstBlock p = std::as_const(p_).view();
  std::vector<SmallMatrix> products = algebra_.inner(
      {{x_->mass(), p}, {p_.mass(), p}, {part(kx_, x_->columns), p}, {part(kp_, p_.columns), p}});
  mass_.xp = std::move(products[0]);
  mass_.pp = std::move(products[1]);
  stiffness_.xp = std::move(products[2]);
  stiffness_.pp = std::move(products[3]);
}

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
  if (!finite(mass_.whole) || !finite(stiffness_.whole)) {
    throw Error(Fault::usage, "lobpcg: K, M or the preconditioner makes numbers that are not finite");
  }
  return generalised_eigen(stiffness_.whole, mass_.whole, x_->columns,
                           orthonormal ? least_pivot_of_orthonormal : least_pivot);
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

std::unique_ptr<MassBlock> LobpcgSpace::columns_of_x(const std::vector<std::int64_t>& which) {
  const auto width = static_cast<std::int64_t>(which.size());
  auto copy = std::make_unique<MassBlock>(problem_.stream.device(), problem_.k.rows(), width);
  exec::pick_columns(problem_.stream, x_->view(), which, copy->view());
  exec::pick_columns(problem_.stream, x_->mass(), which, copy->mass());
  return copy;
}

void LobpcgSpace::replace_last(const MassBlock& other, std::int64_t count) {
  const std::int64_t columns = x_->columns;
  SmallMatrix kept(columns, columns);
  for (std::int64_t j = 0; j < columns - count; ++j) kept(j, j) = 1;
  SmallMatrix taken(other.columns, columns);
  for (std::int64_t j = 0; j < count; ++j) taken(j, columns - count + j) = 1;
  algebra_.multiply(1, x_->view(), kept, 0, part(spare_, columns));
  algebra_.multiply(1, other.view(), taken, 1, part(spare_, columns));
  std::swap(x_->x, spare_);
  p_.columns = 0;
  refresh();
}

}  // namespace setka::modes
