// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plot/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/output_file.hpp"
#include "setka/io/vtk_data.hpp"
#include "setka/plot/detail/plot_scale.hpp"

namespace setka::plot {
namespace {

using detail::PlotScale;
using io::xml_escaped;

// Told apart on white, in grey and by the colour-blind.
constexpr std::array<std::string_view, 8> colours = {"#0b6fb8", "#d1495b", "#2e8b57", "#e08e0b",
                                                     "#7b4fa3", "#00979d", "#8c5a2b", "#555555"};
constexpr std::string_view ink = "#222222";
constexpr std::string_view grid_colour = "#e3e6ea";
constexpr std::string_view axis_colour = "#9aa1a9";

// Pixels.
constexpr double left_margin = 78;
constexpr double right_margin = 22;
constexpr double title_height = 34;
constexpr double legend_row = 20;
constexpr double bottom_margin = 52;
constexpr double character_width = 6.6;  // about, of the 12 pixel font
constexpr double swatch = 30;
constexpr double pixels_per_tick = 95;
constexpr double pixels_per_row_of_ticks = 60;

/// Of UTF-8: bytes that begin a character.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

struct Range {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  void add(double value) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
};

struct Pixel {
  double x;
  double y;
};

/// The points that a line needs: within one column of pixels its first, lowest, highest and last one, in
/// their order.
std::vector<Pixel> thinned(const std::vector<Pixel>& points) {
  constexpr double columns_per_pixel = 2;
  std::vector<Pixel> kept;
  for (std::size_t begin = 0; begin < points.size();) {
    const double column = std::floor(points[begin].x * columns_per_pixel);
    std::size_t end = begin + 1;
    while (end < points.size() && std::floor(points[end].x * columns_per_pixel) == column) ++end;
    const auto by_y = [&](const Pixel& a, const Pixel& b) { return a.y < b.y; };
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto past = points.begin() + static_cast<std::ptrdiff_t>(end);
    const auto [low, high] = std::minmax_element(first, past, by_y);
    std::array<std::ptrdiff_t, 4> chosen = {0, low - first, high - first, past - first - 1};
    std::ranges::sort(chosen);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (i == 0 || chosen[i] != chosen[i - 1]) kept.push_back(first[chosen[i]]);
    }
    begin = end;
  }
  return kept;
}

class Panel {
 public:
  Panel(const Plot& plot, double top, int number) : plot_(plot), number_(number) {
    for (const PlotSeries& series : plot.series) {
      require(series.x.size() == series.y.size(), [&] {
        return fmt::format("plot: '{}' has {} x and {} y", series.label, series.x.size(), series.y.size());
      });
    }
    place_legend();
    left_ = left_margin;
    right_ = std::max(left_ + 40, plot.width - right_margin);
    top_ = top + (plot.title.empty() ? 14 : title_height) + legend_rows_ * legend_row;
    bottom_ = std::max(top_ + 40, top + plot.height - bottom_margin);
    title_y_ = top + 22;
  }

  void append(std::string& text) const {
    const auto [x, y] = scales();
    append_axes(text, x, y);
    append_legend(text);
    fmt::format_to(std::back_inserter(text),
                   // In <defs>: viewers by Qt draw it otherwise, all black.
                   "<defs><clipPath id=\"area{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                   "height=\"{:.1f}\"/></clipPath></defs>\n<g clip-path=\"url(#area{})\">\n",
                   number_, left_ - 1, top_ - 1, right_ - left_ + 2, bottom_ - top_ + 2, number_);
    for (std::size_t i = 0; i < plot_.series.size(); ++i) append_series(text, i, x, y);
    text += "</g>\n";
  }

 private:
  struct Scales {
    PlotScale x;
    PlotScale y;
  };

  Scales scales() const {
    Range x;
    Range y;
    const PlotScale any_x(plot_.x, 1, 2, 0, 1, 2);
    const PlotScale any_y(plot_.y, 1, 2, 0, 1, 2);
    for (const PlotSeries& series : plot_.series) {
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!any_x.can_show(series.x[i]) || !any_y.can_show(series.y[i])) continue;
        x.add(series.x[i]);
        y.add(series.y[i]);
      }
    }
    return {
        {plot_.x, x.lowest, x.highest, left_, right_, static_cast<int>((right_ - left_) / pixels_per_tick)},
        {plot_.y, y.lowest, y.highest, bottom_, top_,
         static_cast<int>((bottom_ - top_) / pixels_per_row_of_ticks)}};
  }

  void place_legend() {
    double at = left_margin;
    for (const PlotSeries& series : plot_.series) {
      if (series.label.empty()) {
        legend_.push_back({0, -1});
        continue;
      }
      const double width = swatch + character_width * static_cast<double>(characters(series.label)) + 14;
      if (legend_rows_ == 0) legend_rows_ = 1;
      if (at > left_margin && at + width > plot_.width - right_margin) {
        ++legend_rows_;
        at = left_margin;
      }
      legend_.push_back({at, static_cast<double>(legend_rows_ - 1)});
      at += width;
    }
  }

  void append_text(std::string& text, double x, double y, std::string_view anchor, int size,
                   std::string_view words, std::string_view more = "") const {
    fmt::format_to(std::back_inserter(text),
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" "
                   "fill=\"{}\"{}>{}</text>\n",
                   x, y, anchor, size, ink, more, xml_escaped(words));
  }

  void append_line(std::string& text, double x1, double y1, double x2, double y2,
                   std::string_view colour) const {
    fmt::format_to(std::back_inserter(text),
                   "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
                   x2, y2, colour);
  }

  static std::string with_factor(const std::string& label, const PlotScale& scale) {
    if (scale.factor().empty()) return label;
    return fmt::format("{}{}×{}", label, label.empty() ? "" : "  ", scale.factor());
  }

  void append_axes(std::string& text, const PlotScale& x, const PlotScale& y) const {
    for (const detail::PlotTick& tick : x.ticks()) {
      const double at = x.pixel(tick.at);
      append_line(text, at, top_, at, bottom_, grid_colour);
      if (!tick.label.empty()) append_text(text, at, bottom_ + 18, "middle", 12, tick.label);
    }
    for (const detail::PlotTick& tick : y.ticks()) {
      const double at = y.pixel(tick.at);
      append_line(text, left_, at, right_, at, grid_colour);
      if (!tick.label.empty()) append_text(text, left_ - 8, at + 4, "end", 12, tick.label);
    }
    append_line(text, left_, bottom_, right_, bottom_, axis_colour);
    append_line(text, left_, top_, left_, bottom_, axis_colour);
    if (!plot_.title.empty())
      append_text(text, left_, title_y_, "start", 15, plot_.title, " font-weight=\"bold\"");
    append_text(text, (left_ + right_) / 2, bottom_ + 40, "middle", 13, with_factor(plot_.x.label, x));
    const double middle = (top_ + bottom_) / 2;
    append_text(text, 20, middle, "middle", 13, with_factor(plot_.y.label, y),
                fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle));
  }

  void append_legend(std::string& text) const {
    const double top = top_ - legend_rows_ * legend_row;
    for (std::size_t i = 0; i < legend_.size(); ++i) {
      if (legend_[i].y < 0) continue;
      const double x = legend_[i].x;
      const double y = top + legend_[i].y * legend_row + 5;
      append_mark(text, i, {{x, y}, {x + swatch - 8, y}}, {{x + (swatch - 8) / 2, y}});
      append_text(text, x + swatch - 2, y + 4, "start", 12, plot_.series[i].label);
    }
  }

  /// The stroke through line and the dots at points, as the mark of the series wants them.
  void append_mark(std::string& text, std::size_t series, const std::vector<Pixel>& line,
                   const std::vector<Pixel>& points) const {
    const std::string_view colour = colours[series % colours.size()];
    const PlotMark mark = plot_.series[series].mark;
    auto out = std::back_inserter(text);
    if (mark != PlotMark::points && line.size() > 1) {
      out = fmt::format_to(out,
                           "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" "
                           "stroke-linejoin=\"round\"{} points=\"",
                           colour, mark == PlotMark::dashes ? " stroke-dasharray=\"7 4\"" : "");
      for (const Pixel& p : line) out = fmt::format_to(out, "{:.1f},{:.1f} ", p.x, p.y);
      text.pop_back();
      text += "\"/>\n";
    }
    // A piece of a line that is one point would not be seen.
    if (mark == PlotMark::points || mark == PlotMark::line_and_points || line.size() == 1) {
      for (const Pixel& p : points) {
        out = fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", p.x, p.y,
                             colour);
      }
    }
  }

  void append_series(std::string& text, std::size_t index, const PlotScale& x, const PlotScale& y) const {
    // Far outside the area a point need not be exact, and some viewers cannot draw it.
    constexpr double far = 1e5;
    const PlotSeries& series = plot_.series[index];
    std::vector<Pixel> piece;
    const auto draw = [&] {
      if (!piece.empty()) append_mark(text, index, thinned(piece), piece);
      piece.clear();
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (x.can_show(series.x[i]) && y.can_show(series.y[i])) {
        piece.push_back(
            {std::clamp(x.pixel(series.x[i]), -far, far), std::clamp(y.pixel(series.y[i]), -far, far)});
      } else {
        draw();
      }
    }
    draw();
  }

  const Plot& plot_;
  int number_;
  int legend_rows_ = 0;
  std::vector<Pixel> legend_;  // where each begins: pixel and row; row -1: none
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  double title_y_ = 0;
};

}  // namespace

std::string svg_plot(std::span<const Plot> plots) {
  int width = 0;
  int height = 0;
  for (const Plot& plot : plots) {
    require(plot.width > 0 && plot.height > 0,
            [&] { return fmt::format("a plot of {} x {} pixels", plot.width, plot.height); });
    width = std::max(width, plot.width);
    height += plot.height;
  }
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"{}\" height=\"{}\" fill=\"white\"/>\n",
      width, height, width, height, width, height);
  double top = 0;
  int number = 0;
  for (const Plot& plot : plots) {
    Panel(plot, top, number++).append(text);
    top += plot.height;
  }
  return text + "</svg>\n";
}

void write_svg_plot(const std::filesystem::path& path, std::span<const Plot> plots) {
  io::OutputFile file(path);
  file.write(svg_plot(plots));
  file.commit();
}

}  // namespace setka::plot
