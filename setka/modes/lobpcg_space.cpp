// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lobpcg_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/base/error.hpp"
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

/// Rows first .. first + count - 1.
SmallMatrix rows_of(const SmallMatrix& a, std::int64_t first, std::int64_t count) {
  SmallMatrix part(count, a.columns);
  std::copy_n(a.value.begin() + first * a.columns, count * a.columns, part.value.begin());
  return part;
}

SmallMatrix leading_columns(const SmallMatrix& a, std::int64_t count) {
  SmallMatrix part(a.rows, count);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < count; ++j) part(i, j) = a(i, j);
  }
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
  std::vector<double> noise(static_cast<std::size_t>(k.rows()));
  fill_noise(0, noise);
  const exec::Array<double> x(stream.device(), noise);
  exec::Array<double> y(stream.device(), k.rows());
  k.apply(stream, x.view(), y.view());
  const auto stiff = exec::norm<double>(stream, y);
  m.apply(stream, x.view(), y.view());
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
  std::vector<double> noise(static_cast<std::size_t>(problem.k.rows() * columns));
  fill_noise(seed, noise);
  exec::copy(exec::View<const double>{noise.data(), static_cast<std::int64_t>(noise.size())}, spare_);
  // M T noise: places that fill blocks and have no mass stay zero.
  problem_.m.apply(problem_.stream, part(spare_, columns), part(spare_p_, columns));
  problem_.preconditioner.apply(problem_.stream, part(spare_p_, columns), x_->view());
  refresh();
}

LobpcgSpace::LobpcgSpace(const Problem& problem, const std::vector<double>& values, std::int64_t columns)
    : LobpcgSpace(problem, std::vector<const MassBlock*>(), columns) {
  exec::copy(exec::View<const double>{values.data(), static_cast<std::int64_t>(values.size())}, x_->x);
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
  if (p_.columns == 0) return;
  std::vector<const MassBlock*> off = off_;
  off.push_back(x_.get());
  orthonormalise(p_, off);
  if (p_.columns > 0) problem_.k.apply(problem_.stream, p_.view(), part(kp_, p_.columns));
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

/// [X P W]'K[X P W].
SmallMatrix LobpcgSpace::projected_stiffness() {
  const std::array<ConstBlock, 3> plain{std::as_const(*x_).view(), std::as_const(p_).view(),
                                        std::as_const(w_).view()};
  const std::array<ConstBlock, 3> stiff{part(kx_, x_->columns), part(kp_, p_.columns), part(kw_, w_.columns)};
  std::vector<std::pair<ConstBlock, ConstBlock>> pairs;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) pairs.emplace_back(plain[i], stiff[j]);
  }
  const std::vector<SmallMatrix> products = algebra_.inner(pairs);
  SmallMatrix h(x_->columns + p_.columns + w_.columns, x_->columns + p_.columns + w_.columns);
  std::size_t next = 0;
  std::int64_t row = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t column = row;
    for (std::size_t j = i; j < 3; ++j) {
      const SmallMatrix& product = products[next++];
      for (std::int64_t a = 0; a < product.rows; ++a) {
        for (std::int64_t b = 0; b < product.columns; ++b) {
          h(row + a, column + b) = product(a, b);
          if (j > i) h(column + b, row + a) = product(a, b);
        }
      }
      column += plain[j].columns;
    }
    row += plain[i].columns;
  }
  return h;
}

/// X and P from coordinates in [X P W], with their products.
void LobpcgSpace::combine(const SmallMatrix& to_x, const SmallMatrix& to_p) {
  const std::array<std::int64_t, 3> widths{x_->columns, p_.columns, w_.columns};
  const std::array<std::array<exec::Array<double>*, 3>, 3> memory{
      {{&x_->x, &p_.x, &w_.x}, {&x_->mx, &p_.mx, &w_.mx}, {&kx_, &kp_, &kw_}}};
  for (const auto& of : memory) {
    std::int64_t first = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (widths[i] == 0) continue;
      const double keep = first == 0 ? 0.0 : 1.0;
      algebra_.multiply(1, part(*of[i], widths[i]), rows_of(to_x, first, widths[i]), keep,
                        part(spare_, to_x.columns));
      if (to_p.columns > 0) {
        algebra_.multiply(1, part(*of[i], widths[i]), rows_of(to_p, first, widths[i]), keep,
                          part(spare_p_, to_p.columns));
      }
      first += widths[i];
    }
    std::swap(*of[0], spare_);
    std::swap(*of[1], spare_p_);
  }
  p_.columns = to_p.columns;
}

bool LobpcgSpace::step(const std::vector<double>& residual, double lock, bool keep_directions) {
  const std::int64_t columns = x_->columns;
  std::vector<std::int64_t> active;
  for (std::int64_t j = 0; j < columns; ++j) {
    if (residual[static_cast<std::size_t>(j)] > lock) active.push_back(j);
  }
  if (active.empty()) return false;
  fill_up(active, columns);
  const auto width = static_cast<std::int64_t>(active.size());
  SmallMatrix choice(columns, width);
  for (std::int64_t k = 0; k < width; ++k) choice(active[static_cast<std::size_t>(k)], k) = 1;
  algebra_.multiply(1, part(residual_, columns), choice, 0, part(spare_, width));
  w_.columns = width;
  problem_.preconditioner.apply(problem_.stream, part(spare_, width), w_.view());
  std::vector<const MassBlock*> off = off_;
  off.push_back(x_.get());
  off.push_back(&p_);
  orthonormalise(w_, off);
  if (w_.columns > 0) problem_.k.apply(problem_.stream, w_.view(), part(kw_, w_.columns));
  if (w_.columns == 0 && p_.columns == 0) return false;

  const SmallEigen eigen = symmetric_eigen(projected_stiffness());
  lambda_.assign(eigen.value.begin(), eigen.value.begin() + columns);
  const SmallMatrix to_x = leading_columns(eigen.vector, columns);
  if (!keep_directions) {
    combine(to_x, SmallMatrix(to_x.rows, 0));
    return true;
  }
  SmallMatrix beside(to_x.rows, width);  // the active columns without their share in the old X
  for (std::int64_t k = 0; k < width; ++k) {
    for (std::int64_t i = columns; i < to_x.rows; ++i) {
      beside(i, k) = to_x(i, active[static_cast<std::size_t>(k)]);
    }
  }
  combine(to_x, orthonormal_beside(to_x, beside));
  return true;
}

std::unique_ptr<MassBlock> LobpcgSpace::columns_of_x(const std::vector<std::int64_t>& which) {
  const auto width = static_cast<std::int64_t>(which.size());
  auto copy = std::make_unique<MassBlock>(problem_.stream.device(), problem_.k.rows(), width);
  SmallMatrix choice(x_->columns, width);
  for (std::int64_t k = 0; k < width; ++k) choice(which[static_cast<std::size_t>(k)], k) = 1;
  algebra_.multiply(1, x_->view(), choice, 0, copy->view());
  algebra_.multiply(1, x_->mass(), choice, 0, copy->mass());
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
