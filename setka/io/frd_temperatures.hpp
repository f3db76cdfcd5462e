// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace setka::io {

/// Temperatures of a result file, by the user's numbers of nodes.
struct FrdTemperatures {
  std::vector<std::int32_t> node;
  std::vector<double> value;
  int step = 0;  // of the file, at whose end they are
};

/// Those at the end of a step, or the last ones of an .frd file in text, as Setka and CalculiX write it.
/// Wrong input is an Error(Fault::input) with file, line and remedy: a binary file, no temperatures, no such
/// step, a line that is cut off.
FrdTemperatures read_frd_temperatures(const std::filesystem::path& path, std::optional<int> step = {});

}  // namespace setka::io
