// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/row_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace setka::domains {

std::int64_t RowParts::scalar_rows() const {
  std::int64_t rows = 0;
  for (const RowsOfPart& part : parts_) rows += static_cast<std::int64_t>(part.rows.size());
  return block_ * rows;
}

std::vector<RowsChosen> RowParts::by_part(std::span<const std::int32_t> rows) const {
  std::vector<std::pair<std::int32_t, std::size_t>> wanted;  // block row, and place in the list
  wanted.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) wanted.emplace_back(rows[i] / block_, i);
  std::ranges::sort(wanted);
  std::vector<RowsChosen> chosen(parts_.size());
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    const std::vector<std::int32_t>& own = parts_[p].rows;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::pair<std::int32_t, std::size_t> first{own[i], 0};
      for (auto at = std::ranges::lower_bound(wanted, first); at != wanted.end() && at->first == own[i];
           ++at) {
        chosen[p].place.push_back(at->second);
        chosen[p].row.push_back(block_ * static_cast<std::int32_t>(i) + rows[at->second] % block_);
      }
    }
  }
  return chosen;
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
