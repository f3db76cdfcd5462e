// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/plan/formulas.hpp"

/// Steps of heat, term by term as setka/grid/heat_steps.cpp makes them.
namespace setka::plan {
namespace {

using grid::HeatAxis;
using grid::HeatScheme;

/// One step that is being added up.
struct Step {
  const DeviceProfile& profile;
  const std::vector<HeatAxis>& axes;
  int value_bytes;
  const HeatFields& fields;
  Cost cost{};

  double cells() const {
    double count = 1;
    for (const HeatAxis& axis : axes) count *= static_cast<double>(axis.nodes);
    return count;
  }

  /// u, what the scheme needs beside it, the fields, and three coefficients a cell and axis.
  void holds(HeatScheme scheme) {
    int arrays = scheme == HeatScheme::lod ? 1 : 2;
    arrays += int{fields.diffusivity} + int{fields.reaction} + int{fields.source};
    if (fields.in_rows() && scheme != HeatScheme::explicit_euler) arrays += 3 * static_cast<int>(axes.size());
    std::uint64_t count = 1;
    for (const HeatAxis& axis : axes) count *= static_cast<std::uint64_t>(axis.nodes);
    cost.device_bytes = count * static_cast<std::uint64_t>(value_bytes) * static_cast<std::uint64_t>(arrays);
  }

  /// y += a x.
  double addition() const { return profile.curve("saxpy").at(cells() * value_bytes / 8); }

  void sweep(std::size_t axis) {
    const std::int64_t rows = axes[axis].nodes;
    const auto lines = static_cast<std::int64_t>(cells()) / rows;
    std::int64_t stride = 1;  // from row to row
    for (std::size_t k = axis + 1; k < axes.size(); ++k) stride *= axes[k].nodes;
    const bool along = axis + 1 == axes.size();
    const SweepShape shape{lines,
                           rows,
                           along,
                           !fields.in_rows(),
                           axes[axis].ends == grid::Ends::periodic,
                           along ? rows : stride};
    const grid::SweepMethod method =
        fused_fits(profile, shape, value_bytes) ? grid::SweepMethod::fused : grid::SweepMethod::split;
    const Cost one = sweep_cost(profile, shape, method, value_bytes);
    cost.add(fmt::format("axis {}: {}", axis, one.terms.front().what), one.seconds());
  }

  void change(std::string what, bool of_all_axes) {
    const std::string name = change_curve(axes.size(), fields, of_all_axes);
    // Uniform cells go row by row at the pace of memory; others are taken to cost the same in any precision.
    const bool by_rows = !fields.in_rows() && axes.size() > 1;
    const double size = by_rows ? cells() * value_bytes / 8 : cells();
    double seconds = profile.curve(name).at(size);
    // Fields that the curves are without are one more array to read, a third of the traffic of an addition.
    const int more = int{fields.source} + int{fields.reaction};
    seconds += more * addition() / 3;
    cost.add(std::move(what), seconds);
  }

  /// What sides supply is added to the ends of lines before an implicit sweep.
  void sides(std::size_t axis) {
    if (!grid::detail::supplies(axes[axis])) return;
    const double ends = 2 * cells() / static_cast<double>(axes[axis].nodes);
    const Curve& curve = profile.curve(change_curve(2, {}, false));
    cost.add(fmt::format("axis {}: sides", axis), curve.at(ends));
  }
};

}  // namespace

std::string change_curve(std::size_t axes, const HeatFields& fields, bool of_all_axes) {
  if (!fields.in_rows() && of_all_axes && axes > 1) return axes == 3 ? "explicit 3" : "explicit";
  // Of cells that differ, what is done with the axes matters less than how many there are.
  if (axes == 3) return "change 3 of fields";
  return fields.diffusivity ? "change 2 of fields" : "change 2";
}

Cost lod_step(const DeviceProfile& profile, const std::vector<HeatAxis>& axes, int value_bytes,
              const HeatFields& fields) {
  Step step{profile, axes, value_bytes, fields};
  step.holds(HeatScheme::lod);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (fields.source) step.cost.add(fmt::format("axis {}: source", k), step.addition());
    step.sides(k);
    step.sweep(k);
  }
  return step.cost;
}

Cost peaceman_rachford_step(const DeviceProfile& profile, const std::vector<HeatAxis>& axes, int value_bytes,
                            const HeatFields& fields) {
  require(axes.size() == 2, "peaceman_rachford_step: the scheme has two axes");
  Step step{profile, axes, value_bytes, fields};
  step.holds(HeatScheme::peaceman_rachford);
  step.change("right-hand side of axis 1", false);
  step.sweep(0);
  step.change("right-hand side of axis 0", false);
  step.sweep(1);
  return step.cost;
}

Cost douglas_step(const DeviceProfile& profile, const std::vector<HeatAxis>& axes, int value_bytes,
                  const HeatFields& fields) {
  Step step{profile, axes, value_bytes, fields};
  step.holds(HeatScheme::douglas);
  step.change("change of all axes", true);
  for (std::size_t k = 0; k < axes.size(); ++k) step.sweep(k);
  step.cost.add("addition", step.addition());
  return step.cost;
}

Cost explicit_step(const DeviceProfile& profile, const std::vector<HeatAxis>& axes, int value_bytes,
                   const HeatFields& fields) {
  Step step{profile, axes, value_bytes, fields};
  step.holds(HeatScheme::explicit_euler);
  step.change("explicit step", true);
  return step.cost;
}

Cost heat_step(const DeviceProfile& profile, HeatScheme scheme, const std::vector<HeatAxis>& axes,
               int value_bytes, const HeatFields& fields) {
  switch (scheme) {
    case HeatScheme::peaceman_rachford:
      return peaceman_rachford_step(profile, axes, value_bytes, fields);
    case HeatScheme::douglas:
      return douglas_step(profile, axes, value_bytes, fields);
    case HeatScheme::explicit_euler:
      return explicit_step(profile, axes, value_bytes, fields);
    default:
      return lod_step(profile, axes, value_bytes, fields);
  }
}

}  // namespace setka::plan
