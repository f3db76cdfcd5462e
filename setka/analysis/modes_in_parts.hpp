// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/space.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/modes.hpp"

namespace setka::analysis {

/// Of each block of unknowns the connected part of the mesh that it belongs to; -1: of no node of it.
/// of_users: constraints of what the user moves, as many components a node as the space has.
std::vector<std::int32_t> parts_of_blocks(const Setup& setup, const fem::Constraints& of_users,
                                          const fem::Space& space);

/// The modes of K and M that the members of a team have in parts, by its devices or processes. system: what
/// is known of the whole: places, pieces of the mesh, whether something moves freely.
modes::Modes find_in_parts(const domains::SpaceParts& parts, const fem::Space& space,
                           const domains::DistributedMatrix& stiffness,
                           const domains::DistributedMatrix& mass, const modes::EigenSystem& system,
                           const modes::Request& request, const Computing& computing, Monitor& monitor);
modes::Modes find_in_parts(const domains::SpaceParts& parts, const fem::Space& space,
                           const domains::DistributedOperator& stiffness,
                           const domains::DistributedOperator& mass, const modes::EigenSystem& system,
                           const modes::Request& request, const Computing& computing, Monitor& monitor);

/// The modes of K and M that every process has whole, by the devices or processes of the computing.
modes::Modes find_whole(const modes::EigenSystem& system, const modes::Request& request,
                        const Computing& computing, Monitor& monitor);

}  // namespace setka::analysis
