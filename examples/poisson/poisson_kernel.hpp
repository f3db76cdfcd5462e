// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

/// y = A x for the seven-point Laplacian on the inner nodes of an n x n x n grid, zero on the boundary.
struct ApplyLaplacian {
  std::int64_t n;
  double inverse_h2;  // 1 / h^2
  setka::exec::View<const double> x;
  setka::exec::View<double> y;

  SETKA_HD void operator()(std::int64_t node) const {
    const std::int64_t k = node % n;
    const std::int64_t j = node / n % n;
    const std::int64_t i = node / (n * n);
    double sum = 6 * x[node];
    if (k > 0) sum -= x[node - 1];
    if (k < n - 1) sum -= x[node + 1];
    if (j > 0) sum -= x[node - n];
    if (j < n - 1) sum -= x[node + n];
    if (i > 0) sum -= x[node - n * n];
    if (i < n - 1) sum -= x[node + n * n];
    y[node] = sum * inverse_h2;
  }
};
