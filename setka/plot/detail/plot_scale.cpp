// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plot/detail/plot_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/core.h>

namespace setka::plot::detail {
namespace {

/// "10⁻⁶"
std::string power_of_ten(int exponent) {
  static constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴",
                                                              "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(std::abs(exponent))) text += digits[static_cast<std::size_t>(c - '0')];
  return text;
}

/// Powers of ten near one are easier to read as they are.
std::string short_number(int mantissa, int exponent) {
  if (exponent >= -3 && exponent <= 4) return fmt::format("{:g}", mantissa * std::pow(10.0, exponent));
  return mantissa == 1 ? power_of_ten(exponent) : fmt::format("{}·{}", mantissa, power_of_ten(exponent));
}

int decimal_exponent(double value) {
  return static_cast<int>(std::floor(std::log10(value) + 1e-9));
}

/// 1, 2 or 5 times a power of ten, about as large as asked.
double round_step(double about) {
  const double power = std::pow(10.0, decimal_exponent(about));
  const double mantissa = about / power;
  if (mantissa < 1.5) return power;
  if (mantissa < 3.5) return 2 * power;
  return mantissa < 7.5 ? 5 * power : 10 * power;
}

constexpr int most_ticks = 50;  // whatever rounding does, a loop over them ends
constexpr double smallest = 1e-300;
constexpr double largest = 1e300;

}  // namespace

PlotScale::PlotScale(const PlotAxis& axis, double lowest, double highest, double begin, double end, int ticks)
    : logarithmic_(axis.logarithmic), begin_(begin), end_(end) {
  if (axis.logarithmic)
    make_logarithmic(axis, lowest, highest);
  else
    make_linear(axis, lowest, highest, std::max(ticks, 2));
}

bool PlotScale::can_show(double value) const {
  return std::isfinite(value) && std::abs(value) < largest && (!logarithmic_ || value > smallest);
}

double PlotScale::pixel(double value) const {
  const double at = logarithmic_ ? std::log10(value) : value;
  return begin_ + (at - from_) / (to_ - from_) * (end_ - begin_);
}

void PlotScale::make_linear(const PlotAxis& axis, double lowest, double highest, int ticks) {
  const bool given = axis.to > axis.from;
  double low = given ? axis.from : lowest;
  double high = given ? axis.to : highest;
  if (low > high) {
    low = 0;
    high = 1;
  }
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-12 * size || high == low) {  // a constant: room above and below it
    const double room = size > 0 ? size / 2 : 1.0;
    low -= room;
    high += room;
  }
  const double step = round_step((high - low) / ticks);
  from_ = given ? low : step * std::floor(low / step + 1e-9);
  to_ = given ? high : step * std::ceil(high / step - 1e-9);

  const double shown = std::max(std::abs(from_), std::abs(to_));
  int exponent = decimal_exponent(shown);
  if (exponent >= -3 && exponent <= 4) exponent = 0;
  if (exponent != 0) factor_ = power_of_ten(exponent);
  const double unit = std::pow(10.0, exponent);
  const int decimals = std::max(0, -decimal_exponent(step / unit));
  const double first = std::ceil(from_ / step - 1e-9);
  for (int k = 0; k < most_ticks; ++k) {
    const double at = (first + k) * step;
    if (at > to_ + 1e-9 * step) break;
    const double value = first + k == 0 ? 0.0 : at / unit;
    ticks_.push_back({at, fmt::format("{:.{}f}", value, decimals)});
  }
}

void PlotScale::make_logarithmic(const PlotAxis& axis, double lowest, double highest) {
  const bool given = axis.to > axis.from && axis.from > smallest;
  double low = given ? axis.from : lowest;
  double high = given ? axis.to : highest;
  if (low > high) {
    low = 1;
    high = 10;
  }
  from_ = std::log10(low);
  to_ = std::log10(high);
  if (to_ - from_ < 0.1) {  // hardly a range: round it to one
    const double middle = (from_ + to_) / 2;
    from_ = given ? from_ : std::min(from_, middle - 0.15);
    to_ = given ? std::max(to_, from_ + 1e-9) : std::max(to_, middle + 0.15);
  }
  const double decades = to_ - from_;
  // A tick every decade, or every second, third... where there are many; 2 and 5 where there are few.
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 9)));
  const int first = static_cast<int>(std::floor(from_));
  for (int exponent = first; exponent <= to_; ++exponent) {
    for (int mantissa = 1; mantissa <= 9; ++mantissa) {
      const double at = exponent + std::log10(mantissa);
      if (at < from_ - 1e-9 || at > to_ + 1e-9) continue;
      const bool named = mantissa == 1   ? exponent % every == 0
                         : decades < 0.7 ? true
                                         : decades <= 2.2 && (mantissa == 2 || mantissa == 5);
      if (mantissa > 1 && decades > 5) continue;
      ticks_.push_back({std::pow(10.0, at), named ? short_number(mantissa, exponent) : std::string()});
    }
  }
}

}  // namespace setka::plot::detail
