// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// What of a grid [planes, width] each of several devices does.
namespace setka::grid {

/// From first on, up to last and without it.
struct Share {
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t count() const { return last - first; }
};

/// Share `number` of `count`.
inline Share share_of(std::int64_t all, std::int64_t number, std::int64_t count) {
  return {all * number / count, all * (number + 1) / count};
}

/// The same of columns, in groups of whole cache lines: two devices write into none together.
inline Share columns_of(std::int64_t width, std::int64_t number, std::int64_t count) {
  constexpr std::int64_t group = 32;
  const Share groups = share_of((width + group - 1) / group, number, count);
  return {std::min(groups.first * group, width), std::min(groups.last * group, width)};
}

/// Where the values of each device's planes end.
inline std::vector<std::int64_t> ends_of_planes(std::int64_t planes, std::int64_t width, std::size_t count) {
  std::vector<std::int64_t> ends;
  const auto devices = static_cast<std::int64_t>(count);
  for (std::int64_t d = 0; d < devices; ++d) ends.push_back(share_of(planes, d, devices).last * width);
  return ends;
}

}  // namespace setka::grid
