// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/krylov_basis.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <Eigen/Eigenvalues>

#include "setka/modes/symmetric.hpp"
#include "setka/solve/small_matrix.hpp"

namespace setka::modes {
namespace {

using Matrix = KrylovBasis::Matrix;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Of what A made, before it was made orthogonal to the basis: what is shorter after that is rounding.
constexpr double shortest = 1e-12;
constexpr double shortest_hidden = 1e-5;
constexpr int most_passes = 4;

std::span<const double> values(const Matrix& a) {
  return {a.data(), static_cast<std::size_t>(a.size())};
}
std::span<double> values(Matrix& a) {
  return {a.data(), static_cast<std::size_t>(a.size())};
}

solve::SmallMatrix small(const Matrix& a) {
  solve::SmallMatrix made(a.rows(), a.cols());
  Eigen::Map<Rows>(made.value.data(), a.rows(), a.cols()) = a;
  return made;
}
Matrix dense(const solve::SmallMatrix& a) {
  return Eigen::Map<const Rows>(a.value.data(), a.rows, a.columns);
}

}  // namespace

KrylovBasis::KrylovBasis(const sparse::SymmetricCsr& m, const solve::Cholesky& factor, Eigen::Index room,
                         Eigen::Index block)
    : m_(m),
      factor_(factor),
      room_(room),
      block_(block),
      v_(m.rows, room + block),
      mv_(m.rows, room + block),
      h_(Matrix::Zero(room, room)) {
  append_noise();
}

Matrix KrylovBasis::times_mass(const Matrix& x) const {
  Matrix y(x.rows(), x.cols());
  multiply(m_, values(x), values(y), x.cols());
  return y;
}

Matrix KrylovBasis::solved(const Matrix& b) const {
  Matrix x(b.rows(), b.cols());
  factor_.solve(values(b), values(x), b.cols());
  return x;
}

/// W -= V (V'MW) over the basis and what of the next block is there; twice is enough. Returns V'MW.
Matrix KrylovBasis::project_off(Matrix& w) const {
  const Eigen::Index there = size_ + width_;
  Matrix share = Matrix::Zero(there, w.cols());
  for (int pass = 0; pass < 2; ++pass) {
    const Matrix part = mv_.leftCols(there).transpose() * w;
    w.noalias() -= v_.leftCols(there) * part;
    share += part;
  }
  return share;
}

/// Adds what is left of W, made orthonormal, to the next block. share: what was taken off. Returns the factor
/// R of W = Q R.
Matrix KrylovBasis::append(Matrix w, const Matrix& share) {
  double drop = shortest_hidden;
  Matrix factor = Matrix::Identity(w.cols(), w.cols());
  Matrix mw;
  for (int pass = 1; pass <= most_passes; ++pass) {
    mw = times_mass(w);
    const Matrix gram = w.transpose() * mw;
    if (pass == 1) {
      const Eigen::VectorXd before = gram.diagonal() + share.colwise().squaredNorm().transpose();
      drop = shortest * std::sqrt(std::max(before.maxCoeff(), 0.0));
    }
    const solve::Orthonormaliser made = solve::orthonormaliser(small(gram), drop, pass == most_passes);
    drop = shortest_hidden;
    w = w * dense(made.transform);
    factor = dense(made.factor) * factor;
    if (w.cols() == 0) return factor;
    // What was short has been stretched, and with it what rounding had left of V in it: once more.
    if (pass > 1 && made.complete) {
      mw = mw * dense(made.transform);
      break;
    }
    project_off(w);
  }
  v_.middleCols(size_ + width_, w.cols()) = w;
  mv_.middleCols(size_ + width_, w.cols()) = mw;
  width_ += w.cols();
  return factor;
}

/// Fills the next block. Noise goes through A first, so that it holds only what A can make.
void KrylovBasis::append_noise() {
  Matrix noise(m_.rows, block_ - width_);
  fill_noise(seed_++, values(noise));
  Matrix w = solved(times_mass(noise));
  const Matrix share = project_off(w);
  append(std::move(w), share);
}

void KrylovBasis::grow() {
  const Eigen::Index before = size_;
  const Eigen::Index added = width_;
  Matrix w = solved(mv_.middleCols(before, added));
  const Matrix share = project_off(w);
  h_.block(0, before, before + added, added) = share;
  h_.block(before, 0, added, before) = share.topRows(before).transpose();
  const Matrix corner = share.bottomRows(added);
  h_.block(before, before, added, added) = 0.5 * (corner + corner.transpose());
  size_ += added;
  width_ = 0;
  const Matrix factor = append(std::move(w), share);
  const Eigen::Index coupled = width_;
  if (width_ < block_) append_noise();
  coupling_ = Matrix::Zero(width_, size_);
  coupling_.block(0, before, coupled, added) = factor;
}

KrylovBasis::Ritz KrylovBasis::ritz() const {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(h_.topLeftCorner(size_, size_));
  Ritz ritz;
  ritz.theta = solver.eigenvalues().reverse();
  ritz.vector = solver.eigenvectors().rowwise().reverse();
  ritz.error = width_ == 0 ? Eigen::VectorXd::Zero(size_).eval()
                           : (coupling_ * ritz.vector).colwise().norm().transpose().eval();
  return ritz;
}

void KrylovBasis::restart(const Ritz& ritz, Eigen::Index kept, bool fresh) {
  const Matrix axes = ritz.vector.leftCols(kept);
  const Matrix next = v_.middleCols(size_, width_);
  const Matrix mass_of_next = mv_.middleCols(size_, width_);
  v_.leftCols(kept) = (v_.leftCols(size_) * axes).eval();
  mv_.leftCols(kept) = (mv_.leftCols(size_) * axes).eval();
  h_.setZero();
  h_.diagonal().head(kept) = ritz.theta.head(kept);
  size_ = kept;
  if (fresh) {
    width_ = 0;
    append_noise();
    coupling_ = Matrix::Zero(width_, kept);
    return;
  }
  v_.middleCols(kept, width_) = next;
  mv_.middleCols(kept, width_) = mass_of_next;
  coupling_ = (coupling_ * axes).eval();
}

Matrix KrylovBasis::refined(const Ritz& ritz, Eigen::Index count) const {
  const Matrix x = mv_.leftCols(size_) * ritz.vector.leftCols(count);
  return solved(x) * ritz.theta.head(count).cwiseInverse().asDiagonal();
}

}  // namespace setka::modes
