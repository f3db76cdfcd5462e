// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/motions_of_parts.hpp"

#include <algorithm>
#include <cstddef>

namespace setka::modes {

/// The structure is symmetric.
std::vector<std::int32_t> parts_of(const sparse::BlockCsr<double>& k) {
  const std::vector<std::int32_t> offset = k.offset().to_vector();
  const std::vector<std::int32_t> column = k.column().to_vector();
  std::vector<std::int32_t> part(static_cast<std::size_t>(k.rows()), -1);
  std::vector<std::int32_t> open;
  std::int32_t count = 0;
  for (std::int32_t first = 0; first < k.rows(); ++first) {
    const auto begin = static_cast<std::size_t>(first);
    if (part[begin] >= 0 || offset[begin + 1] - offset[begin] <= 1) continue;
    part[begin] = count;
    open.push_back(first);
    while (!open.empty()) {
      const auto row = static_cast<std::size_t>(open.back());
      open.pop_back();
      for (std::int32_t at = offset[row]; at < offset[row + 1]; ++at) {
        const std::int32_t next = column[static_cast<std::size_t>(at)];
        std::int32_t& of_next = part[static_cast<std::size_t>(next)];
        if (of_next >= 0) continue;
        of_next = count;
        open.push_back(next);
      }
    }
    ++count;
  }
  return part;
}

Motions motions_of_parts(std::span<const std::int32_t> part, const solve::AmgGeometry& geometry,
                         std::int64_t most) {
  const std::int32_t parts = part.empty() ? 0 : *std::ranges::max_element(part) + 1;
  const std::vector<double> all = geometry.mode.on_host();
  if (parts <= 1 || std::int64_t{parts} * geometry.modes > most) return {geometry.modes, all};
  const auto modes = static_cast<std::size_t>(geometry.modes);
  const std::size_t count = modes * static_cast<std::size_t>(parts);
  const std::size_t rows = all.size() / modes;
  const std::size_t height = rows / part.size();
  Motions motions{static_cast<std::int64_t>(count), std::vector<double>(rows * count, 0.0)};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int32_t own = part[row / height];
    if (own < 0) continue;
    std::copy_n(all.data() + row * modes, modes,
                motions.values.data() + row * count + static_cast<std::size_t>(own) * modes);
  }
  return motions;
}

}  // namespace setka::modes
