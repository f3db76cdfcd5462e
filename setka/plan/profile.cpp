// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "setka/base/build_info.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"

namespace setka::plan {
namespace {

constexpr double stale_days = 180;
constexpr const char* calibrate = "run setka calibrate";

}  // namespace

double Curve::at(double wanted) const {
  if (wanted <= size.front()) return seconds.front();
  if (wanted >= size.back()) {
    return seconds.back() * wanted / size.back();
  }
  const auto above =
      static_cast<std::size_t>(std::upper_bound(size.begin(), size.end(), wanted) - size.begin());
  const double part = std::log(wanted / size[above - 1]) / std::log(size[above] / size[above - 1]);
  return seconds[above - 1] * std::pow(seconds[above] / seconds[above - 1], part);
}

const Curve& DeviceProfile::curve(const std::string& name) const {
  const auto found = curves.find(name);
  if (found == curves.end() || found->second.empty())
    throw Error(Fault::input, fmt::format("the profile of {} has no measurement of \"{}\"", device, name),
                calibrate);
  return found->second;
}

const DeviceProfile* MachineProfile::find(const std::string& device) const {
  for (const DeviceProfile& one : devices) {
    if (one.device == device) return &one;
  }
  return nullptr;
}

std::string hardware_identity(const exec::Device& device) {
  const exec::DeviceInfo info = device.info();
  std::uint64_t memory = info.total_memory;  // that a run may use, which is no property of the hardware
  for (const exec::DeviceInfo& one : exec::all_devices()) {
    if (one.backend == info.backend && one.ordinal == info.ordinal) memory = one.total_memory;
  }
  return fmt::format("{}, {}, {}", info.name, info.description, format_bytes(memory));
}

std::filesystem::path profile_path() {
  if (const char* path = std::getenv("SETKA_PROFILE"); path != nullptr && *path != '\0') return path;
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config != '\0')
    return std::filesystem::path(config) / "setka" / "profile.json";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::filesystem::path(home) / ".config" / "setka" / "profile.json";
  throw Error(Fault::usage, "no place for the machine's profile: neither HOME nor XDG_CONFIG_HOME is set",
              "set SETKA_PROFILE to the path of the file");
}

std::string why_foreign(const DeviceProfile& profile, const exec::Device& device) {
  const std::string now = hardware_identity(device);
  if (profile.hardware == now) return {};
  return fmt::format("the profile of {} was made on {}, this is {}", profile.device, profile.hardware, now);
}

std::string why_stale(const MachineProfile& machine, const DeviceProfile& profile, std::int64_t now) {
  if (machine.setka != build_info().version)
    return fmt::format("the profile was made by setka {}", machine.setka);
  std::tm parts{};
  if (strptime(profile.date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr)
    return fmt::format("the profile has no date that can be read, but \"{}\"", profile.date);
  const double days = static_cast<double>(now - timegm(&parts)) / 86400;
  if (days > stale_days) return fmt::format("the profile is {:.0f} days old", days);
  return {};
}

std::optional<DeviceProfile> profile_for(const exec::Device& device, std::string& why) {
  const std::filesystem::path path = profile_path();
  const std::optional<MachineProfile> machine = read_profile(path);
  const DeviceProfile* const found = machine ? machine->find(device.label()) : nullptr;
  if (found == nullptr) {
    why = fmt::format("{} has no profile in {}", device.label(), path.string());
    return std::nullopt;
  }
  why = why_foreign(*found, device);
  if (!why.empty()) return std::nullopt;
  if (const std::string stale = why_stale(*machine, *found, std::time(nullptr)); !stale.empty())
    log::warning("{}; {}", stale, calibrate);
  return *found;
}

std::string date_text(std::int64_t seconds_since_1970) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

}  // namespace setka::plan
