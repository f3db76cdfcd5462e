// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/dense_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/core.h>

#include "setka/base/dense.hpp"
#include "setka/base/error.hpp"
#include "setka/modes/rayleigh_ritz.hpp"
#include "setka/modes/symmetric.hpp"

namespace setka::modes {
namespace {

Dense full_matrix(const sparse::SymmetricCsr& a) {
  Dense full(a.rows, a.rows);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = static_cast<std::size_t>(a.offset[row]); k < static_cast<std::size_t>(a.offset[row + 1]);
         ++k) {
      full(i, a.column[k]) = full(a.column[k], i) = a.value[k];
    }
  }
  return full;
}

/// K + shift M.
Dense shifted(const Dense& k, double shift, const Dense& m) {
  Dense sum = k;
  for (std::size_t i = 0; i < sum.values().size(); ++i) sum.values()[i] += shift * m.values()[i];
  return sum;
}

}  // namespace

Modes dense_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, double shift,
                  std::int64_t count, double tolerance) {
  // M x = theta (K - shift M) x: the definite matrix stands on the right, whatever M is.
  Dense reduced = full_matrix(m);
  const DenseCholesky cholesky(shifted(full_matrix(k), -shift, reduced));
  SETKA_ASSERT(cholesky.definite());
  cholesky.solve_lower(reduced);
  cholesky.solve_transposed_on_right(reduced);
  Eigenpairs pairs = eigenpairs(reduced);
  SETKA_ASSERT(pairs.converged);
  cholesky.solve_transposed(pairs.vector);
  const auto n = static_cast<std::int64_t>(k.rows);
  const auto theta = [&](std::int64_t j) { return pairs.value[static_cast<std::size_t>(n - 1 - j)]; };
  const double least = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * theta(0);
  std::int64_t finite = 0;
  while (finite < n && theta(finite) > least) ++finite;
  const std::int64_t taken = std::min(finite, count);
  Dense x(n, taken);
  for (std::int64_t j = 0; j < taken; ++j) {
    for (std::int64_t i = 0; i < n; ++i) x(i, j) = pairs.vector(i, n - 1 - j) / std::sqrt(theta(j));
  }
  Modes modes = rayleigh_ritz(k, m, x.values(), taken, tolerance);
  modes.method = "dense";
  modes.check = Check::all;
  modes.check_text = "all modes were computed";
  return modes;
}

Modes dense(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, const Request& request) {
  check_request(request, k.rows);
  const Dense mass = full_matrix(m);
  const Dense stiffness = full_matrix(k);
  const auto definite = [&](double shift) {
    const DenseCholesky factor(shifted(stiffness, shift, mass));
    return factor.definite() && factor.reciprocal_condition() > 1e-13;
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
