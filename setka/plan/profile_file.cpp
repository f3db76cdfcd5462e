// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "setka/base/error.hpp"
#include "setka/io/output_file.hpp"
#include "setka/plan/profile.hpp"

namespace setka::plan {
namespace {

using nlohmann::ordered_json;

constexpr int format_version = 1;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw Error(Fault::input, fmt::format("the machine's profile cannot be used: {}", what),
              "run setka calibrate, which writes a new one", {path.string(), 0});
}

ordered_json to_json(const Transfer& transfer) {
  return {{"latency_s", transfer.latency}, {"bytes_per_s", transfer.rate}};
}

Transfer transfer_from(const ordered_json& json) {
  return {json.at("latency_s").get<double>(), json.at("bytes_per_s").get<double>()};
}

ordered_json to_json(const DeviceProfile& profile) {
  ordered_json json{{"device", profile.device},
                    {"hardware", profile.hardware},
                    {"date", profile.date},
                    {"took_s", profile.took},
                    {"launch_s", profile.launch},
                    {"threads_at_once", profile.threads_at_once},
                    {"overlaps", profile.overlaps},
                    {"up", to_json(profile.up)},
                    {"down", to_json(profile.down)},
                    {"up_pinned", to_json(profile.up_pinned)},
                    {"down_pinned", to_json(profile.down_pinned)},
                    {"both_pinned_bytes_per_s", profile.both_pinned}};
  for (const auto& [name, curve] : profile.curves)
    json["curves"][name] = {{"size", curve.size}, {"seconds", curve.seconds}};
  if (!profile.corrections.empty()) json["corrections"] = profile.corrections;
  return json;
}

/// Sizes ascend and all is positive and finite: what at() counts on.
bool is_sound(const Curve& curve) {
  if (curve.size.empty() || curve.size.size() != curve.seconds.size()) return false;
  for (std::size_t i = 0; i < curve.size.size(); ++i) {
    if (!(curve.size[i] > 0 && curve.size[i] < 1e18 && curve.seconds[i] > 0 && curve.seconds[i] < 1e9))
      return false;
    if (i > 0 && curve.size[i] <= curve.size[i - 1]) return false;
  }
  return true;
}

DeviceProfile device_from(const ordered_json& json, const std::filesystem::path& path) {
  DeviceProfile profile;
  profile.device = json.at("device").get<std::string>();
  profile.hardware = json.at("hardware").get<std::string>();
  profile.date = json.at("date").get<std::string>();
  profile.took = json.value("took_s", 0.0);
  profile.launch = json.at("launch_s").get<double>();
  profile.threads_at_once = json.at("threads_at_once").get<double>();
  profile.overlaps = json.at("overlaps").get<bool>();
  profile.up = transfer_from(json.at("up"));
  profile.down = transfer_from(json.at("down"));
  profile.up_pinned = transfer_from(json.at("up_pinned"));
  profile.down_pinned = transfer_from(json.at("down_pinned"));
  profile.both_pinned = json.at("both_pinned_bytes_per_s").get<double>();
  for (const double rate : {profile.up.rate, profile.down.rate, profile.up_pinned.rate,
                            profile.down_pinned.rate, profile.both_pinned, profile.threads_at_once}) {
    if (!(rate > 0)) refuse(path, fmt::format("a rate of {} is {}", profile.device, rate));
  }
  for (const auto& [name, curve] : json.at("curves").items()) {
    Curve read{curve.at("size").get<std::vector<double>>(), curve.at("seconds").get<std::vector<double>>()};
    if (!is_sound(read)) refuse(path, fmt::format("the curve \"{}\" of {} is broken", name, profile.device));
    profile.curves[name] = std::move(read);
  }
  if (json.contains("corrections"))
    profile.corrections = json.at("corrections").get<std::map<std::string, double>>();
  for (const auto& [stage, factor] : profile.corrections) {
    if (!(factor > 0 && factor < 1e6))
      refuse(path, fmt::format("the correction of \"{}\" of {} is {}", stage, profile.device, factor));
  }
  return profile;
}

ordered_json to_json(const RankProfile& profile) {
  return {{"processes", profile.processes},
          {"hardware", profile.hardware},
          {"date", profile.date},
          {"product_s_per_entry", profile.product},
          {"link", to_json(profile.link)}};
}

RankProfile ranks_from(const ordered_json& json, const std::filesystem::path& path) {
  RankProfile profile;
  profile.processes = json.at("processes").get<int>();
  profile.hardware = json.at("hardware").get<std::string>();
  profile.date = json.at("date").get<std::string>();
  profile.product = json.at("product_s_per_entry").get<double>();
  profile.link = transfer_from(json.at("link"));
  if (!(profile.product > 0 && profile.link.rate > 0 && profile.link.latency >= 0))
    refuse(path, "a rate of its processes is not above 0");
  return profile;
}

}  // namespace

std::optional<MachineProfile> read_profile(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  try {
    const ordered_json json = ordered_json::parse(text.str());
    if (const int version = json.at("format").get<int>(); version != format_version)
      refuse(path, fmt::format("its format is {}, not {}", version, format_version));
    MachineProfile machine;
    machine.setka = json.at("setka").get<std::string>();
    for (const ordered_json& device : json.at("devices"))
      machine.devices.push_back(device_from(device, path));
    if (json.contains("ranks")) machine.ranks = ranks_from(json.at("ranks"), path);
    return machine;
  } catch (const ordered_json::exception& error) {
    refuse(path, error.what());
  }
}

void write_profile(const std::filesystem::path& path, const MachineProfile& profile) {
  MachineProfile all = profile;
  try {
    if (const std::optional<MachineProfile> old = read_profile(path)) {
      for (const DeviceProfile& device : old->devices) {
        if (all.find(device.device) == nullptr) all.devices.push_back(device);
      }
      if (!all.ranks) all.ranks = old->ranks;
    }
  } catch (const Error&) {  // a broken file: the new one takes its place
  }
  ordered_json json{{"format", format_version}, {"setka", all.setka}, {"devices", ordered_json::array()}};
  for (const DeviceProfile& device : all.devices) json["devices"].push_back(to_json(device));
  if (all.ranks) json["ranks"] = to_json(*all.ranks);
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  io::OutputFile file(path.string());
  file.write(json.dump(1) + "\n");
  file.commit();
}

}  // namespace setka::plan
