// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/team_assembly.hpp"
#include "setka/analysis/team_elements.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/space.hpp"
#include "setka/fem/unassembled_matrix.hpp"
#include "setka/modes/find.hpp"
#include "setka/solve/operator.hpp"

namespace setka::analysis {

/// The method of *FREQUENCY. A preconditioner that is asked for is of other steps where the method that is
/// asked for factorises, and where it is none of solve::preconditioners().
modes::Choice modal_choice(const Computing& computing);

/// K and M of *FREQUENCY as the search for modes takes them: assembled, or element by element where
/// --operator says so; then they are assembled beside it for a preconditioner that is made of matrices.
/// Setup, constraints and computing outlive it.
class ModalSystem {
 public:
  /// of_users: constraints of what the user moves; constraints: of the solids. Error(Fault::usage) where
  /// products are to be by elements, and a preload, the elements or the method want matrices.
  ModalSystem(const Setup& setup, const ElementState& state, const fem::Constraints& of_users,
              const fem::Constraints& constraints, const Preload* preload, const modes::Request& request,
              const Computing& computing, Monitor& monitor);

  const modes::EigenSystem& system() const { return system_; }

  /// The modes, by the devices of the computing.
  modes::Modes find(const modes::EigenSystem& system, const modes::Request& request, Monitor& monitor) const;

  const fem::Space& space() const { return *space_; }
  const solve::Operator& mass() const { return *mass_product_; }

 private:
  void assemble(const ElementState& state, const fem::Constraints& constraints, const Preload* preload,
                bool on_device, Monitor& monitor);
  void share_out(const ElementState& state, const fem::Constraints& constraints, const Preload* preload,
                 Monitor& monitor);
  void share_elements_out(const ElementState& state, const fem::Constraints& constraints, Monitor& monitor);
  void refuse_elements(const Preload* preload) const;
  void take_elements(const ElementState& state, const fem::Constraints& constraints, Monitor& monitor);

  const Setup& setup_;
  const Computing& computing_;
  std::optional<ModalMatrices> matrices_;
  std::optional<fem::Space> space_;
  std::optional<SharedSystem> shared_stiffness_;  // where a team assembled them in parts
  std::optional<SharedSystem> shared_mass_;
  std::optional<SharedProducts> products_of_stiffness_;  // where it multiplies by elements in parts
  std::optional<SharedProducts> products_of_mass_;
  std::shared_ptr<const domains::SpaceParts> parts_;
  std::unique_ptr<const fem::UnassembledMatrix> stiffness_;  // where nothing is assembled
  std::unique_ptr<const fem::UnassembledMatrix> mass_;
  std::unique_ptr<const solve::Operator> of_given_mass_;
  const solve::Operator* mass_product_ = nullptr;
  modes::EigenSystem system_;
};

}  // namespace setka::analysis
