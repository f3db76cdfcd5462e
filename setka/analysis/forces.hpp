// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"

namespace setka::analysis {

/// Forces on the solids' nodes, [3 nodes], in global axes.
struct Forces {
  std::vector<double> applied;  // point loads, pressures, gravity, rotation
  std::vector<double>
      strains;  // of thermal and initial strains and stresses: what keeps them from deforming the body
};

/// The factor of a load, by its amplitude and whether it belongs to the imaginary part.
using LoadFactor = std::function<double(std::int32_t amplitude, bool imaginary)>;

/// Point loads, pressures, gravity, rotation and attraction, each by its factor; loads of factor zero are
/// left out. moved: [3 solid nodes] where masses attract each other from; empty: nothing has moved.
std::vector<double> applied_forces(const Setup& setup, const LoadState& loads, const ElementState& state,
                                   const LoadFactor& factor, std::span<const double> moved = {});

Forces forces_at(const Setup& setup, const LoadState& loads, const ElementState& state, double step_time,
                 double total_time);

/// Whether temperatures of a step strain some material, which not every kind of step computes.
bool has_thermal_strains(const Setup& setup, const LoadState& loads);

}  // namespace setka::analysis
