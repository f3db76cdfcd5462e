// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/dense_modes.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "setka/base/error.hpp"
#include "setka/modes/rayleigh_ritz.hpp"

namespace setka::modes {
namespace {

using Matrix = Eigen::MatrixXd;

Matrix dense(const sparse::SymmetricCsr& a) {
  Matrix full = Matrix::Zero(a.rows, a.rows);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = static_cast<std::size_t>(a.offset[row]); k < static_cast<std::size_t>(a.offset[row + 1]);
         ++k) {
      full(i, a.column[k]) = full(a.column[k], i) = a.value[k];
    }
  }
  return full;
}

}  // namespace

Modes dense_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, double shift,
                  std::int64_t count, double tolerance) {
  // M x = theta (K - shift M) x: the definite matrix stands on the right, whatever M is.
  const Matrix mass = dense(m);
  const Matrix shifted = dense(k) - shift * mass;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(mass, shifted);
  SETKA_ASSERT(solver.info() == Eigen::Success);
  const auto n = static_cast<Eigen::Index>(k.rows);
  const Eigen::VectorXd theta = solver.eigenvalues().reverse();
  const double least = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * theta[0];
  Eigen::Index finite = 0;
  while (finite < n && theta[finite] > least) ++finite;
  const Eigen::Index taken = std::min<Eigen::Index>(finite, count);
  Matrix x = solver.eigenvectors().rowwise().reverse().leftCols(taken);
  for (Eigen::Index j = 0; j < taken; ++j) x.col(j) /= std::sqrt(theta[j]);
  Modes modes = rayleigh_ritz(k, m, {x.data(), static_cast<std::size_t>(x.size())}, taken, tolerance);
  modes.method = "dense";
  modes.check = Check::all;
  modes.check_text = "all modes were computed";
  return modes;
}

}  // namespace setka::modes
