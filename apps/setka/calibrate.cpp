// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "calibrate.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include <fmt/core.h>

#include "calibrate_decks.hpp"
#include "cli.hpp"
#include "json.hpp"
#include "ranks.hpp"
#include "setka/base/build_info.hpp"
#include "setka/base/text.hpp"
#include "setka/base/time_budget.hpp"
#include "setka/plan/calibrate.hpp"
#include "setka/plan/calibrate_ranks.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;
using plan::DeviceProfile;

double gigabytes(const plan::Transfer& transfer) {
  return 1e-9 * transfer.rate;
}

void print(const DeviceProfile& profile) {
  const plan::Curve& add = profile.curve("add");
  const plan::Curve& stencil = profile.curve("stencil");
  fmt::print("{}: {}\n", profile.device, profile.hardware);
  fmt::print("  a launch                     {}\n", format_seconds(profile.launch));
  fmt::print("  to the device, from it       {:.3g}, {:.3g} GB/s\n", gigabytes(profile.up),
             gigabytes(profile.down));
  fmt::print("  the same, pinned memory      {:.3g}, {:.3g} GB/s; both at once {:.3g} GB/s each\n",
             gigabytes(profile.up_pinned), gigabytes(profile.down_pinned), 1e-9 * profile.both_pinned);
  fmt::print("  addition of vectors          {} values/s, {} a call\n",
             format_count(add.size.back() / add.seconds.back()), format_count(add.size.back()));
  fmt::print("  sweep of a stencil           {} nodes/s\n",
             format_count(stencil.size.back() / stencil.seconds.back()));
  std::size_t of_decks = 0;
  for (const auto& [name, curve] : profile.curves) of_decks += name.starts_with("deck ") ? 1 : 0;
  fmt::print("  stages of decks              {} curves\n", of_decks);
  fmt::print("  measured in                  {}\n", format_seconds(profile.took));
}

/// Of grids, one time for the machine: beside GPUs, which have more points, a CPU gets a third of it. Alone
/// it leaves room for its decks.
double seconds_for(const exec::Device& device, const std::vector<exec::Device>& all) {
  const auto gpus = std::count_if(all.begin(), all.end(), [](const auto& one) { return one.is_cuda(); });
  if (gpus == 0) return plan::calibration_seconds - deck_calibration_seconds(device);
  const double of_the_cpu = gpus == std::ssize(all) ? 0 : plan::calibration_seconds / 3;
  return device.is_cuda() ? (plan::calibration_seconds - of_the_cpu) / static_cast<double>(gpus) : of_the_cpu;
}

}  // namespace

cli::App* add_calibrate_command(cli::App& cli, CalibrateOptions& options) {
  cli::App* command = cli.add_subcommand("calibrate", "Measure this machine, for plans and choices");
  command->add_flag("--quick", options.quick, "The smallest sizes alone: to see that all works");
  command
      ->add_option("-o,--output", options.output,
                   "The profile to write [default: $SETKA_PROFILE, else ~/.config/setka/profile.json]")
      ->type_name("FILE");
  command->footer(
      "\nTakes less than 30 s; nothing else is to run meanwhile. The CPU is measured as well when a GPU is\n"
      "chosen. Profiles of other devices in the file are kept. mpirun -n 2 setka calibrate measures "
      "processes.");
  return command;
}

namespace {

/// Under mpirun: processes alone, beside what the profile has of devices.
int calibrate_processes(const CalibrateOptions& options, const CommonOptions& common, Monitor& monitor) {
  plan::MachineProfile machine;
  machine.setka = build_info().version;
  machine.ranks = plan::calibrate(*ranks()->transport(), monitor);
  const std::filesystem::path path =
      options.output.empty() ? plan::profile_path() : std::filesystem::path(options.output);
  if (!speaks_not()) plan::write_profile(path, machine);
  const plan::RankProfile& measured = *machine.ranks;
  if (common.json) {
    fmt::print("{}\n", json_text(ordered_json{{"profile", path.string()},
                                              {"processes", measured.processes},
                                              {"product_s_per_entry", measured.product},
                                              {"latency_s", measured.link.latency},
                                              {"bytes_per_s", measured.link.rate}}));
  } else {
    fmt::print("{} processes: {}\n", measured.processes, measured.hardware);
    fmt::print("  products, all busy           {:.3g} ns an entry of a matrix\n", 1e9 * measured.product);
    fmt::print("  a message                    {}, {:.3g} GB/s\n", format_seconds(measured.link.latency),
               gigabytes(measured.link));
    fmt::print("written: {}\n", path.string());
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace

int run_calibrate(const CalibrateOptions& options, const CommonOptions& common, const DeviceOptions& device,
                  Monitor& monitor) {
  if (ranks() != nullptr) return calibrate_processes(options, common, monitor);
  std::vector<exec::Device> devices = device.select();
  if (devices.front().is_cuda() && !device.named()) devices.push_back(exec::Device::cpu(device.threads));
  plan::MachineProfile machine;
  machine.setka = build_info().version;
  for (const exec::Device& one : devices) {
    if (machine.find(one.label()) != nullptr) continue;
    const TimeBudget time(plan::calibration_seconds, 1);
    plan::DeviceProfile profile = plan::calibrate(one, options.quick, monitor, seconds_for(one, devices));
    calibrate_decks(one, options.quick, monitor, deck_calibration_seconds(one), profile);
    profile.took = time.spent();
    machine.devices.push_back(std::move(profile));
  }
  const std::filesystem::path path =
      options.output.empty() ? plan::profile_path() : std::filesystem::path(options.output);
  plan::write_profile(path, machine);
  if (common.json) {
    ordered_json json{{"profile", path.string()}, {"devices", ordered_json::array()}};
    for (const DeviceProfile& profile : machine.devices)
      json["devices"].push_back({{"device", profile.device},
                                 {"hardware", profile.hardware},
                                 {"took_s", profile.took},
                                 {"launch_s", profile.launch},
                                 {"up_pinned_bytes_per_s", profile.up_pinned.rate},
                                 {"down_pinned_bytes_per_s", profile.down_pinned.rate},
                                 {"both_pinned_bytes_per_s", profile.both_pinned}});
    if (common.timings) json["timings"] = app::to_json(monitor.times());
    fmt::print("{}\n", json_text(json));
  } else {
    for (const DeviceProfile& profile : machine.devices) print(profile);
    fmt::print("written: {}\n", path.string());
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
