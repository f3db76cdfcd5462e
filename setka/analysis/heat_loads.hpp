// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "setka/analysis/load_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// A time of a heat step; what has no amplitude is there at once, or grows in proportion to the time of a
/// steady step.
struct HeatTime {
  double step_time = 1;
  double total_time = 1;
  double share = 1;  // of what such loads grow by, from the step before
};

/// Of the heat that nodes, faces and bodies take in what grows and falls as one: that of an amplitude, or
/// that of none, as it was before the step or as it is in it.
struct HeatSource {
  std::int32_t amplitude = -1;
  bool before = false;
  bool operator<(const HeatSource& other) const {
    return std::pair(amplitude, before) < std::pair(other.amplitude, other.before);
  }
};
std::vector<HeatSource> heat_sources(const LoadState& loads);
double factor_of(const HeatSource& source, const LoadState& loads, const HeatTime& time);

/// At a factor of one, [solid nodes]. of_elements: [elements] whether theirs is wanted; empty: that of all.
std::vector<double> heat_of(const HeatSource& source, const Setup& setup, const LoadState& loads, int threads,
                            std::span<const std::int8_t> of_elements = {});

/// The temperature that is prescribed at a time. before: where the step began.
double prescribed_temperature(const LoadState& loads, const model::PrescribedValue& value, double before,
                              const HeatTime& time);

/// A film or a radiating face with its values at a time: it gives off h (T - sink) + r (T^4 - far^4), both
/// temperatures of the last term absolute.
struct FaceLoss {
  std::int32_t element;
  std::int32_t face;
  double h = 0;
  double sink = 0;
  double r = 0;
  double far = 0;
  double emissivity = 0;  // of a face of a cavity
  double around = 0;      // there: the temperature outside, absolute
};
std::vector<FaceLoss> face_losses(const Setup& setup, const LoadState& loads, const HeatTime& time);

/// The amplitudes that they follow, ascending.
std::vector<std::int32_t> amplitudes_of_losses(const LoadState& loads);

}  // namespace setka::analysis
