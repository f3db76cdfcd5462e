// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plot/heat_map.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "setka/base/error.hpp"
#include "setka/plot/png.hpp"

namespace setka::plot {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

TEST(Png, has_chunks_with_right_sums_and_the_points_inside) {
  Picture picture(3, 2, {9, 8, 7});
  picture.set(2, 1, {1, 2, 3});
  picture.set(3, 0, {1, 2, 3});  // outside
  const std::string bytes = picture.png();
  ASSERT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::vector<std::string> kinds;
  std::string packed;
  for (std::size_t at = 8; at < bytes.size();) {
    const std::uint32_t size = number_at(bytes, at);
    const std::string kind = bytes.substr(at + 4, 4);
    kinds.push_back(kind);
    const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + at + 4), size + 4);
    EXPECT_EQ(number_at(bytes, at + 8 + size), sum) << kind;
    if (kind == "IHDR") {
      EXPECT_EQ(number_at(bytes, at + 8), 3U);
      EXPECT_EQ(number_at(bytes, at + 12), 2U);
    }
    if (kind == "IDAT") packed = bytes.substr(at + 8, size);
    at += 12 + size;
  }
  EXPECT_THAT(kinds, ElementsAre("IHDR", "IDAT", "IEND"));
  std::string rows(20, '\0');
  uLongf size = rows.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size())),
            Z_OK);
  EXPECT_EQ(rows.substr(10), std::string("\x00\x09\x08\x07\x09\x08\x07\x01\x02\x03", 10));
  EXPECT_EQ(size, 20U);
  EXPECT_THROW(Picture(0, 3), Error);
}

TEST(Png, writes_digits) {
  Picture picture(20, 9);
  picture.write(1, 1, "1 -", 1, {0, 0, 0});
  std::string seen;
  for (int y = 0; y < 9; ++y) {
    for (int x = 0; x < 20; ++x) seen += picture.at(x, y)[0] == 0 ? '#' : ' ';
    seen += '\n';
  }
  EXPECT_EQ(seen,
            "                    \n"
            "   #                \n"
            "  ##                \n"
            " # #                \n"
            "   #         #####  \n"
            "   #                \n"
            "   #                \n"
            " #####              \n"
            "                    \n");
}

TEST(HeatColours, grow_lighter_evenly) {
  // Lightness as the eye sees it, from the luminance; 0.22 to 0.96 in Oklab.
  const auto luminance = [](const Colour& colour) {
    const auto linear = [](double c) {
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour[0] / 255.0) + 0.7152 * linear(colour[1] / 255.0) +
           0.0722 * linear(colour[2] / 255.0);
  };
  double before = std::cbrt(luminance(heat_colour(0)));
  for (int i = 1; i <= 20; ++i) {
    const double here = std::cbrt(luminance(heat_colour(i / 20.0)));
    EXPECT_NEAR(here - before, 0.037, 0.02) << i;
    before = here;
  }
  EXPECT_EQ(heat_colour(-1), heat_colour(0));
  EXPECT_EQ(heat_colour(7), heat_colour(1));
}

TEST(HeatMaps, have_round_numbers) {
  EXPECT_THAT(round_numbers(0, 1, 5),
              ElementsAre(0, DoubleEq(0.2), DoubleEq(0.4), DoubleEq(0.6000000000000001), DoubleEq(0.8), 1));
  EXPECT_THAT(round_numbers(-7, 14, 4), ElementsAre(0, 10));
  EXPECT_FALSE(std::signbit(round_numbers(-1, 1, 2)[1]));
  EXPECT_TRUE(round_numbers(3, 3, 4).empty());
  EXPECT_LE(round_numbers(1e300, 1e300 * (1 + 1e-15), 4).size(), 101U);
}

TEST(HeatMaps, show_the_first_row_at_the_bottom) {
  const std::vector<double> values{0, 1, 2, 3, 4, std::numeric_limits<double>::quiet_NaN()};
  HeatMap map;
  map.columns = 2;
  map.rows = 3;
  map.values = values;
  map.to = {2, 3};
  const Picture picture = drawn(map);
  constexpr int left = 108;
  constexpr int top = 36;
  const int height = picture.height() - top - 48;
  EXPECT_EQ(height, 640);
  EXPECT_EQ(picture.at(left + 5, top + height - 5), heat_colour(0));
  EXPECT_EQ(picture.at(left + 400, top + height - 5), heat_colour(0.25));
  EXPECT_EQ(picture.at(left + 5, top + 5), heat_colour(1));
  EXPECT_EQ(picture.at(left + 400, top + 5), (Colour{200, 200, 200}));  // not a number
  map.range = {0, 8};
  EXPECT_EQ(drawn(map).at(left + 5, top + 5), heat_colour(0.5));
  map.rows = 4;
  EXPECT_THROW(drawn(map), Error);
}

TEST(HeatMaps, name_their_axes) {
  const std::vector<double> values{0, 1};
  HeatMap map;
  map.columns = 2;
  map.rows = 1;
  map.values = values;
  const Picture plain = drawn(map);
  map.axes = {"x", "z"};
  const Picture named = drawn(map);
  const auto differ = [&](int from_x, int to_x, int from_y, int to_y) {
    int count = 0;
    for (int y = from_y; y < to_y; ++y) {
      for (int x = from_x; x < to_x; ++x) count += plain.at(x, y) != named.at(x, y) ? 1 : 0;
    }
    return count;
  };
  const int all = differ(0, plain.width(), 0, plain.height());
  const int below = differ(0, plain.width(), plain.height() - 20, plain.height());
  const int above = differ(0, 108, 0, 36);
  EXPECT_EQ(below, 9 * 4);   // the points of an x, each a square of two
  EXPECT_EQ(above, 13 * 4);  // of a z
  EXPECT_EQ(all, below + above);
}

}  // namespace
}  // namespace setka::plot
