// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "setka/model/model.hpp"

namespace setka::analysis {

/// Whether the step is a sum of modes that an earlier one found. Loads of the steps before it are no part of
/// it, as in CalculiX.
bool is_modal(const model::Step& step);

/// A load and the size it had before the step; 0 where there was none.
template <class Load>
struct Growing {
  Load load;
  double before = 0;
};

/// What is prescribed and what acts in a step: the sum of what the steps so far have said. A later step's
/// words about the same thing replace earlier ones; OP=NEW takes back what earlier steps said. *BUCKLE has
/// the loads of its own alone, and leaves none behind.
class LoadState {
 public:
  explicit LoadState(const model::Model& model);

  /// Takes in the next step. displacements: [3 nodes] at the end of the step before, in the users' axes, for
  /// FIXED.
  void begin(const model::Step& step, const std::vector<double>& displacements);

  /// A value with its amplitude at a time of the step.
  double factor(std::int32_t amplitude, double step_time, double total_time) const;

  std::vector<model::PrescribedValue> prescribed() const;  // ordered by node and direction
  /// The same with other loads.
  LoadState with(std::vector<model::PointLoad> point_loads,
                 std::vector<model::DistributedLoad> distributed_loads) const;

  bool has_equation(std::size_t equation) const { return !equation_removed_[equation]; }
  const std::vector<model::PointLoad>& point_loads() const { return point_loads_; }
  const std::vector<model::DistributedLoad>& distributed_loads() const { return distributed_loads_; }
  const std::vector<model::NodeTemperature>& temperatures() const { return temperatures_; }
  /// What a step of heat has computed, [mesh nodes] or [solid nodes]: displacements of later steps are at it.
  /// Empty: there was none.
  void take_temperatures(std::vector<double> found) { found_temperatures_ = std::move(found); }
  const std::vector<double>& found_temperatures() const { return found_temperatures_; }
  const std::vector<Growing<model::PointFlux>>& point_fluxes() const { return point_fluxes_; }
  const std::vector<Growing<model::DistributedFlux>>& distributed_fluxes() const {
    return distributed_fluxes_;
  }
  const std::vector<Growing<model::Film>>& films() const { return films_; }               // by coefficient
  const std::vector<Growing<model::Radiation>>& radiation() const { return radiation_; }  // by emissivity

 private:
  /// The values of the model or of one step, which may not contradict one another; of temperatures the last
  /// counts.
  void take_in(const std::vector<model::PrescribedValue>& values, const std::vector<double>& displacements);

  void forget_loads();
  void begin_heat(const model::Step& step);

  const model::Model& model_;
  bool heated_;                                                          // some step computes temperatures
  std::unordered_map<std::int64_t, model::PrescribedValue> prescribed_;  // by node, direction, part
  bool after_buckling_ = false;         // the last step was *BUCKLE, whose loads end with it
  std::vector<bool> equation_removed_;  // [equations]
  std::vector<model::PointLoad> point_loads_;
  std::vector<model::DistributedLoad> distributed_loads_;
  std::vector<model::NodeTemperature> temperatures_;
  std::vector<double> found_temperatures_;
  std::vector<Growing<model::PointFlux>> point_fluxes_;
  std::vector<Growing<model::DistributedFlux>> distributed_fluxes_;
  std::vector<Growing<model::Film>> films_;
  std::vector<Growing<model::Radiation>> radiation_;
};

}  // namespace setka::analysis
