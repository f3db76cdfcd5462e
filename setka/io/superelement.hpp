// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace setka::io {

/// The stiffness of a part over the degrees of freedom that were retained.
struct SuperelementMatrix {
  std::vector<std::int32_t> node;       // [dofs] the user's numbers
  std::vector<std::int32_t> direction;  // [dofs] 1..3
  std::vector<double> lower;            // entry (i, j <= i) is number i (i + 1) / 2 + j
};

/// The .mtx file of CalculiX: a linear *USER ELEMENT as Abaqus reads it, in which each degree of freedom has
/// a node of its own, and the nodes in comments. Thirteen digits.
void write_superelement(const std::filesystem::path& path, const SuperelementMatrix& matrix);

/// The same in. What is no such file is an Error(Fault::input) with its line.
SuperelementMatrix read_superelement(const std::filesystem::path& path);

}  // namespace setka::io
