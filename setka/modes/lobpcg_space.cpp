// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lobpcg_space.hpp"

#include <algorithm>
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
constexpr int max_passes = 4;

}  // namespace

Problem::Problem(const exec::Stream& on, const solve::Operator& stiffness, const solve::Operator& mass,
                 const solve::Operator& approximate_inverse, double tolerance)
    : stream(on), k(stiffness), m(mass), preconditioner(approximate_inverse) {
  const auto over_all = [&](double own) { return k.member() == nullptr ? own : k.member()->sum(own); };
  const auto norm = [&](exec::View<const double> y) {
    return std::sqrt(over_all(exec::dot<double>(stream, y, y)));
  };
  unknowns = std::llround(over_all(static_cast<double>(k.rows())));
  exec::Array<double> x(stream.device(), k.rows());
  fill_noise(stream, own_seed(0), x.view());
  exec::Array<double> y(stream.device(), k.rows());
  k.apply(stream, std::as_const(x).view(), y.view());
  const double stiff = norm(y);
  m.apply(stream, std::as_const(x).view(), y.view());
  const double heavy = norm(y);
  zero_level = modes::zero_level(stiff, heavy, tolerance);
  rounding = rounding_of_zero(stiff, heavy);
}

std::uint64_t Problem::own_seed(std::uint64_t seed) const {
  constexpr std::uint64_t apart = 1000;
  return k.member() == nullptr ? seed : seed + apart * static_cast<std::uint64_t>(k.member()->number());
}

std::vector<double> MassBlock::values() const {
  std::vector<double> all = x.to_vector();
  all.resize(static_cast<std::size_t>(rows * columns));
  return all;
}

LobpcgSpace::LobpcgSpace(const Problem& problem, std::vector<const MassBlock*> off, std::int64_t columns)
    : problem_(problem),
      off_(std::move(off)),
      algebra_(problem.stream, std::max<std::int64_t>(64, columns), problem.k.member()),
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
                         std::uint64_t seed, ConstBlock start)
    : LobpcgSpace(problem, std::move(off), columns) {
  if (columns == 0) return;
  fill_noise(problem_.stream, problem.own_seed(seed), {spare_.data(), problem.k.rows() * columns});
  // M T noise: places that fill blocks and have no mass stay zero.
  problem_.m.apply(problem_.stream, part(spare_, columns), part(spare_p_, columns));
  problem_.preconditioner.apply(problem_.stream, part(spare_p_, columns), x_->view());
  if (start.columns > 0)
    exec::copy_rows_async<double>(problem_.stream, start,
                                  {x_->x.data(), start.rows, start.columns, x_->columns});
  refresh();
}

LobpcgSpace::LobpcgSpace(const Problem& problem, exec::View<const double> values, std::int64_t columns)
    : LobpcgSpace(problem, std::vector<const MassBlock*>(), columns) {
  exec::copy_async<double>(problem.stream, values, x_->x);
  refresh();
}

void LobpcgSpace::require_finite(const SmallMatrix& a) {
  if (!std::all_of(a.value.begin(), a.value.end(), [](double value) { return std::isfinite(value); }))
    throw Error(Fault::usage, "lobpcg: K, M or the preconditioner makes numbers that are not finite");
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
  for (int pass = 1; pass <= max_passes && w.columns > 0; ++pass) {
    problem_.m.apply(problem_.stream, w.view(), w.mass());
    SmallMatrix gram = algebra_.inner({{w.view(), w.mass()}})[0];
    require_finite(gram);
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
    solve::Orthonormaliser made = algebra_.agreed([&] {
      return solve::orthonormaliser(gram, pass == 1 ? shortest : shortest_hidden, pass == max_passes);
    });
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
  const SmallMatrix stiffness = algebra_.inner({{x_->view(), part(kx_, columns)}})[0];
  const SmallEigen eigen = algebra_.agreed([&] { return symmetric_eigen(stiffness); });
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
  // Of an indefinite K, as in buckling, parts of K x may cancel out in lambda: it is no measure of the rest.
  if (number < 0) return false;
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
