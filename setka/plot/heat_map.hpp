// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/plot/png.hpp"

namespace setka::plot {

/// From dark blue (0) to light yellow (1): lightness grows evenly as the eye sees it (in Oklab), so that
/// equal differences look equal, also without colours. Beyond the ends it stays.
Colour heat_colour(double part);

/// Round numbers within [low, high], about `count` of them.
std::vector<double> round_numbers(double low, double high, int count);

/// Values of cells of a rectangle, [rows, columns], the last index fastest and along the picture's width, the
/// first row at the bottom.
struct HeatMap {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::span<const double> values;
  std::array<double, 2> from{0, 0};  // lower left corner
  std::array<double, 2> to{1, 1};
  std::optional<std::array<double, 2>> range;  // of colours; none: of the values
  std::string label;                           // above the map; numbers only, as "t = 0.5"
  std::array<std::string, 2> axes;             // names of the one along and the one up: x, y or z
};

/// The map with numbers along its sides and a bar of colours.
Picture drawn(const HeatMap& map);

}  // namespace setka::plot
