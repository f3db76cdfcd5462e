// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/heat_field.hpp"
#include "setka/analysis/heat_loads.hpp"
#include "setka/analysis/heat_solver.hpp"
#include "setka/analysis/heat_surface.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/space_parts.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/ghosts.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/vector.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/form.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::analysis {

/// A node whose temperature is another by what is prescribed now.
struct PrescribedChange {
  std::int32_t node;  // of all solids
  bool alone;         // no unknown has a part in it
  bool jumps;         // it has it from the beginning of the increment on
  double by;
  double value;  // of the shift
};

/// Temperatures of the nodes that one device has, and what the step needs of them: of all nodes, or of those
/// that a member of a team owns and of its ghosts. Members do everything together, and what is said of the
/// model is a sum over all of them: the same bits everywhere. Vectors stay on the device; materials that
/// change with temperature are evaluated by the host.
class HeatPart {
 public:
  /// temperature: [solid nodes] at the start; losses: at the start, whose faces do not change. steady:
  /// nothing is kept. Setup, computing and parts outlive it.
  HeatPart(const Setup& setup, const Computing& computing, HeatSpace space,
           std::span<const double> temperature, std::span<const FaceLoss> losses, bool steady);
  HeatPart(const Setup& setup, const Computing& computing, const exec::Member& member,
           const domains::SpaceParts& parts, std::span<const double> temperature,
           std::span<const FaceLoss> losses, bool steady);

  const HeatMaterials& materials() const { return field_.materials(); }
  const std::string& method() const { return solver_.method(); }
  int hierarchies() const { return solver_.hierarchies(); }

  /// One of the sources of heat, [solid nodes]; and from then on nodes take in the sum of all, times factors.
  /// What was not taken has a factor of 0.
  void take_source(std::size_t i, std::span<const double> heat);
  void add_sources(std::span<const double> factors);

  /// The state is tried.
  void try_state();
  /// Of a state that need not have what is prescribed: what is tried has it as it is at the time; jumps:
  /// [solid nodes] where it has it from the beginning of the increment on, elsewhere as the state has it.
  void try_state(const fem::Constraints& now, std::span<const std::int8_t> jumps);
  /// Of a state that had it before.
  void try_state(std::span<const PrescribedChange> changes);

  /// At the temperatures that are tried.
  void take_conductivity();
  void take_capacity();

  /// What the faces of all losses give off by from now on.
  void take_losses(std::span<const FaceLoss> losses) { faces_->take(values_of(own_losses(losses))); }

  /// Heat that nodes lack, which becomes the right-hand side; and what passes through nodes.
  struct Balance {
    double lacks = 0;
    double passes = 0;
  };
  Balance balance(double per_time, double zero);

  void assemble(double per_time, double zero, Monitor& monitor);
  dynamics::StepSolve solve(Monitor& monitor);

  /// Of the solution and of what is tried after it was added: the largest.
  struct Correction {
    double correction = 0;
    double temperature = 0;
  };
  Correction correct();

  void accept();

  // Into values of all solids' nodes or of Setup::points, what the part has of its own.
  void put_trial(std::span<double> all) const { put(trial_.to_vector(), all); }
  void put_state(std::span<double> all) const { put(state_.to_vector(), all); }
  void put_conducted(std::span<double> all) const { put(field_.conducted(conduction_, state_), all); }
  void put_flux(std::span<double> all) const;
  /// Of all solids.
  void take_flux(const Wanted& wanted, HeatFrame& values) const {
    field_.take_flux(*conduction_, state_, wanted, values);
  }

 private:
  void start(std::span<const double> temperature, std::span<const FaceLoss> losses);
  exec::View<double> mine(exec::Array<double>& places) const { return places.view().part(0, owned_rows_); }
  void take_ghosts();                                                // of the correction
  std::vector<double> own_of(std::span<const double> of_all) const;  // [nodes of the part]
  void put(const std::vector<double>& own, std::span<double> all) const;
  exec::View<const double> owned(const exec::Array<double>& nodes) const {
    return nodes.view().part(0, owned_nodes_);
  }
  double norm(exec::View<const double> of_owned) const;
  double largest(const exec::Array<double>& nodes) const;
  std::vector<FaceLoss> own_losses(std::span<const FaceLoss> losses) const;

  const Setup& setup_;
  exec::Device device_;
  std::optional<exec::Member> member_;
  const domains::SpaceParts* parts_ = nullptr;  // of a team
  bool steady_;
  HeatField field_;
  HeatSolver solver_;
  std::int64_t owned_nodes_;
  std::int64_t owned_rows_;
  std::vector<std::int32_t> number_;  // [solid nodes] in the part, -1: in another; empty: all are in it
  std::vector<std::size_t> loss_;     // of the losses those of its elements, where it has not all
  std::unique_ptr<exec::Ghosts<double>> ghosts_;
  std::shared_ptr<const fem::Form> conduction_;
  std::shared_ptr<const fem::Form> capacity_;
  std::optional<sparse::BlockCsr<double>> k_;
  std::optional<sparse::BlockCsr<double>> c_;
  bool loses_ = false;  // any part
  std::optional<fem::RobinFaces> faces_;
  exec::Array<double> state_;  // [nodes]
  exec::Array<double> began_;  // the state, with what jumps at its new value
  bool stands_ = false;  // what is tried is that: nothing has warmed up yet, and C need not be integrated
  exec::Array<double> trial_;
  exec::Array<double> lack_;
  exec::Array<double> work_;
  exec::Array<double> change_;               // in time
  exec::Array<double> right_;                // [places]
  exec::Array<double> correction_;           // [places]
  std::vector<exec::Array<double>> source_;  // each [nodes]
  exec::Array<double> sources_;              // [nodes] their sum
};

}  // namespace setka::analysis
