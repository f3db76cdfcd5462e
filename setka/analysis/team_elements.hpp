// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/analysis/team_assembly.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/space.hpp"

namespace setka::analysis {

/// An operator that each member of a team multiplies with by the elements of its part.
struct SharedProducts {
  std::shared_ptr<domains::DistributedOperator> product;
  std::vector<double> from_shifts;  // T'Kg over all rows
};

/// The elements of a model in the parts that the members of a team multiply with, by --operator elements or
/// matrix-free. A member has the elements of all nodes that it owns, so that those at a border are multiplied
/// by two of them and nothing is added up between parts.
class TeamElements {
 public:
  /// Shares the elements out over the team of the computing. Setup outlives it. Error(Fault::usage) where
  /// parts cannot be, or an element knows no such product.
  TeamElements(const Setup& setup, const ElementState& state, const fem::Space& space,
               const Computing& computing, Monitor& monitor);

  const std::shared_ptr<const domains::SpaceParts>& shared_parts() const { return parts_; }

  SharedProducts products(TeamAssembly::FormOf form, Monitor& monitor);

 private:
  /// What a member keeps from one operator to the next.
  struct Own {
    std::shared_ptr<const fem::ElementSet> set;
    std::shared_ptr<const fem::DofMap> unknowns;
    ElementMaterials materials;
  };
  const Own& own(const exec::Member& member);
  domains::DistributedOperator::Rows rows_of(const exec::Member& member, TeamAssembly::FormOf form,
                                             std::vector<double>& from_shifts);

  const Setup& setup_;
  exec::Team team_;
  OperatorKind kind_;
  ElementMaterials materials_;  // of all elements
  std::shared_ptr<const domains::SpaceParts> parts_;
  std::vector<std::unique_ptr<const Own>> members_;
};

}  // namespace setka::analysis
