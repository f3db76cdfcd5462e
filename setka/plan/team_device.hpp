// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/plan/profile.hpp"
#include "setka/plan/team_formulas.hpp"

namespace setka::plan {

/// A device of which there would be several, and where its rates are from.
struct TeamDevice {
  std::string name;      // "h200", "cuda:0"
  std::string hardware;  // "NVIDIA H200"
  std::string date;      // of the measurement
  bool gpu = false;
  double memory = 1;  // as in TeamMachine
  double launch = 0;

  TeamMachine machine(const Transfer& link) const { return {memory, launch, link}; }
};

/// Those whose rates Setka knows without a calibration, by what was measured on them.
std::span<const TeamDevice> known_team_devices();

/// A device that `setka calibrate` measured.
TeamDevice team_device(const DeviceProfile& profile);

/// By its name, of those that are known or calibrated; Error(Fault::usage) that lists them for another. The
/// record of another machine serves as well as that of this one. Without a name: the first GPU that was
/// calibrated, else the first of the known ones.
TeamDevice find_team_device(const std::string& name);

/// How much of the work each of these devices is to have: CPUs by their threads, GPUs of one name the same,
/// others by the rates of their memories as they were calibrated. Nothing where one was not, and `why` says
/// so.
std::optional<std::vector<double>> shares_of(std::span<const exec::Device> devices, std::string& why);

/// Between two GPUs by NVLink, in one direction; between teams of CPU threads the memory.
Transfer usual_link(bool gpu);

}  // namespace setka::plan
