// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::solve::kernel {

/// Y = a X + b Y, entry by entry; with b = 0, Y is not read.
struct AddScaled {
  double a;
  exec::MultiView<const double> x;
  double b;
  exec::MultiView<double> y;

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = at / y.columns;
    const std::int64_t j = at % y.columns;
    y(i, j) = b == 0 ? a * x(i, j) : a * x(i, j) + b * y(i, j);
  }
};

}  // namespace setka::solve::kernel
