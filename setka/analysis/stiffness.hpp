// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/free_motions.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/balance.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/domains/ranks.hpp"
#include "setka/domains/reduced_modes.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/domains/substructures.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/space.hpp"
#include "setka/modes/find.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/null_space.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::analysis {

/// How conjugate gradients multiply with the stiffness.
enum class OperatorKind {
  automatic,    // assembled
  assembled,    // a matrix of node blocks
  elements,     // stored element matrices
  matrix_free,  // elements integrated anew in each product
};

/// The words of the command line; an unknown one is an Error(Fault::usage) that lists them.
OperatorKind operator_of(std::string_view word);

/// Where and how a job computes.
struct Computing {
  exec::Device device = exec::Device::cpu();                 // of the solver
  exec::Device cpu = exec::Device::cpu();                    // of everything else
  std::optional<exec::Team> team = std::nullopt;             // that solves together, where several are named
  const domains::Ranks* ranks = nullptr;                     // where members of the team are processes
  domains::Balancing balancing = domains::Balancing::given;  // of explicit steps on it
  solve::SolverChoice solver;
  /// Static steps are solved by substructures, with the tolerance of the solver.
  std::optional<domains::SubstructureOptions> substructures = std::nullopt;
  OperatorKind operator_kind = OperatorKind::automatic;
  modes::Method modes = modes::Method::automatic;
  modes::Method preferred_modes = modes::Method::automatic;  // as modes::Choice has it
  modes::Shortage shortage = modes::Shortage::use_cpu;       // of the device's memory, in steps of modes
  bool single_precision = false;                             // in explicit steps
  std::optional<double> mode_tolerance = std::nullopt;       // none: what suits the method
  std::optional<int> mode_iterations = std::nullopt;         // none: modes::Request's
  /// Of *FREQUENCY: the iteration begins with the modes of a model that is reduced like this.
  std::optional<domains::Reduction> reduction = std::nullopt;

  /// All of it on a team of that many CPU threads; 0: as many as there are.
  static Computing on_cpu(int threads) {
    const exec::Device team = exec::Device::cpu(threads);
    Computing computing;
    computing.device = team;
    computing.cpu = team;
    return computing;
  }
};

/// T'KT as a solver takes it, in blocks of three unknowns.
struct Stiffness {
  fem::Space space;
  std::optional<sparse::BlockCsr<double>> matrix =
      std::nullopt;  // on the host or on the device; none: nothing needs it
  std::shared_ptr<const solve::Operator> product = nullptr;      // none: the matrix
  std::unique_ptr<solve::Operator> preconditioner = nullptr;     // where there is no matrix
  std::shared_ptr<domains::DistributedMatrix> shared = nullptr;  // in the place of the matrix, on a team
  std::shared_ptr<const domains::SpaceParts> parts = nullptr;    // of the space, there
  std::shared_ptr<domains::DistributedOperator> shared_product =
      nullptr;  // in the place of both, on a team that multiplies element by element
  /// Of the elements that this process counts, where members of the team are processes; without what holds
  /// free motions.
  std::function<domains::UnassembledPart()> unassembled = {};
  fem::ElementMatrix element_matrix = {};             // for substructures
  std::vector<double> diagonal = {};                  // where there is no matrix, of the places of the space
  std::vector<double> from_shifts = {};               // T'Kg, where values are prescribed
  std::future<std::vector<FreeMotion>> motions = {};  // what bodies may do, where it is looked for meanwhile
  std::future<solve::OrderedFactor> ordered = {};     // of the matrix, where it was begun meanwhile
  bool by_device = false;                             // assembled by it
  std::shared_ptr<const fem::Form> form = nullptr;    // of its elements, where there is room for them
  std::optional<solve::NullSpace> free =
      std::nullopt;  // of solve_system(): motions without stiffness, held in the matrix
};

/// On a team each member assembles its part where TeamAssembly::possible(), or has the elements of it;
/// operators without a matrix are refused where it cannot.
/// On a GPU elements are integrated and assembled there where constraints only pick unknowns, and assembled
/// on the host from what the GPU integrated otherwise. With springs all of it is the host's; operators
/// without a matrix are then refused.
Stiffness make_stiffness(const Setup& setup, const ElementState& state, const fem::Constraints& constraints,
                         const Computing& computing, Monitor& monitor);

}  // namespace setka::analysis
