// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"

namespace setka::solve {

/// Y = A X for an operator that has nothing better for many columns than its product with one.
void apply_column_by_column(const exec::Stream& stream, const Operator& a, exec::MultiView<const double> x,
                            exec::MultiView<double> y);

}  // namespace setka::solve
