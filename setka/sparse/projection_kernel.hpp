// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::sparse::kernel {

/// S = (P + P') / 2, or S += that: what rounding leaves unsymmetric goes.
struct Symmetrize {
  exec::MultiView<const double> p;
  exec::MultiView<double> s;
  bool add;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t row = i / s.columns;
    const std::int64_t column = i % s.columns;
    const double mean = (p(row, column) + p(column, row)) / 2;
    s(row, column) = add ? s(row, column) + mean : mean;
  }
};

}  // namespace setka::sparse::kernel
