// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "earlier_results.hpp"

#include <system_error>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::app {
EarlierResults::EarlierResults(const std::filesystem::path& stem, const std::vector<std::string>& endings) {
  for (const std::string& ending : endings) {
    std::filesystem::path path = stem;
    path += ending;
    std::error_code absent;
    const auto written = std::filesystem::last_write_time(path, absent);
    if (!absent) entries_.push_back({path, written});
  }
}

void EarlierResults::remove(const io::InputFiles& inputs) const {
  for (const Entry& entry : entries_) {
    if (inputs.hold(entry.path)) continue;
    std::error_code reason;
    std::filesystem::remove(entry.path, reason);
    if (reason)
      throw Error(Fault::resource, fmt::format("{} of an earlier run cannot be removed: {}",
                                               entry.path.string(), reason.message()));
  }
}

std::vector<std::filesystem::path> EarlierResults::unchanged() const {
  std::vector<std::filesystem::path> found;
  for (const Entry& entry : entries_) {
    std::error_code absent;
    const auto written = std::filesystem::last_write_time(entry.path, absent);
    if (!absent && written == entry.written) found.push_back(entry.path);
  }
  return found;
}

}  // namespace setka::app
