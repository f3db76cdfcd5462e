// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/modes.hpp"

namespace setka::modes {

/// LOBPCG, or subspace iteration, on a device; shapes over all rows of the matrices. The preconditioner is
/// multigrid of the assembled matrix; where nothing is assembled, Chebyshev's polynomial of products over the
/// diagonal blocks (solve/chebyshev_preconditioner.hpp), which takes more iterations the finer the mesh is.
///
/// What is free is looked for among the motions that multigrid is told of, taken for each part of the model
/// (motions_of_parts.hpp): those without stiffness are the first modes of the answer. The preconditioner is
/// then made of K + alpha M. Where the lowest mode comes out negative, as under a preload, or the iteration
/// does not converge, it is tried once more with a larger alpha.
Modes iterated(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system,
               const Request& request, bool by_subspace, Monitor& monitor);

}  // namespace setka::modes
