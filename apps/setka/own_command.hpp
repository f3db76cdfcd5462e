// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "command_line.hpp"

namespace setka::app {

/// A folder for temporary files that is gone with it.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// This program with other arguments, in a process of its own, as users run it: memory that nobody has
/// touched, and all that it takes to start. What it prints as JSON; nothing where it fails. profile: that
/// the process reads; empty: the usual one.
std::optional<nlohmann::ordered_json> run_own_command(const std::string& arguments,
                                                      const std::filesystem::path& profile = {});

/// The options that name a device, as arguments.
std::string as_arguments(const DeviceOptions& device);

}  // namespace setka::app
