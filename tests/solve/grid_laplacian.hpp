// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "setka/sparse/csr.hpp"

namespace setka::test {

/// Heat conduction on a grid by differences: an unknown a point, walls at zero around it (none around a
/// direction of one point). conductivity(x, y, z, direction): between the point and the next one there.
struct GridLaplacian {
  std::array<std::int32_t, 3> points{8, 8, 8};
  std::function<double(int, int, int, int)> conductivity = [](int, int, int, int) { return 1.0; };
  bool walls = true;  // false: singular, for nothing holds the level

  std::int32_t unknowns() const { return points[0] * points[1] * points[2]; }

  sparse::Triplets entries() const {
    sparse::Triplets list;
    list.rows = list.columns = unknowns();
    const auto add = [&](std::int32_t i, std::int32_t j, double value) {
      list.row.push_back(i);
      list.column.push_back(j);
      list.value.push_back(value);
    };
    const std::array<std::int32_t, 3> stride{1, points[0], points[0] * points[1]};
    for (std::int32_t i = 0; i < unknowns(); ++i) {
      const std::array<std::int32_t, 3> at{i % points[0], i / stride[1] % points[1], i / stride[2]};
      for (std::size_t d = 0; d < 3; ++d) {
        const double k = conductivity(at[0], at[1], at[2], static_cast<int>(d));
        const bool last = at[d] + 1 == points[d];
        if (walls && points[d] > 1 && at[d] == 0) add(i, i, k);
        if (last && (!walls || points[d] == 1)) continue;
        add(i, i, k);
        if (last) continue;
        add(i, i + stride[d], -k);
        add(i + stride[d], i, -k);
        add(i + stride[d], i + stride[d], k);
      }
    }
    return list;
  }

  /// [unknowns, 3], in steps of the grid.
  std::vector<double> coordinates() const {
    std::vector<double> places;
    for (std::int32_t z = 0; z < points[2]; ++z) {
      for (std::int32_t y = 0; y < points[1]; ++y) {
        for (std::int32_t x = 0; x < points[0]; ++x) {
          for (const std::int32_t c : {x, y, z}) places.push_back(c);
        }
      }
    }
    return places;
  }
};

}  // namespace setka::test
