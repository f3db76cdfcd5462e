// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

/// Y = K X for the five-point Laplacian on the n x n inner nodes of a square skin that is held at its rim;
/// entry i of the loop is column i % columns of node i / columns.
struct StretchSkin {
  std::int64_t n;
  double inverse_h2;  // 1 / h^2
  setka::exec::MultiView<const double> x;
  setka::exec::MultiView<double> y;

  SETKA_HD void operator()(std::int64_t entry) const {
    const std::int64_t node = entry / x.columns;
    const std::int64_t column = entry % x.columns;
    const std::int64_t i = node % n;
    const std::int64_t j = node / n;
    double sum = 4 * x(node, column);
    if (i > 0) sum -= x(node - 1, column);
    if (i < n - 1) sum -= x(node + 1, column);
    if (j > 0) sum -= x(node - n, column);
    if (j < n - 1) sum -= x(node + n, column);
    y(node, column) = sum * inverse_h2;
  }
};

struct CopyColumns {
  setka::exec::MultiView<const double> x;
  setka::exec::MultiView<double> y;
  SETKA_HD void operator()(std::int64_t entry) const {
    y(entry / x.columns, entry % x.columns) = x(entry / x.columns, entry % x.columns);
  }
};
