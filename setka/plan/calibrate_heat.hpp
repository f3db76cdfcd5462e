// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/plan/formulas.hpp"
#include "setka/plan/meter.hpp"
#include "setka/plan/profile.hpp"

/// The part of a calibration that steps of heat are made of. Points are listed first, so that their number is
/// known when time is shared out.
namespace setka::plan {

/// One pass from u to the next u.
struct ChangePoint {
  int axes;
  std::int64_t side;
  bool fields;       // diffusivity of cells
  bool of_all_axes;  // else of one
};
std::vector<ChangePoint> change_points(std::int64_t max_cells);
void measure_changes(Meter& meter, const std::vector<ChangePoint>& points, DeviceProfile& profile);

struct SweepPoint {
  SweepShape shape;
  grid::SweepMethod method;
};
std::vector<SweepPoint> sweep_points(const exec::Device& device, std::int64_t max_values);
void measure_sweeps(Meter& meter, const std::vector<SweepPoint>& points, DeviceProfile& profile);

}  // namespace setka::plan
