// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/krylov_basis.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "setka/modes/symmetric.hpp"
#include "setka/solve/small_matrix.hpp"

namespace setka::modes {
namespace {

/// Of what A made, before it was made orthogonal to the basis: what is shorter after that is rounding.
constexpr double shortest = 1e-12;
constexpr double shortest_hidden = 1e-5;
constexpr int max_passes = 4;

double square(std::span<const double> x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
}

}  // namespace

KrylovBasis::KrylovBasis(const sparse::SymmetricCsr& m, const solve::Cholesky& factor, std::int64_t room,
                         std::int64_t block)
    : KrylovBasis(m, m, factor, room, block) {}

KrylovBasis::KrylovBasis(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& g,
                         const solve::Cholesky& factor, std::int64_t room, std::int64_t block)
    : m_(k),
      g_(g),
      factor_(factor),
      room_(room),
      block_(block),
      v_(k.rows, room + block),
      mv_(k.rows, room + block),
      h_(room, room) {
  append_noise();
}

Dense KrylovBasis::times_mass(const Dense& x) const {
  Dense y(x.rows(), x.columns());
  multiply(m_, x.values(), y.values(), x.columns());
  return y;
}

/// A V; mv: M V.
Dense KrylovBasis::image(ConstDenseView v, ConstDenseView mv) const {
  if (&g_ == &m_) return solved(Dense(mv).values());
  const Dense columns(v);
  Dense gv(columns.rows(), columns.columns());
  multiply(g_, columns.values(), gv.values(), columns.columns());
  return solved(gv.values());
}

/// b: [columns, n]
Dense KrylovBasis::solved(std::span<const double> b) const {
  Dense x(m_.rows, static_cast<std::int64_t>(b.size()) / m_.rows);
  factor_.solve(b, x.values(), x.columns());
  return x;
}

/// W -= V (V'MW) over the basis and what of the next block is there; twice is enough. Returns V'MW.
Dense KrylovBasis::project_off(Dense& w) const {
  const std::int64_t there = size_ + width_;
  Dense share(there, w.columns());
  Dense part(there, w.columns());
  for (int pass = 0; pass < 2; ++pass) {
    setka::multiply(1, mv_.column_range(0, there).transposed(), w, 0, part);
    setka::multiply(-1, v_.column_range(0, there), part, 1, w);
    for (std::size_t i = 0; i < share.values().size(); ++i) share.values()[i] += part.values()[i];
  }
  return share;
}

/// Adds what is left of W, made orthonormal, to the next block. share: what was taken off. Returns the factor
/// R of W = Q R.
Dense KrylovBasis::append(Dense w, const Dense& share) {
  double drop = shortest_hidden;
  Dense factor = Dense::identity(w.columns());
  Dense mw;
  for (int pass = 1; pass <= max_passes; ++pass) {
    mw = times_mass(w);
    solve::SmallMatrix gram(w.columns(), w.columns());
    setka::multiply(1, w.transposed(), mw, 0, gram.view());
    if (pass == 1) {
      double before = 0;
      for (std::int64_t j = 0; j < w.columns(); ++j)
        before = std::max(before, gram(j, j) + square(share.column(j)));
      drop = shortest * std::sqrt(before);
    }
    const solve::Orthonormaliser made = solve::orthonormaliser(gram, drop, pass == max_passes);
    drop = shortest_hidden;
    w = product(w, made.transform.view());
    factor = product(made.factor.view(), factor);
    if (w.columns() == 0) return factor;
    // What was short has been stretched, and with it what rounding had left of V in it: once more.
    if (pass > 1 && made.complete) {
      mw = product(mw, made.transform.view());
      break;
    }
    project_off(w);
  }
  copy(w, v_.column_range(size_ + width_, w.columns()));
  copy(mw, mv_.column_range(size_ + width_, w.columns()));
  width_ += w.columns();
  return factor;
}

/// Fills the next block. Noise goes through A first, so that it holds only what A can make.
void KrylovBasis::append_noise() {
  Dense noise(m_.rows, block_ - width_);
  fill_noise(seed_++, noise.values());
  Dense w = image(noise, times_mass(noise));
  const Dense share = project_off(w);
  append(std::move(w), share);
}

void KrylovBasis::grow() {
  const std::int64_t before = size_;
  const std::int64_t added = width_;
  Dense w = image(v_.column_range(before, added), mv_.column_range(before, added));
  const Dense share = project_off(w);
  for (std::int64_t j = 0; j < added; ++j) {
    for (std::int64_t i = 0; i < before; ++i) h_(i, before + j) = h_(before + j, i) = share(i, j);
  }
  copy(symmetric_part(share.view().block(before, 0, added, added)),
       h_.view().block(before, before, added, added));
  size_ += added;
  width_ = 0;
  const Dense factor = append(std::move(w), share);
  const std::int64_t coupled = width_;
  if (width_ < block_) append_noise();
  coupling_ = Dense(width_, size_);
  copy(factor, coupling_.view().block(0, before, coupled, added));
}

KrylovBasis::Ritz KrylovBasis::ritz() const {
  const Eigenpairs ascending = eigenpairs(h_.view().block(0, 0, size_, size_));
  Ritz ritz;
  ritz.theta.assign(ascending.value.rbegin(), ascending.value.rend());
  ritz.vector = Dense(size_, size_);
  for (std::int64_t j = 0; j < size_; ++j)
    std::ranges::copy(ascending.vector.column(size_ - 1 - j), ritz.vector.column(j).begin());
  const Dense outside = product(coupling_, ritz.vector);
  for (std::int64_t j = 0; j < size_; ++j) ritz.error.push_back(norm(outside.column(j)));
  return ritz;
}

void KrylovBasis::restart(const Ritz& ritz, std::int64_t kept, bool fresh) {
  const ConstDenseView axes = ritz.vector.column_range(0, kept);
  const auto turn = [&](Dense& columns) {
    const Dense next{std::as_const(columns).column_range(size_, width_)};
    copy(product(columns.column_range(0, size_), axes), columns.column_range(0, kept));
    if (!fresh) copy(next, columns.column_range(kept, width_));
  };
  turn(v_);
  turn(mv_);
  h_ = Dense(room_, room_);
  for (std::int64_t j = 0; j < kept; ++j) h_(j, j) = ritz.theta[static_cast<std::size_t>(j)];
  size_ = kept;
  if (fresh) {
    width_ = 0;
    append_noise();
    coupling_ = Dense(width_, kept);
    return;
  }
  coupling_ = product(coupling_, axes);
}

Dense KrylovBasis::refined(const Ritz& ritz, std::int64_t count) const {
  const ConstDenseView axes = ritz.vector.column_range(0, count);
  Dense x = image(product(v_.column_range(0, size_), axes), product(mv_.column_range(0, size_), axes));
  for (std::int64_t j = 0; j < count; ++j) {
    const double factor = 1 / ritz.theta[static_cast<std::size_t>(j)];
    for (double& value : x.column(j)) value *= factor;
  }
  return x;
}

}  // namespace setka::modes
