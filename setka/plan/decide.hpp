// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "setka/grid/heat_steps.hpp"
#include "setka/plan/formulas.hpp"

/// Choices that a run makes, from the formulas: each way with its time and memory, the chosen one and why.
namespace setka::plan {

/// The height with the least time a sweep among those that fit, of many tried in the model.
grid::PyramidLayout best_pyramid(const DeviceProfile& profile, const grid::StationaryHeat& heat,
                                 int value_bytes, std::uint64_t memory, grid::PyramidShape shape,
                                 bool pinned = true);

/// Jacobi's sweeps in pyramids of a layout.
Choice pyramid_choice(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                      const grid::PyramidLayout& layout, std::int64_t sweeps, bool pinned = true);

/// Jacobi's sweeps: all of the grid on the device, or pyramids of planes from the host. memory: bytes that
/// may be taken on the device.
Decision decide_stationary(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                           std::int64_t sweeps, std::uint64_t memory, bool pinned = true);

/// Which of the ways of sweep(): fused, then split. What the profile has no curve for is lacking.
Decision decide_sweep(const DeviceProfile& profile, const SweepShape& shape, int value_bytes);

/// Heat up to a time: implicit steps of that length (LOD, and the schemes of second order), or as many
/// explicit ones as stability asks for. In this order: LOD, explicit, Peaceman and Rachford's where there are
/// two axes, Douglas's. What the profile has no curve for is lacking.
Decision decide_heat(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes, int value_bytes,
                     double step, std::int64_t steps, std::uint64_t memory, const HeatFields& fields = {});

/// The fields that a problem has, with the longest explicit step, which is found on the device.
HeatFields fields_of(const exec::Device& device, const grid::HeatProblem& problem);

/// The scheme's place among the choices of decide_heat().
std::optional<std::size_t> choice_of(const Decision& decision, grid::HeatScheme scheme);

}  // namespace setka::plan
