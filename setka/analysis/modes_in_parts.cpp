// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/modes_in_parts.hpp"

#include <cstddef>
#include <span>

#include "setka/analysis/modal_system.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/domains/team_modes.hpp"
#include "setka/mesh/parts.hpp"
#include "setka/modes/motions_of_parts.hpp"
#include "setka/solve/amg.hpp"

namespace setka::analysis {
namespace {

template <class Matrix>
modes::Modes find_over_team(const domains::SpaceParts& parts, const fem::Space& space,
                            const Matrix& stiffness, const Matrix& mass, const modes::EigenSystem& system,
                            const modes::Request& request, const Computing& computing, Monitor& monitor) {
  return domains::find_modes(
      domains::EigenSystemInParts<Matrix>{
          stiffness, mass, [&](int part) { return parts.geometry(part, computing.cpu); },
          [&] {
            return modes::motions_of_parts(system.parts(), space.amg_motions(computing.cpu),
                                           modes::max_lobpcg_columns);
          },
          system.place, system.free},
      computing.cpu, request, modal_choice(computing), monitor);
}

}  // namespace

std::vector<std::int32_t> parts_of_blocks(const Setup& setup, const fem::Constraints& of_users,
                                          const fem::Space& space) {
  const mesh::Parts parts = mesh::connected_parts(setup.model->mesh);
  const std::span<const std::int32_t> dofs = of_users.unknown_dofs();
  std::vector<std::int32_t> part(static_cast<std::size_t>(space.blocks()), -1);
  for (std::size_t q = 0; q < dofs.size(); ++q) {
    const auto node = static_cast<std::size_t>(dofs[q] / space.components());
    if (node < parts.of_node.size())
      part[static_cast<std::size_t>(space.places()[q] / space.components())] = parts.of_node[node];
  }
  return part;
}

modes::Modes find_in_parts(const domains::SpaceParts& parts, const fem::Space& space,
                           const domains::DistributedMatrix& stiffness,
                           const domains::DistributedMatrix& mass, const modes::EigenSystem& system,
                           const modes::Request& request, const Computing& computing, Monitor& monitor) {
  const auto iterate = [&] {
    return find_over_team(parts, space, stiffness, mass, system, request, computing, monitor);
  };
  if (computing.ranks == nullptr) return iterate();
  const domains::Ranks& ranks = *computing.ranks;
  const auto factorise = [&] {
    modes::Modes found =
        ranks.find_modes({stiffness, mass, [&] { return parts.geometry(ranks.number(), computing.cpu); }},
                         request, computing.modes, monitor);
    modes::keep_unknowns(system.place, computing.cpu, found);
    return found;
  };
  const modes::Choice choice = modal_choice(computing);
  return domains::found_by_processes(
      iterate, factorise,
      domains::engine_finds(ranks, computing.device, system.unknown_count(), request, choice), choice);
}

modes::Modes find_in_parts(const domains::SpaceParts& parts, const fem::Space& space,
                           const domains::DistributedOperator& stiffness,
                           const domains::DistributedOperator& mass, const modes::EigenSystem& system,
                           const modes::Request& request, const Computing& computing, Monitor& monitor) {
  return find_over_team(parts, space, stiffness, mass, system, request, computing, monitor);
}

modes::Modes find_whole(const modes::EigenSystem& system, const modes::Request& request,
                        const Computing& computing, Monitor& monitor) {
  const modes::Choice choice = modal_choice(computing);
  if (computing.ranks != nullptr)
    return domains::find_modes(*computing.ranks, *computing.team, computing.cpu, system, request, choice,
                               monitor);
  if (computing.team)
    return domains::find_modes(*computing.team, computing.cpu, system, request, choice, monitor);
  return modes::find(computing.device, computing.cpu, system, request, choice, monitor, computing.shortage);
}

}  // namespace setka::analysis
