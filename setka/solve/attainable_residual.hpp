// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"

namespace setka::solve {

/// What rounding alone leaves of |b - A x|: x cannot be stored any better. |A| is found by a few steps of the
/// power method from x itself, whose residual it is about.
double attainable_residual(const exec::Stream& stream, const Operator& a, exec::View<const double> x);

}  // namespace setka::solve
