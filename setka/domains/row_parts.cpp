// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/row_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace setka::domains {
namespace {

exec::Link& link_to(RowsOfPart& part, int with) {
  const auto at = std::ranges::lower_bound(part.links, with, {}, &exec::Link::with);
  if (at != part.links.end() && at->with == with) return *at;
  return *part.links.insert(at, exec::Link{with, {}, 0});
}

}  // namespace

std::vector<RowsOfPart> rows_of_parts(std::span<const std::int32_t> owner, std::span<const std::int8_t> inner,
                                      std::vector<std::vector<std::int32_t>> needed) {
  std::vector<RowsOfPart> parts(needed.size());
  std::vector<std::int32_t> local(owner.size());  // place among the rows of its part
  for (const bool with_others : {false, true}) {
    for (std::size_t row = 0; row < owner.size(); ++row) {
      if ((inner[row] == 0) != with_others) continue;
      RowsOfPart& part = parts[static_cast<std::size_t>(owner[row])];
      local[row] = static_cast<std::int32_t>(part.rows.size());
      part.rows.push_back(static_cast<std::int32_t>(row));
      if (!with_others) ++part.inner;
    }
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    std::vector<std::int32_t>& ghosts = parts[p].ghosts = std::move(needed[p]);
    const auto place = [&](std::int32_t row) { return std::pair(owner[static_cast<std::size_t>(row)], row); };
    std::ranges::sort(ghosts, {}, place);
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
    for (const std::int32_t ghost : ghosts) {
      const std::int32_t from = owner[static_cast<std::size_t>(ghost)];
      ++link_to(parts[p], from).receive;
      link_to(parts[static_cast<std::size_t>(from)], static_cast<int>(p))
          .send.push_back(local[static_cast<std::size_t>(ghost)]);
    }
  }
  return parts;
}

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
