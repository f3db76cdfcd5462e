// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/small_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace setka::solve {
namespace {

using Matrix = Eigen::MatrixXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A pivot of Cholesky's factor of a Gram matrix with unit diagonal, below which the columns that it makes
/// are orthonormal to no better than epsilon over this.
constexpr double least_pivot = 1e-6;

Eigen::Map<const Rows> map(const SmallMatrix& a) {
  return {a.value.data(), a.rows, a.columns};
}

SmallMatrix small(const Matrix& a) {
  SmallMatrix made(a.rows(), a.cols());
  Eigen::Map<Rows>(made.value.data(), a.rows(), a.cols()) = a;
  return made;
}

/// 1 over the roots of the diagonal; 0 where it is not positive.
Eigen::VectorXd scales(const Matrix& a) {
  return a.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
}

Matrix symmetric(const SmallMatrix& a) {
  return 0.5 * (map(a) + map(a).transpose());
}

double least_pivot_of(const Eigen::LLT<Matrix>& cholesky) {
  if (cholesky.info() != Eigen::Success) return 0;
  const double root = Matrix(cholesky.matrixL()).diagonal().minCoeff();
  return root * root;
}

}  // namespace

SmallMatrix operator*(const SmallMatrix& a, const SmallMatrix& b) {
  return small(map(a) * map(b));
}

Definiteness definiteness(const SmallMatrix& a, double slack) {
  if (a.rows == 0) return Definiteness::positive;
  Matrix s = symmetric(a);
  if (!s.allFinite()) return Definiteness::not_finite;
  if (s.diagonal().minCoeff() <= 0) return Definiteness::indefinite;
  const Eigen::VectorXd scale = scales(s);
  s = scale.asDiagonal() * s * scale.asDiagonal();
  if (least_pivot_of(Eigen::LLT<Matrix>(s)) > 8 * epsilon * static_cast<double>(a.rows)) {
    return Definiteness::positive;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(s, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()[0] < -slack ? Definiteness::indefinite : Definiteness::singular;
}

SmallMatrix solve_positive(const SmallMatrix& a, const SmallMatrix& b) {
  Matrix s = symmetric(a);
  const Eigen::VectorXd scale = scales(s);
  s = scale.asDiagonal() * s * scale.asDiagonal();
  Matrix x = scale.asDiagonal() * map(b);
  Eigen::LLT<Matrix>(s).solveInPlace(x);
  return small(scale.asDiagonal() * x);
}

Orthonormaliser orthonormaliser(const SmallMatrix& gram, double drop, bool last) {
  const Matrix g = symmetric(gram);
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < g.rows(); ++i) {
    if (g(i, i) > drop * drop) kept.push_back(i);
  }
  const auto r = static_cast<Eigen::Index>(kept.size());
  Orthonormaliser made;
  made.transform = SmallMatrix(gram.rows, r);
  made.factor = SmallMatrix(r, gram.rows);
  if (r == 0) return made;
  Matrix c = g(kept, kept);
  const Eigen::VectorXd scale = scales(c);
  c = scale.asDiagonal() * c * scale.asDiagonal();
  Matrix transform;  // [r, r], over the kept columns
  Matrix factor;
  const Eigen::LLT<Matrix> cholesky(c);
  if (least_pivot_of(cholesky) >= least_pivot) {
    const Matrix upper = cholesky.matrixU();
    factor = upper;
    transform = upper.triangularView<Eigen::Upper>().solve(Matrix::Identity(r, r));
  } else {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(c);
    Eigen::Index first = 0;  // eigenvalues ascend
    if (last) {
      while (first < r && eigen.eigenvalues()[first] < least_pivot) ++first;
    }
    const double hidden = 8 * epsilon * static_cast<double>(r);
    const Eigen::VectorXd root = eigen.eigenvalues().tail(r - first).unaryExpr(
        [&](double v) { return std::sqrt(std::max(v, hidden)); });
    const Matrix axes = eigen.eigenvectors().rightCols(r - first);
    factor = root.asDiagonal() * axes.transpose();
    transform = axes * root.cwiseInverse().asDiagonal();
    made.complete = last;
  }
  transform = scale.asDiagonal() * transform;
  factor = factor * scale.cwiseInverse().asDiagonal();
  made.transform = SmallMatrix(gram.rows, transform.cols());
  made.factor = SmallMatrix(factor.rows(), gram.rows);
  for (Eigen::Index k = 0; k < r; ++k) {
    const Eigen::Index at = kept[static_cast<std::size_t>(k)];
    for (Eigen::Index j = 0; j < transform.cols(); ++j) {
      made.transform(at, j) = transform(k, j);
      made.factor(j, at) = factor(j, k);
    }
  }
  return made;
}

}  // namespace setka::solve
