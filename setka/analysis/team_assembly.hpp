// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "setka/analysis/element_materials.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_assembly.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/space.hpp"

namespace setka::analysis {

/// A matrix that each member of a team assembled its rows of.
struct SharedSystem {
  std::shared_ptr<domains::DistributedMatrix> matrix;
  std::vector<double> from_shifts;  // T'Kg over all rows
};

/// What keeps a model from being computed in parts by so many members; empty: nothing.
std::string obstacle_to_parts(const Setup& setup, int members);

/// The elements of a space shared out over a team.
std::shared_ptr<const domains::SpaceParts> parts_for(const fem::Space& space, const exec::Team& team,
                                                     const exec::Device& cpu, Monitor& monitor);

/// What those elements of a part that it counts make of a matrix. element_matrix: of elements of the model.
domains::UnassembledPart part_of_elements(const domains::SpaceParts& parts, int p,
                                          const fem::ElementMatrix& element_matrix, const exec::Device& cpu);

/// The elements of a model in the parts that the members of a team assemble: on a GPU those that can be
/// integrated there, on the host the others.
class TeamAssembly {
 public:
  /// Whether parts can be. Otherwise matrices are assembled whole, and shared out.
  static bool possible(const Setup& setup, int members) { return obstacle_to_parts(setup, members).empty(); }

  /// Shares the elements out. Setup and state outlive it.
  TeamAssembly(const Setup& setup, const ElementState& state, const fem::Space& space, const exec::Team& team,
               const exec::Device& cpu, Monitor& monitor);

  const std::shared_ptr<const domains::SpaceParts>& shared_parts() const { return parts_; }

  /// element_matrix: of an element of the model, on the host. form: what integrates the same on a GPU, null
  /// where nothing does.
  using FormOf = std::shared_ptr<const fem::Form> (ElementMaterials::*)(
      const std::shared_ptr<const fem::ElementSet>&) const;
  SharedSystem assemble(const fem::ElementMatrix& element_matrix, FormOf form, Monitor& monitor);

 private:
  /// What a GPU keeps of its part from one matrix to the next.
  struct OnDevice {
    std::shared_ptr<const fem::ElementSet> set;
    ElementMaterials materials;
    fem::DofMap dofs;
    fem::DeviceAssembly assembly;
  };
  struct Rows {
    sparse::BlockCsr<double> matrix;
    std::vector<double> from_shifts;
  };
  OnDevice& on_device(const exec::Member& member);
  Rows rows_of(const exec::Member& member, const fem::ElementMatrix& element_matrix, FormOf form);

  const Setup& setup_;
  exec::Team team_;
  exec::Device cpu_;
  std::shared_ptr<const domains::SpaceParts> parts_;
  ElementMaterials materials_;                         // of all elements; where some device is a GPU
  std::vector<std::unique_ptr<OnDevice>> on_devices_;  // [members]
};

}  // namespace setka::analysis
