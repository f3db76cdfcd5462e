// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/lines.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::grid {

Lines Lines::along(int axis, std::initializer_list<std::int64_t> extents) {
  const auto axes = static_cast<int>(extents.size());
  require(axis >= 0 && axis < axes, [&] {
    return fmt::format("Lines::along: axis {} of a grid of {} axes; the first is 0", axis, axes);
  });
  Lines lines;
  int at = 0;
  for (const std::int64_t extent : extents) {
    require(extent >= 0,
            [&] { return fmt::format("Lines::along: axis {} has {} values; give 0 or more", at, extent); });
    (at < axis ? lines.outer : at == axis ? lines.rows : lines.inner) *= at == axis ? 1 : extent;
    if (at == axis) lines.rows = extent;
    ++at;
  }
  lines.inner_stride = 1;
  lines.row_stride = lines.inner;
  lines.outer_stride = lines.inner * lines.rows;
  return lines;
}

std::int64_t Lines::span() const {
  if (count() == 0 || rows == 0) return 0;
  return (outer - 1) * outer_stride + (rows - 1) * row_stride + (inner - 1) * inner_stride + 1;
}

}  // namespace setka::grid
