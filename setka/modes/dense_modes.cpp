// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/dense_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/core.h>
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "setka/base/error.hpp"
#include "setka/modes/rayleigh_ritz.hpp"
#include "setka/modes/symmetric.hpp"

namespace setka::modes {
namespace {

using Matrix = Eigen::MatrixXd;

Matrix full_matrix(const sparse::SymmetricCsr& a) {
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
  const Matrix mass = full_matrix(m);
  const Matrix shifted = full_matrix(k) - shift * mass;
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

Modes dense(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, const Request& request) {
  check_request(request, k.rows);
  const Matrix mass = full_matrix(m);
  const Matrix stiffness = full_matrix(k);
  const auto definite = [&](double shift) {
    const Eigen::LLT<Matrix> factor(stiffness + shift * mass);
    return factor.info() == Eigen::Success && factor.rcond() > 1e-13;
  };
  Modes modes;
  modes.rows = k.rows;
  modes.method = "dense";
  if (!(trace(m) > 0)) {
    modes.trouble = "no unknown has mass";
    return modes;
  }
  double shift = 0;
  bool found = definite(shift);
  // A small shift serves a body that is free, a larger one K that a preload has made indefinite.
  if (!found) shift = 1e-9 * std::abs(trace(k)) / trace(m);
  for (int i = 0; i < 12 && !found; ++i) {
    found = definite(shift);
    if (!found) shift *= 30;
  }
  if (!found) {
    modes.trouble = "an unknown has neither stiffness nor mass";
    return modes;
  }
  modes = dense_modes(k, m, -shift, request.count > 0 ? request.count : k.rows, request.tolerance);
  modes.converged = true;
  if (modes.count() < request.count) {
    modes.trouble = fmt::format("only {} modes of finite frequency exist, {} were asked for: M is singular",
                                modes.count(), request.count);
  }
  keep_requested(request, modes);
  return modes;
}

}  // namespace setka::modes
