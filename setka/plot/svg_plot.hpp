// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

/// Line plots as SVG: axes with ticks at round numbers, grid, legend. No font, script or style sheet from
/// outside is needed to show them.
namespace setka::plot {

struct PlotAxis {
  std::string label;  // with its unit: "frequency, Hz"
  bool logarithmic = false;
  /// Limits; where to <= from they are those of the data, the linear ones widened to round numbers.
  double from = 0;
  double to = 0;
};

enum class PlotMark { line, dashes, points, line_and_points };

/// One curve or cloud of points. Values that are not finite, or not positive on a logarithmic axis, are gaps.
struct PlotSeries {
  std::string label;      // in the legend; none where it is empty
  std::vector<double> x;  // as many as y
  std::vector<double> y;
  PlotMark mark = PlotMark::line;
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  int width = 760;   // pixels
  int height = 420;  // of this plot, with its title, legend and labels
};

/// The text of an SVG file with the plots below one another, each as wide as it asks. A line with more points
/// than the picture has columns is drawn by the extremes of each column, so that files stay small.
std::string svg_plot(std::span<const Plot> plots);

/// The same in a file, which appears when it is whole.
void write_svg_plot(const std::filesystem::path& path, std::span<const Plot> plots);

inline std::string svg_plot(const Plot& plot) {
  return svg_plot(std::span(&plot, 1));
}
inline void write_svg_plot(const std::filesystem::path& path, const Plot& plot) {
  write_svg_plot(path, std::span(&plot, 1));
}

}  // namespace setka::plot
