// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/input_files.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "setka/base/error.hpp"

namespace setka::io {
namespace {

namespace fs = std::filesystem;

/// As far as it exists; the name as it is where even that fails.
fs::path resolved(const fs::path& path) {
  std::error_code reason;
  const fs::path whole = fs::absolute(path, reason);
  fs::path found = fs::weakly_canonical(reason ? path : whole, reason);
  return reason ? path.lexically_normal() : found;
}

bool same_file(const fs::path& one, const fs::path& other) {
  std::error_code reason;
  const bool same = fs::equivalent(one, other, reason);
  return reason ? resolved(one) == resolved(other) : same;
}

}  // namespace

bool InputFiles::hold(const fs::path& file) const {
  return std::ranges::any_of(files_, [&](const fs::path& input) { return same_file(file, input); });
}

void InputFiles::refuse(const fs::path& output, const std::string& remedy) const {
  for (const fs::path& input : files_) {
    if (same_file(output, input))
      throw Error(
          Fault::usage,
          fmt::format("the output {} would overwrite {}, which is read", output.string(), input.string()),
          remedy);
  }
}

void InputFiles::refuse_as_outputs(const std::vector<OutputName>& outputs, const std::string& remedy) const {
  for (const OutputName& output : outputs) {
    if (output.path.empty()) continue;
    if (!output.is_series()) {
      refuse(output.path, remedy);
      continue;
    }
    for (const fs::path& file : files_of_series(output)) refuse(file, remedy);
    for (const fs::path& input : files_) {  // and those that are not there yet
      const fs::path name = input.filename();
      if (output.holds(name.string())) refuse(output.path.parent_path() / name, remedy);
    }
  }
}

}  // namespace setka::io
