// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/device.hpp"
#include "setka/grid/heat.hpp"
#include "setka/grid/sweep.hpp"

/// What steps of LodHeat on several devices have in common.
namespace setka::grid::detail {

/// Where share `number` of `count` begins.
inline std::int64_t share_begin(std::int64_t all, std::int64_t number, std::int64_t count) {
  return all * number / count;
}

inline void check_shared_heat(const std::string& who, const std::vector<exec::Device>& devices,
                              const std::vector<HeatAxis>& axes, double step) {
  require(!devices.empty(), [&] { return fmt::format("{}: no device; give one or more", who); });
  check_heat_axes(who.c_str(), axes, step);
  for (const HeatAxis& axis : axes) {
    require(!supplies(axis),
            [&] { return fmt::format("{}: an end of an axis supplies heat; use LodHeat", who); });
  }
}

/// One axis of a step of LOD.
template <class T>
void sweep_shared_axis(const exec::Device& device, const std::vector<HeatAxis>& axes, std::size_t axis,
                       double step, exec::View<T> u) {
  SweepOptions options;
  options.periodic = axes[axis].ends == Ends::periodic;
  sweep<T>(device, lines_along(axes, axis), implicit_rows<T>(axes[axis], step), u, u, options);
}

}  // namespace setka::grid::detail
