// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::solve::kernel {

/// R = B - Q, entry by entry.
struct BlockResidual {
  exec::MultiView<const double> b;
  exec::MultiView<const double> q;
  exec::MultiView<double> r;
  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = at / r.columns;
    const std::int64_t j = at % r.columns;
    r(i, j) = b(i, j) - q(i, j);
  }
};

/// Chosen columns, scaled. Apart from a product with a small matrix, because a column that is left out may
/// hold NaN.
struct TakeColumns {
  exec::MultiView<const double> from;
  const double* choice;  // [columns of to]: which, exact as numbers
  const double* scale;   // [columns of to]
  exec::MultiView<double> to;
  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = at / to.columns;
    const std::int64_t k = at % to.columns;
    to(i, k) = scale[k] * from(i, static_cast<std::int64_t>(choice[k]));
  }
};

struct FillColumn {
  exec::MultiView<double> x;
  std::int64_t column;
  double value;
  SETKA_HD void operator()(std::int64_t i) const { x(i, column) = value; }
};

}  // namespace setka::solve::kernel
