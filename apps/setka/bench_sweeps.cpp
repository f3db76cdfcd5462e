// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_sweeps.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

#include "bench/sweeps.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/common.hpp"

namespace setka::app {
namespace {

using bench::SweepsRow;
using nlohmann::ordered_json;

constexpr const char* line = "{:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8} {:>9} {:>9}\n";

/// The second device: the user's, another like the first, or halves of the CPU's team.
std::vector<exec::Device> two_of(const std::vector<exec::Device>& devices, std::string& what) {
  const exec::Device& first = devices.front();
  if (devices.size() > 1) {
    if (!exec::reach_each_other({first, devices[1]})) {
      throw Error(Fault::usage,
                  "bench sweeps shares a grid between two devices that reach each other's memory",
                  "give two GPUs (--devices 0,1) or two CPUs (--devices cpu,cpu)");
    }
    what = fmt::format("{} and {}", first.label(), devices[1].label());
    return {first, devices[1]};
  }
  if (first.is_cuda()) {
    what = fmt::format("{} twice: what it costs to share out, not what a second GPU brings", first.label());
    return {first, exec::Device::cuda(first.ordinal())};
  }
  const int half = std::max(1, first.threads() / 2);
  what = first.threads() > 1 ? fmt::format("two teams of {} on the CPU", half)
                             : "one core twice: what it costs to share out, not what a second device brings";
  return {exec::Device::cpu(half), exec::Device::cpu(half)};
}

std::string ms(double seconds) {
  return fmt::format("{:.4g}", 1e3 * seconds);
}

std::string times(double one_core, double seconds) {
  return fmt::format("{:.3g}x", one_core / seconds);
}

void print_head(const std::string& device, const std::string& two) {
  fmt::print(
      "\nPeriodic sweeps with coefficients of each line, single precision: ms on one core, and how many "
      "times\n"
      "faster {} is; paper's: its three kernels, one thread a line. Step: both axes with constant\n"
      "coefficients against one core; from host memory and back, and resident, with the grid on the\n"
      "devices. Two devices: {}.\n"
      "The paper's (Sweeps): up to 6x over a Core 2 Duo, interleaving 4x; two GTX 470 1.3x over one.\n\n",
      device, two);
  fmt::print(line, "lines", "rows", "1 core", "along", "across", "paper's", "paper's", "step, 1", "host,",
             "host,", "resident,", "resident,");
  fmt::print(line, "", "", "ms", "memory", "(interl)", "along", "across", "core ms", "1 device", "2",
             "1 device", "2");
  std::fflush(stdout);
}

void print(const SweepsRow& row) {
  if (row.skipped.empty()) {
    fmt::print(line, row.lines, row.rows, ms(row.one_core), times(row.one_core, row.fused_along),
               times(row.one_core, row.fused_across), times(row.one_core, row.reference_along),
               times(row.one_core, row.reference_across), ms(row.step_one_core),
               times(row.step_one_core, row.step_one_device), times(row.step_one_core, row.step_two_devices),
               times(row.step_one_core, row.resident_one_device),
               times(row.step_one_core, row.resident_two_devices));
  } else {
    fmt::print("{:>6} {:>6} skipped: {}\n", row.lines, row.rows, row.skipped);
  }
  std::fflush(stdout);
}

ordered_json to_json(const SweepsRow& row) {
  ordered_json json{{"lines", row.lines}, {"rows", row.rows}};
  if (!row.skipped.empty()) {
    json["skipped"] = row.skipped;
    return json;
  }
  json.update({{"one_core_s", row.one_core},
               {"along_s", row.fused_along},
               {"across_s", row.fused_across},
               {"papers_along_s", row.reference_along},
               {"papers_across_s", row.reference_across},
               {"step_one_core_s", row.step_one_core},
               {"step_one_device_s", row.step_one_device},
               {"step_two_devices_s", row.step_two_devices},
               {"resident_one_device_s", row.resident_one_device},
               {"resident_two_devices_s", row.resident_two_devices}});
  return json;
}

}  // namespace

ordered_json bench_sweeps(const std::vector<exec::Device>& devices, bool quick, bool talk,
                          const KeepJson& keep, Monitor& monitor) {
  std::string two;
  const std::vector<exec::Device> pair = two_of(devices, two);
  if (talk) print_head(devices.front().label(), two);
  ordered_json json{{"device", devices.front().label()},
                    {"two_devices", two},
                    {"precision", "single"},
                    {"rows", ordered_json::array()}};
  const auto show = [&](const SweepsRow& row) {
    if (talk) print(row);
    json["rows"].push_back(to_json(row));
    keep(json);
  };
  bench::sweeps_table(devices.front(), pair, quick, show, monitor);
  return json;
}

}  // namespace setka::app
