// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/rayleigh_ritz.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "setka/base/error.hpp"
#include "setka/modes/symmetric.hpp"

namespace setka::modes {
namespace {

using Matrix = Eigen::MatrixXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix product(const sparse::SymmetricCsr& a, const Matrix& x) {
  Matrix y(x.rows(), x.cols());
  multiply(a, {x.data(), static_cast<std::size_t>(x.size())}, {y.data(), static_cast<std::size_t>(y.size())},
           x.cols());
  return y;
}

Matrix symmetric_part(const Matrix& a) {
  return 0.5 * (a + a.transpose());
}

}  // namespace

Modes rayleigh_ritz(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m,
                    std::span<const double> columns, std::int64_t count, double tolerance) {
  const Eigen::Index n = k.rows;
  Modes modes;
  modes.rows = n;
  if (count == 0) return modes;
  Matrix x = Eigen::Map<const Matrix>(columns.data(), n, count);
  // The second pass mends what the first loses where columns are nearly dependent.
  for (int pass = 0; pass < 2; ++pass) {
    const Eigen::LLT<Matrix> gram(symmetric_part(x.transpose() * product(m, x)));
    SETKA_ASSERT(gram.info() == Eigen::Success);
    x = gram.matrixU().solve<Eigen::OnTheRight>(x);
  }
  Matrix kx = product(k, x);
  const Eigen::SelfAdjointEigenSolver<Matrix> small(symmetric_part(x.transpose() * kx));
  x = x * small.eigenvectors();
  kx = product(k, x);
  const Matrix mx = product(m, x);

  std::vector<double> noise(static_cast<std::size_t>(n));
  fill_noise(0, noise);
  const Eigen::Map<const Matrix> random(noise.data(), n, 1);
  const double stiff = product(k, random).norm();
  const double heavy = product(m, random).norm();
  const double level = zero_level(stiff, heavy, tolerance);
  modes.zero = rounding_of_zero(stiff, heavy);
  for (Eigen::Index j = 0; j < count; ++j) {
    const double lambda = small.eigenvalues()[j];
    const double size = std::max(kx.col(j).norm(), level * mx.col(j).norm());
    const double miss = (kx.col(j) - lambda * mx.col(j)).norm();
    modes.lambda.push_back(lambda);
    modes.residual.push_back(size > 0 ? miss / size : 0.0);
  }
  modes.shape.resize(static_cast<std::size_t>(n * count));
  Eigen::Map<Rows>(modes.shape.data(), n, count) = x;
  fix_signs(modes);
  return modes;
}

}  // namespace setka::modes
