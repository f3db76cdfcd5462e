// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/modes.hpp"
#include "setka/solve/preconditioner.hpp"

namespace setka::modes {

/// LOBPCG or subspace iteration, and what preconditions them.
struct Iteration {
  bool by_subspace = false;
  const solve::PreconditionerKind& preconditioner;
};

/// The one of a word (Choice::preconditioner); an Error(Fault::usage) where it wants a matrix that is not
/// assembled.
const solve::PreconditionerKind& preconditioner_for(const EigenSystem& system, std::string_view word);

/// LOBPCG, or subspace iteration, on a device; shapes over all rows of the matrices. Of preconditioners
/// multigrid alone takes the same number of iterations however fine the mesh is.
///
/// What is free is looked for among the motions that multigrid is told of, taken for each part of the model
/// (motions_of_parts.hpp): those without stiffness are the first modes of the answer. The preconditioner is
/// then made of K + alpha M. Where the lowest mode comes out negative, as under a preload, or the iteration
/// does not converge, it is tried once more with a larger alpha.
Modes iterated(const exec::Device& device, const exec::Device& cpu, const EigenSystem& system,
               const Request& request, const Iteration& iteration, Monitor& monitor);

}  // namespace setka::modes
