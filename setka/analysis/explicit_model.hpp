// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/fem/law_material.hpp"

namespace setka::analysis {

/// A step with *DYNAMIC, EXPLICIT as dynamics::ExplicitDynamics takes it.
struct ExplicitModel {
  /// What varies by one amplitude, [nodes, 3].
  struct Pattern {
    std::int32_t amplitude = -1;
    std::vector<double> values;
  };
  std::vector<fem::LawMaterial> laws;     // of the materials that elements have
  std::vector<std::int32_t> material_of;  // [elements] into laws
  double damping = 0;                     // per mass
  std::vector<Pattern> loads;
  std::vector<std::int32_t> held;  // degrees of freedom
  std::vector<Pattern> motions;    // of them
};

/// Error(Fault::input) for all that explicit dynamics has not: constraints beyond prescribed values, elements
/// other than solids, materials and loads that it does not compute. start: displacements at the start of the
/// step, [3 nodes], against which prescribed ones may not jump; empty: zero; null: that was seen to before.
ExplicitModel explicit_model(const Setup& setup, const LoadState& loads, const model::Step& step,
                             double start_time, const std::vector<double>* start);

/// Error(Fault::input) where a step that is not explicit would compute with hyperelastic materials.
void refuse_hyperelastic(const Setup& setup, const model::Step& step);

}  // namespace setka::analysis
