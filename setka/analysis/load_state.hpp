// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "setka/model/model.hpp"

namespace setka::analysis {

/// Whether the step is a sum of modes that an earlier one found. Loads of the steps before it are no part of
/// it, as in CalculiX.
bool is_modal(const model::Step& step);

/// What is prescribed and what acts in a step: the sum of what the steps so far have said. A later step's
/// words about the same thing replace earlier ones; OP=NEW takes back what earlier steps said.
class LoadState {
 public:
  explicit LoadState(const model::Model& model);

  /// Takes in the next step. displacements: [3 nodes] at the end of the step before, in the users' axes, for
  /// FIXED.
  void begin(const model::Step& step, const std::vector<double>& displacements);

  /// A value with its amplitude at a time of the step.
  double factor(std::int32_t amplitude, double step_time, double total_time) const;

  std::vector<model::PrescribedValue> prescribed() const;  // ordered by node and direction
  bool has_equation(std::size_t equation) const { return !equation_removed_[equation]; }
  const std::vector<model::PointLoad>& point_loads() const { return point_loads_; }
  const std::vector<model::DistributedLoad>& distributed_loads() const { return distributed_loads_; }
  const std::vector<model::NodeTemperature>& temperatures() const { return temperatures_; }

 private:
  /// The values of the model or of one step, which may not contradict one another.
  void take_in(const std::vector<model::PrescribedValue>& values, const std::vector<double>& displacements);

  void forget_loads();

  const model::Model& model_;
  std::unordered_map<std::int64_t, model::PrescribedValue> prescribed_;  // by node, direction, part
  std::vector<bool> equation_removed_;                                   // [equations]
  std::vector<model::PointLoad> point_loads_;
  std::vector<model::DistributedLoad> distributed_loads_;
  std::vector<model::NodeTemperature> temperatures_;
};

}  // namespace setka::analysis
