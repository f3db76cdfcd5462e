// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/modes/lobpcg.hpp"
#include "setka/modes/modes.hpp"
#include "setka/solve/operator.hpp"

namespace setka::modes {

/// Subspace iteration (Bathe; "The subspace iteration method - Revisited", 2013) on the device of the
/// operators: Y = A^-1 M X for all columns together, A = K + alpha M, by block conjugate gradients with a
/// preconditioner, then the best columns of a span. Column j converges as (lambda_j + alpha) / (lambda_q +
/// alpha), q the number of columns with the guards.
///
/// Where we differ: Y is computed as a correction of X, A^-1 (K X - M X lambda), so that the solver has to be
/// right to two digits only; the span is [X Y], which holds what over-relaxation of every column could reach,
/// with the best factors; columns that have converged get no further solutions.
///
/// Null space, passes and the search for missing modes are those of lobpcg(), whose space this is without the
/// last directions.
///
/// LobpcgOptions::project_stiffness and project_mass: the small problem's part of Y comes from those, as from
/// the elements, and not from products with Y.
Modes subspace(const exec::Stream& stream, const solve::Operator& k, const solve::Operator& m,
               const solve::Operator& a, const solve::Operator& preconditioner, const Request& request,
               Monitor& monitor, LobpcgOptions options = {});

/// The operator that subspace() takes for A^-1: block conjugate gradients to two digits. Both outlive it.
std::unique_ptr<const solve::Operator> block_cg_inverse(const solve::Operator& a,
                                                        const solve::Operator& preconditioner);

}  // namespace setka::modes
