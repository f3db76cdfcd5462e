// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "own_command.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"

namespace setka::app {

ScratchFolder::ScratchFolder(const std::string& name) {
  std::string path = (std::filesystem::temp_directory_path() / ("setka-" + name + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr)
    throw Error(Fault::resource, fmt::format("no folder {} can be made", path),
                "set TMPDIR to one with room");
  path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::optional<nlohmann::ordered_json> run_own_command(const std::string& arguments,
                                                      const std::filesystem::path& profile) {
  throw_if_interrupted();
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string environment = profile.empty() ? "" : fmt::format("SETKA_PROFILE='{}' ", profile.string());
  const std::string command = fmt::format("{}'{}' {} 2>/dev/null", environment, self.string(), arguments);
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error(Fault::resource, "no process can be started", "end other programs");
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), got);
  if (pclose(pipe) != 0) return std::nullopt;
  auto made = nlohmann::ordered_json::parse(text, nullptr, false);
  return made.is_discarded() ? std::nullopt : std::optional(std::move(made));
}

std::string as_arguments(const DeviceOptions& device) {
  std::string words = fmt::format("--backend {}", device.backend);
  if (device.threads > 0) words += fmt::format(" --threads {}", device.threads);
  for (std::size_t i = 0; i < device.names.size(); ++i)
    words += (i == 0 ? " --devices " : ",") + device.names[i];
  return words;
}

}  // namespace setka::app
