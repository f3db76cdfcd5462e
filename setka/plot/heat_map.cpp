// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plot/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "setka/base/error.hpp"

namespace setka::plot {
namespace {

constexpr int longer_side = 640;
constexpr int least_side = 48;
constexpr int left = 108;
constexpr int right = 190;
constexpr int top = 36;
constexpr int bottom = 48;
constexpr int bar_width = 24;
constexpr int letter = 2;  // points of a letter's point
constexpr Colour ink{40, 40, 40};
constexpr Colour no_number{200, 200, 200};

/// Linear red, green and blue of a colour in Oklab.
std::array<double, 3> linear_rgb(double lightness, double a, double b) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

std::uint8_t shown(double linear) {
  const double part = std::clamp(linear, 0.0, 1.0);
  const double value = part <= 0.0031308 ? 12.92 * part : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * value));
}

std::array<double, 2> range_of(const HeatMap& map) {
  if (map.range) return *map.range;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : map.values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high)) return {0, 1};
  if (low < high) return {low, high};
  const double room = low == 0 ? 1 : 0.5 * std::abs(low);
  return {low - room, high + room};
}

/// How many points the two sides of the map have.
std::array<int, 2> size_of(const HeatMap& map) {
  const double width = map.to[0] - map.from[0];
  const double height = map.to[1] - map.from[1];
  const double scale = longer_side / std::max(width, height);
  const auto points = [&](double length) {
    return std::clamp(static_cast<int>(std::lround(scale * length)), least_side, longer_side);
  };
  return {points(width), points(height)};
}

}  // namespace

Colour heat_colour(double part) {
  const double t = std::clamp(part, 0.0, 1.0);
  const double lightness = 0.22 + 0.74 * t;
  const double hue = (295 - 190 * t) * std::numbers::pi / 180;
  // Nearly as much colour as a screen can show at each lightness, without a corner on the way.
  const double chroma = 0.09 + 0.12 * (t - 0.42) * (t - 0.42);
  const auto rgb = linear_rgb(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
  return {shown(rgb[0]), shown(rgb[1]), shown(rgb[2])};
}

std::vector<double> round_numbers(double low, double high, int count) {
  std::vector<double> numbers;
  const double rough = (high - low) / count;
  if (!(rough > 0) || !std::isfinite(rough)) return numbers;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough * 0.99) step = factor * power;
  }
  const double slack = 1e-9 * (high - low);
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i) {
    numbers.push_back(i * step + 0.0);  // no minus before a zero
    if (numbers.size() > 100) break;    // where the numbers are too close for their size to be told apart
  }
  return numbers;
}

Picture drawn(const HeatMap& map) {
  require(map.columns > 0 && map.rows > 0 &&
              static_cast<std::int64_t>(map.values.size()) == map.columns * map.rows,
          [&] {
            return fmt::format("a heat map of {} x {} cells has {} values", map.columns, map.rows,
                               map.values.size());
          });
  const auto [width, height] = size_of(map);
  const auto [low, high] = range_of(map);
  Picture picture(left + width + right, top + height + bottom);
  picture.fill(left - 1, top - 1, width + 2, height + 2, ink);
  for (int y = 0; y < height; ++y) {
    const std::int64_t row = (height - 1 - y) * map.rows / height;
    for (int x = 0; x < width; ++x) {
      const std::int64_t column = x * map.columns / width;
      const double value = map.values[static_cast<std::size_t>(row * map.columns + column)];
      picture.set(left + x, top + y,
                  std::isfinite(value) ? heat_colour((value - low) / (high - low)) : no_number);
    }
  }
  const int bar = left + width + 24;
  picture.fill(bar - 1, top - 1, bar_width + 2, height + 2, ink);
  for (int y = 0; y < height; ++y)
    picture.fill(bar, top + y, bar_width, 1, heat_colour((height - 0.5 - y) / height));
  const auto text_of = [](double number) { return fmt::format("{:.4g}", number); };
  const auto at_height = [&, points = height](double part) {
    return top + static_cast<int>(std::lround((1 - part) * (points - 1)));
  };
  const int most = std::max(1, height / 64);
  for (const double number : round_numbers(low, high, most)) {
    const int y = at_height((number - low) / (high - low));
    picture.fill(bar + bar_width, y, 6, 1, ink);
    picture.write(bar + bar_width + 10, y - 3 * letter, text_of(number), letter, ink);
  }
  for (const double number : round_numbers(map.from[1], map.to[1], most)) {
    const int y = at_height((number - map.from[1]) / (map.to[1] - map.from[1]));
    const std::string text = text_of(number);
    picture.fill(left - 7, y, 6, 1, ink);
    picture.write(left - 10 - Picture::text_width(text, letter), y - 3 * letter, text, letter, ink);
  }
  for (const double number : round_numbers(map.from[0], map.to[0], std::max(1, width / 110))) {
    const double part = (number - map.from[0]) / (map.to[0] - map.from[0]);
    const int x = left + static_cast<int>(std::lround(part * (width - 1)));
    const std::string text = text_of(number);
    picture.fill(x, top + height + 1, 1, 6, ink);
    picture.write(x - Picture::text_width(text, letter) / 2, top + height + 12, text, letter, ink);
  }
  picture.write(left, 10, map.label, letter, ink);
  picture.write(left + (width - Picture::text_width(map.axes[0], letter)) / 2, top + height + 30, map.axes[0],
                letter, ink);
  picture.write(left - 30, 10, map.axes[1], letter, ink);
  return picture;
}

}  // namespace setka::plot
