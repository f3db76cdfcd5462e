// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/row_parts.hpp"

#include <cstddef>

namespace setka::domains {

std::int64_t RowParts::scalar_rows() const {
  std::int64_t rows = 0;
  for (const RowsOfPart& part : parts_) rows += static_cast<std::int64_t>(part.rows.size());
  return block_ * rows;
}

std::vector<double> RowParts::values_of(int p, std::span<const double> all, int width) const {
  const auto n = static_cast<std::size_t>(width);
  std::vector<double> values;
  values.reserve(n * part(p).rows.size());
  for (const std::int32_t row : part(p).rows) {
    const auto block = all.subspan(n * static_cast<std::size_t>(row), n);
    values.insert(values.end(), block.begin(), block.end());
  }
  return values;
}

}  // namespace setka::domains
