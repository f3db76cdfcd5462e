// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plot/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"

namespace setka::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The words of all texts whose anchor this is: x labels are in the middle, y labels at the end.
std::vector<std::string> texts(const std::string& svg, const std::string& anchor) {
  const std::regex pattern("text-anchor=\"" + anchor + R"x(" font-size="12"[^>]*>([^<]*)</text>)x");
  std::vector<std::string> words;
  for (std::sregex_iterator i(svg.begin(), svg.end(), pattern), end; i != end; ++i)
    words.push_back((*i)[1].str());
  return words;
}

/// Of the so-manyth line. By hand: regular expressions of the library overflow the stack on long texts.
std::vector<std::array<double, 2>> points_of(const std::string& svg, int line) {
  const std::string begins = "points=\"";
  std::size_t at = svg.find(begins);
  for (; line > 0; --line) at = svg.find(begins, at + 1);
  at += begins.size();
  std::istringstream list(svg.substr(at, svg.find('"', at) - at));
  std::vector<std::array<double, 2>> points;
  char comma = 0;
  for (std::array<double, 2> point{}; list >> point[0] >> comma >> point[1];) points.push_back(point);
  return points;
}

int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

Plot line(std::vector<double> x, std::vector<double> y) {
  Plot plot;
  plot.series.push_back({"", std::move(x), std::move(y)});
  return plot;
}

TEST(SvgPlot, TicksAreRoundNumbersThatHoldTheData) {
  const std::string svg = svg_plot(line({0, 3.7}, {-1.2, 2.9}));
  EXPECT_THAT(texts(svg, "middle"),
              ElementsAre("0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"));
  EXPECT_THAT(texts(svg, "end"), ElementsAre("-2", "-1", "0", "1", "2", "3"));
}

TEST(SvgPlot, GivenLimitsAreKept) {
  Plot plot = line({0, 3.7}, {0, 1});
  plot.x.from = 1;
  plot.x.to = 3;
  const auto points = points_of(svg_plot(plot), 0);
  EXPECT_LT(points.front()[0], 78);  // drawn beyond the area, which clips it
  EXPECT_GT(points.back()[0], 738);
}

TEST(SvgPlot, WhatClipsIsADefinition) {  // viewers by Qt draw all else
  const std::string svg = svg_plot(line({0, 1}, {0, 1}));
  const std::size_t clip = svg.find("<clipPath");
  ASSERT_NE(clip, std::string::npos);
  EXPECT_LT(svg.rfind("<defs>", clip),
            svg.rfind("</defs>", clip) == std::string::npos ? clip : std::size_t{0});
  EXPECT_LT(svg.find("</clipPath>"), svg.find("</defs>", clip));
  EXPECT_EQ(svg.find("<clipPath", clip + 1), std::string::npos);
}

TEST(SvgPlot, TinyAndHugeValuesHaveAFactor) {
  const std::string svg = svg_plot(line({0, 1}, {0, 4e-7}));
  EXPECT_THAT(svg, HasSubstr("×10⁻⁷"));
  EXPECT_THAT(texts(svg, "end"), ElementsAre("0", "1", "2", "3", "4"));
}

TEST(SvgPlot, LogarithmicAxesHaveDecades) {
  Plot plot = line({0.1, 1, 1000}, {1e-9, 1, 1e6});
  plot.x.logarithmic = plot.y.logarithmic = true;
  const std::string svg = svg_plot(plot);
  EXPECT_THAT(texts(svg, "middle"), ElementsAre("0.1", "1", "10", "100", "1000"));
  EXPECT_THAT(texts(svg, "end"), ElementsAre("10⁻⁸", "10⁻⁶", "10⁻⁴", "0.01", "1", "100", "10000", "10⁶"));
  // A quarter of the decades is a quarter of the way.
  const auto points = points_of(svg, 0);
  EXPECT_NEAR((points[1][0] - points[0][0]) / (points[2][0] - points[0][0]), 0.25, 1e-3);
}

TEST(SvgPlot, WhatHasNoPlaceIsAGap) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(count(svg_plot(line({0, 1, 2, 3, 4}, {1, 2, nan, 2, 1})), "<polyline"), 2);
  Plot plot = line({0, 1, 2, 3}, {1, 2, 3, 4});
  plot.x.logarithmic = true;
  EXPECT_EQ(points_of(svg_plot(plot), 0).size(), 3U);
}

TEST(SvgPlot, MarksAreDrawnAsAsked) {
  Plot plot;
  plot.series.push_back({"measured", {1, 2, 3}, {1, 2, 3}, PlotMark::points});
  plot.series.push_back({"theory", {1, 2, 3}, {1, 2, 3}, PlotMark::dashes});
  const std::string svg = svg_plot(plot);
  EXPECT_EQ(count(svg, "<circle"), 4);    // one in the legend
  EXPECT_EQ(count(svg, "<polyline"), 2);  // likewise
  EXPECT_EQ(count(svg, "dasharray"), 2);
  EXPECT_THAT(svg, HasSubstr(">measured</text>"));
}

TEST(SvgPlot, LongLinesAreThinnedAndKeepTheirExtremes) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 200000; ++i) {
    x.push_back(i);
    y.push_back(std::sin(0.01 * i));
  }
  y[123456] = 7;  // one sample of 200 thousand
  const std::string svg = svg_plot(line(x, y));
  EXPECT_LT(svg.size(), 120000U);
  double top = 1e9;
  for (const auto& point : points_of(svg, 0)) top = std::min(top, point[1]);
  const auto spike = points_of(svg_plot(line({0, 123456, 199999}, {-1, 7, 0})), 0)[1];
  EXPECT_NEAR(top, spike[1], 0.11);
}

TEST(SvgPlot, WordsAreEscaped) {
  Plot plot = line({0, 1}, {0, 1});
  plot.title = "a < b & \"c\"\x01";
  const std::string svg = svg_plot(plot);
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot; <"));
  EXPECT_THAT(svg, Not(HasSubstr("a < b")));
}

TEST(SvgPlot, NothingAConstantAndInfinitiesCanBeDrawn) {
  for (const bool logarithmic : {false, true}) {
    for (const auto& values : {std::vector<double>{},
                               {5, 5},
                               {0, 0},
                               {-1, -1},
                               {1e308, -1e308},
                               {1e-308, 1e-320},
                               {1e299, -1e299},
                               {1e-299, 1e299}}) {
      Plot plot = line(values, values);
      plot.x.logarithmic = plot.y.logarithmic = logarithmic;
      const std::string svg = svg_plot(plot);
      EXPECT_THAT(svg, Not(HasSubstr("nan"))) << values.size();
      EXPECT_THAT(svg, Not(HasSubstr("inf"))) << values.size();
      EXPECT_GE(count(svg, "<text"), 4);
    }
  }
}

TEST(SvgPlot, WrongSizesAreRefused) {
  EXPECT_THAT(
      [] {
        svg_plot(line({0, 1}, {0}));
      },
      testing::ThrowsMessage<Error>(HasSubstr("has 2 x and 1 y")));
  Plot plot;
  plot.height = 0;
  EXPECT_THAT([&] { svg_plot(plot); }, testing::ThrowsMessage<Error>(HasSubstr("760 x 0 pixels")));
}

TEST(SvgPlot, PanelsStandBelowOneAnother) {
  const test::ScratchFolder folder;
  const std::array plots = {line({0, 1}, {0, 1}), line({0, 1}, {0, 1})};
  write_svg_plot(folder / "two.svg", plots);
  const std::string svg = test::content(folder / "two.svg");
  EXPECT_THAT(svg, HasSubstr("height=\"840\""));
  EXPECT_NEAR(points_of(svg, 1)[0][1] - points_of(svg, 0)[0][1], 420, 0.2);
}

}  // namespace
}  // namespace setka::plot
