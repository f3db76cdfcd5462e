// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/modes.hpp"
#include "setka/modes/motions_of_parts.hpp"
#include "setka/solve/amg.hpp"

namespace setka::domains {

/// modes::find() over a team: LOBPCG or subspace iteration, with the rows of both matrices shared out by a
/// partition of the graph of K. The matrices have to be assembled. Error(Fault::usage) for methods of one
/// device, and where M couples unknowns that K does not.
modes::Modes find_modes(const exec::Team& team, const exec::Device& cpu, const modes::EigenSystem& system,
                        modes::Request request, const modes::Choice& choice, Monitor& monitor);

/// K phi = lambda M phi of matrices that a team has already, in the same parts.
template <class Matrix>
struct EigenSystemInParts {
  const Matrix& stiffness;
  const Matrix& mass;
  std::function<solve::AmgGeometry(int part)> geometry;  // of the rows of a part; asked for by its member
  std::function<modes::Motions()> motions;               // of the pieces of the model, over all rows
  std::span<const std::int32_t> place;                   // as modes::EigenSystem has them
  bool free = false;
};

using TeamEigenSystem = EigenSystemInParts<DistributedMatrix>;
using UnassembledEigenSystem = EigenSystemInParts<DistributedOperator>;

/// The same of such a one, over the matrices' team. "auto" stands for multigrid, or for a polynomial where
/// nothing is assembled.
modes::Modes find_modes(const TeamEigenSystem& system, const exec::Device& cpu, modes::Request request,
                        const modes::Choice& choice, Monitor& monitor);
modes::Modes find_modes(const UnassembledEigenSystem& system, const exec::Device& cpu, modes::Request request,
                        const modes::Choice& choice, Monitor& monitor);

}  // namespace setka::domains
