// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
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

/// y = A x, in the calling thread and in the order of the rows.
void multiply(const SymmetricCsr& a, std::span<const double> x, std::span<double> y);

}  // namespace setka::sparse
