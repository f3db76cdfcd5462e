// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace setka::sparse {

/// A symmetric matrix of which the upper triangle, diagonal included, is stored by rows; columns of a row
/// ascend.
struct SymmetricCsr {
  std::int32_t rows = 0;
  std::vector<std::int64_t> offset{0};  // [rows + 1]
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::int64_t stored() const { return offset.back(); }
};

}  // namespace setka::sparse
