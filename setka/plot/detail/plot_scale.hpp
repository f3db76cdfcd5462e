// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/plot/svg_plot.hpp"

namespace setka::plot::detail {

struct PlotTick {
  double at = 0;
  std::string label;  // empty: a line of the grid alone
};

/// An axis laid over pixels, with its ticks.
class PlotScale {
 public:
  /// lowest, highest: of the data that can be shown; lowest > highest where there is none. begin, end: pixels
  /// of the axis. ticks: about how many there is room for.
  PlotScale(const PlotAxis& axis, double lowest, double highest, double begin, double end, int ticks);

  /// Whether a value has a place on it, inside the limits or not.
  bool can_show(double value) const;
  double pixel(double value) const;

  const std::vector<PlotTick>& ticks() const { return ticks_; }
  /// "10⁻⁶" where all labels are to be multiplied by it; else empty.
  const std::string& factor() const { return factor_; }

 private:
  void make_linear(const PlotAxis& axis, double lowest, double highest, int ticks);
  void make_logarithmic(const PlotAxis& axis, double lowest, double highest);

  bool logarithmic_;
  double from_ = 0;  // its logarithm on a logarithmic axis
  double to_ = 1;
  double begin_;
  double end_;
  std::vector<PlotTick> ticks_;
  std::string factor_;
};

}  // namespace setka::plot::detail
