// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for grid_case_toml.cpp in a build without toml++.
#include "setka/base/error.hpp"
#include "setka/io/grid_case.hpp"

namespace setka::io {

using model::GridCase;

bool can_read_grid_cases() {
  return false;
}

GridCase read_grid_case_text(std::string_view, const std::filesystem::path& file) {
  throw Error(
      Fault::usage, "case files cannot be read: this Setka was built without toml++",
      "install libtomlplusplus-dev, or configure with -DSETKA_TOMLPLUSPLUS_INCLUDE=FOLDER, and build again",
      {file.string(), 0});
}

GridCase read_grid_case(const std::filesystem::path& path) {
  return read_grid_case_text("", path);
}

}  // namespace setka::io
