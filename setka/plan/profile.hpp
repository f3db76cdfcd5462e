// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "setka/exec/device.hpp"

/// What `setka calibrate` measured, from which plans are made.
namespace setka::plan {

/// Seconds of one call over its size, as measured at some sizes. Between them the logarithm of the time is
/// linear in that of the size; below the first it is the first; beyond the last it grows as the size.
struct Curve {
  std::vector<double> size;  // ascending
  std::vector<double> seconds;

  bool empty() const { return size.empty(); }
  double at(double wanted) const;
};

struct Transfer {
  double latency = 0;  // seconds
  double rate = 1;     // bytes a second

  double seconds(double bytes) const { return latency + bytes / rate; }
};

/// One device. Times of device operations are those of calls in a row, launch included.
struct DeviceProfile {
  std::string device;          // "cpu", "cuda:0"
  std::string hardware;        // what it was: a profile of other hardware is not for this one
  std::string date;            // of the measurement, 2026-11-15T22:00:00Z
  double took = 0;             // seconds of the calibration; 0: not known
  double launch = 0;           // seconds of a loop over one value, with others before and after it
  double threads_at_once = 1;  // num of the paper's formulas
  bool overlaps = false;       // transfers go on while it computes
  Transfer up, down;           // plain host memory, to the device and from it
  Transfer up_pinned, down_pinned;
  double both_pinned = 1;  // bytes a second each way when both ways are in use

  /// By name; double precision. "add", "saxpy": values; "border": width of a square; "stencil":
  /// nodes; "explicit", "change ...": cells (see change_curve()); "sweep ... R": lines of R rows (see
  /// sweep_curve()); "deck ...": see deck_formulas.hpp.
  std::map<std::string, Curve> curves;

  /// Of stages of decks: what measured times were over predicted ones, where past runs were reviewed.
  std::map<std::string, double> corrections;

  /// Throws Error(Fault::input) that asks for a new calibration when there is none of that name.
  const Curve& curve(const std::string& name) const;
};

/// Processes that compute together, by mpirun -n N setka calibrate.
struct RankProfile {
  int processes = 0;     // that were measured
  std::string hardware;  // of the first one's machine
  std::string date;
  double product = 1;  // seconds of an entry of a matrix in a product by one, while all are busy
  Transfer link = {};  // between two of them
};

struct MachineProfile {
  std::string setka;  // version that measured
  std::vector<DeviceProfile> devices;
  std::optional<RankProfile> ranks = std::nullopt;

  const DeviceProfile* find(const std::string& device) const;
};

/// Name, threads or multiprocessors, and memory of a device: what a profile must agree with.
std::string hardware_identity(const exec::Device& device);

/// Where the profile is: $SETKA_PROFILE, else setka/profile.json in $XDG_CONFIG_HOME or ~/.config.
std::filesystem::path profile_path();

/// Nothing when there is no file; Error(Fault::input) that names the file when it cannot be understood.
std::optional<MachineProfile> read_profile(const std::filesystem::path& path);

/// Devices and processes that the file has and this profile has not stay in it. A file that cannot be read is
/// replaced.
void write_profile(const std::filesystem::path& path, const MachineProfile& profile);

/// Why the profile is not to be used for the device as it is now ("was made on ..."); empty: it is.
std::string why_foreign(const DeviceProfile& profile, const exec::Device& device);

/// What speaks for a new calibration ("is 120 days old"); empty: nothing. now: seconds since 1970.
std::string why_stale(const MachineProfile& machine, const DeviceProfile& profile, std::int64_t now);

/// The profile of the device: from the file when it is there and of this hardware, with a warning in the log
/// when it is stale; else nothing, and `why` says what is wrong.
std::optional<DeviceProfile> profile_for(const exec::Device& device, std::string& why);

/// "2026-11-15T22:00:00Z"
std::string date_text(std::int64_t seconds_since_1970);

}  // namespace setka::plan
