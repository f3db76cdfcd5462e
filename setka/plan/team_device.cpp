// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/team_device.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::plan {
namespace {

/// Two vectors read and one written.
constexpr double saxpy_bytes = 3 * 8;

/// None where there is no file, or no place for one.
std::optional<MachineProfile> calibrated() {
  std::filesystem::path path;
  try {
    path = profile_path();
  } catch (const Error&) {
    return std::nullopt;
  }
  return read_profile(path);
}

}  // namespace

std::span<const TeamDevice> known_team_devices() {
  // benchmarks/results/h200/exec.json: axpy of 2^28 values, and the launch of a small operation.
  static const std::array<TeamDevice, 1> known{
      {{"h200", "NVIDIA H200", "2026-11-15", true, 4.05e12, 5.0e-6}}};
  return known;
}

TeamDevice team_device(const DeviceProfile& profile) {
  const Curve& saxpy = profile.curve("saxpy");
  return {profile.device,
          profile.hardware,
          profile.date,
          profile.device.starts_with("cuda"),
          saxpy_bytes * saxpy.size.back() / saxpy.seconds.back(),
          profile.launch};
}

TeamDevice find_team_device(const std::string& name) {
  const std::span<const TeamDevice> known = known_team_devices();
  for (const TeamDevice& device : known) {
    if (device.name == name) return device;
  }
  std::vector<std::string> names;
  for (const TeamDevice& device : known) names.push_back(device.name);
  if (const std::optional<MachineProfile> machine = calibrated()) {
    for (const DeviceProfile& profile : machine->devices) {
      if (name.empty() ? profile.device.starts_with("cuda") : profile.device == name)
        return team_device(profile);
      names.push_back(profile.device);
    }
  }
  if (name.empty()) return known.front();
  throw Error(Fault::usage, fmt::format("the rates of a device {} are not known", name),
              fmt::format("give {}, or measure others by setka calibrate", join_words(names, "or")));
}

std::optional<std::vector<double>> shares_of(std::span<const exec::Device> devices, std::string& why) {
  std::vector<double> shares;
  if (std::ranges::none_of(devices, &exec::Device::is_cuda)) {
    for (const exec::Device& device : devices) shares.push_back(device.threads());
    return shares;
  }
  const bool alike = std::ranges::all_of(devices, [&](const exec::Device& device) {
    return device.is_cuda() && device.info().name == devices.front().info().name;
  });
  if (alike) return std::vector<double>(devices.size(), 1.0);
  for (const exec::Device& device : devices) {
    // A team of CPU threads has its share of what all of them were measured to do.
    const exec::Device whole = device.is_cuda() ? device : exec::Device::cpu();
    const std::optional<DeviceProfile> profile = profile_for(whole, why);
    if (!profile) return std::nullopt;
    const double part = device.is_cuda() ? 1.0 : static_cast<double>(device.threads()) / whole.threads();
    shares.push_back(part * team_device(*profile).memory);
  }
  return shares;
}

Transfer usual_link(bool gpu) {
  return gpu ? Transfer{10e-6, 200e9} : Transfer{2e-6, 10e9};
}

}  // namespace setka::plan
