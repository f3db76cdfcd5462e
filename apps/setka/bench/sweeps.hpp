// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

/// The paper's measurements of periodic sweeps, in single precision as there: over one core, with the values
/// of lines interleaved or not, on one device and on two.
namespace setka::bench {

struct SweepsRow {
  std::int64_t lines = 0;
  std::int64_t rows = 0;
  double one_core = 0;  // seconds of a sweep with coefficients of each line, one after the other
  double fused_along = 0, fused_across = 0;          // the same on the device; across: interleaved
  double reference_along = 0, reference_across = 0;  // by the paper's three kernels

  // A step of LodHeat on [lines, rows] from host memory and back.
  double step_one_core = 0;  // in host memory
  double step_one_device = 0, step_two_devices = 0;
  // With the grid on the devices.
  double resident_one_device = 0, resident_two_devices = 0;
  std::string skipped;
};

using ShowSweeps = std::function<void(const SweepsRow&)>;

/// Seconds that the table may take; repetitions are chosen by what is left.
inline constexpr double sweeps_seconds = 120;

/// two: the devices that share a step.
std::vector<SweepsRow> sweeps_table(const exec::Device& device, const std::vector<exec::Device>& two,
                                    bool quick, const ShowSweeps& show, Monitor& monitor);

}  // namespace setka::bench
