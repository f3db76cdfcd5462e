// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <optional>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::plan {
namespace {

/// Seconds of one more value where there are many.
double slope(const Curve& curve) {
  return curve.seconds.back() / curve.size.back();
}

double real(std::int64_t n) {
  return static_cast<double>(n);
}

/// A family of curves, one a number of rows.
struct SweepKind {
  bool along, constant, aligned, periodic;
  grid::SweepMethod method;
};

struct RowsCurve {
  double rows;
  const Curve* curve;
};

/// Those of the profile, ascending in rows.
std::vector<RowsCurve> curves_of(const DeviceProfile& profile, const SweepKind& kind) {
  // As sweep_curve() names them, with any number of rows.
  SweepShape shape{1, 1, kind.along, kind.constant, kind.periodic, kind.aligned ? 4096 : 1};
  std::string name = sweep_curve(shape, kind.method);
  name.pop_back();
  std::vector<RowsCurve> found;
  for (auto at = profile.curves.lower_bound(name); at != profile.curves.end(); ++at) {
    if (!at->first.starts_with(name)) break;
    const std::string rows = at->first.substr(name.size());
    if (rows.empty() || rows.find_first_not_of("0123456789") != std::string::npos) continue;
    found.push_back({std::stod(rows), &at->second});
  }
  std::sort(found.begin(), found.end(),
            [](const RowsCurve& a, const RowsCurve& b) { return a.rows < b.rows; });
  return found;
}

/// Between two numbers of rows logarithms are in proportion. Below the first it goes on as between the first
/// two, but neither falls nor grows faster than the rows; beyond the last it grows as they do.
std::optional<double> seconds_of_rows(const DeviceProfile& profile, const SweepKind& kind, double lines,
                                      double rows) {
  const std::vector<RowsCurve> curves = curves_of(profile, kind);
  if (curves.empty()) return std::nullopt;
  std::size_t above = 0;
  while (above < curves.size() && curves[above].rows < rows) ++above;
  if (above == curves.size()) return curves.back().curve->at(lines) * rows / curves.back().rows;
  const std::size_t high = std::min(std::max<std::size_t>(above, 1), curves.size() - 1);
  const std::size_t low = high > 0 ? high - 1 : 0;
  const double first = curves[low].curve->at(lines);
  if (low == high) return first;
  double power =
      std::log(curves[high].curve->at(lines) / first) / std::log(curves[high].rows / curves[low].rows);
  if (above == 0) power = std::clamp(power, 0.0, 1.0);
  return first * std::pow(rows / curves[low].rows, power);
}

}  // namespace

double Cost::seconds() const {
  double sum = 0;
  for (const Term& term : terms) sum += term.seconds;
  return sum;
}

Range range_of(double middle, double spread) {
  constexpr double of_a_tenth = 1.2816;  // deviations of a normal distribution that nine tenths are below
  const double factor = std::exp(of_a_tenth * spread);
  return {middle / factor, middle, middle * factor};
}

Range Cost::range(double common_spread) const {
  const double sum = seconds();
  double squares = std::pow(common_spread * sum, 2);
  for (const Term& term : terms) squares += std::pow(term.spread * term.seconds, 2);
  return range_of(sum, sum > 0 ? std::sqrt(squares) / sum : 0);
}

Cost Cost::times(double count) const {
  Cost many = *this;
  for (Term& term : many.terms) term.seconds *= count;
  return many;
}

Decision choose(std::vector<Choice> choices) {
  Decision decision{std::move(choices), 0, {}};
  std::size_t best = decision.choices.size();
  std::size_t second = best;
  std::vector<std::string> lacking;
  for (std::size_t i = 0; i < decision.choices.size(); ++i) {
    const Choice& one = decision.choices[i];
    const auto before = [&](std::size_t other) {
      return other == decision.choices.size() || one.cost.seconds() < decision.choices[other].cost.seconds();
    };
    if (!one.lacks.empty()) {
      lacking.push_back(fmt::format("{} {}", one.name, one.lacks));
    } else if (before(best)) {
      second = best;
      best = i;
    } else if (before(second)) {
      second = i;
    }
  }
  if (best == decision.choices.size())
    throw Error(Fault::resource, fmt::format("no way to do it: {}", fmt::join(lacking, "; ")),
                "use a device with more memory or a smaller grid");
  decision.chosen = best;
  const Choice& chosen = decision.choice();
  decision.why = fmt::format("{}: {}, the least", chosen.name, format_seconds(chosen.cost.seconds()));
  if (second < decision.choices.size())
    decision.why += fmt::format("; next: {}, {}", decision.choices[second].name,
                                format_seconds(decision.choices[second].cost.seconds()));
  if (!lacking.empty()) decision.why += fmt::format("; {}", fmt::join(lacking, "; "));
  return decision;
}

double threads_at_once(const exec::Device& device) {
  if (!device.is_cuda()) return device.threads();
  constexpr double of_a_multiprocessor = 2048;
  const std::string text = device.info().description;
  const auto end = text.find(" multiprocessors");
  const auto begin = end == std::string::npos ? end : text.rfind(' ', end - 1);
  if (begin == std::string::npos) return of_a_multiprocessor;
  return of_a_multiprocessor * std::max(1, std::atoi(text.c_str() + begin + 1));
}

Cost long_vectors_as_printed(const DeviceProfile& profile, std::int64_t n, std::int64_t steps) {
  const double num = profile.threads_at_once;
  const double t_add = slope(profile.curve("add")) * num;
  const double t_saxpy = slope(profile.curve("saxpy")) * num;
  const double t_0 = profile.curve("border").at(real(n + 2)) - profile.launch;
  const double all = real((n + 2) * (n + 2) - 1);
  const double inner = real(n * (n + 2) - 2);
  const double bytes = 8 * real((n + 2) * (n + 2));
  Cost cost;
  cost.device_bytes = 3 * static_cast<std::uint64_t>(bytes);
  cost.add("transfers", profile.up_pinned.seconds(bytes) + profile.down_pinned.seconds(bytes));
  cost.add("launches", 4 * profile.launch * real(steps));
  cost.add("additions", t_add * (std::ceil(all / num) + std::ceil(inner / num)) * real(steps));
  cost.add("border", std::max(t_0, 0.0) * real(steps));
  cost.add("saxpy", t_saxpy * std::ceil(inner / num) * real(steps));
  return cost;
}

Cost long_vectors(const DeviceProfile& profile, std::int64_t n, std::int64_t steps) {
  const double pairs = real((n + 1) * (n + 2) - 1);
  const double inner = real(n * (n + 2) - 2);
  const double bytes = 8 * real((n + 2) * (n + 2));
  const Curve& add = profile.curve("add");
  Cost cost;
  cost.device_bytes = 3 * static_cast<std::uint64_t>(bytes);
  cost.add("transfers", profile.up_pinned.seconds(bytes) + profile.down_pinned.seconds(bytes));
  cost.add("additions", (add.at(pairs) + add.at(inner)) * real(steps));
  cost.add("saxpy", profile.curve("saxpy").at(inner) * real(steps));
  cost.add("border", profile.curve("border").at(real(n + 2)) * real(steps));
  return cost;
}

bool SweepShape::is_aligned(int value_bytes) const {
  constexpr std::int64_t page = 4096;
  const std::int64_t values = stride > 0 ? stride : along ? rows : lines;
  return values > 0 && values * value_bytes % page == 0;
}

std::string sweep_curve(const SweepShape& shape, grid::SweepMethod method) {
  return fmt::format("sweep {} {} {} {}{}{}", shape.constant ? "constant" : "each",
                     shape.along ? "along" : "across", name(method), shape.periodic ? "" : "open ",
                     shape.is_aligned(8) ? "aligned " : "", shape.rows);
}

bool fused_fits(const DeviceProfile& profile, const SweepShape& shape, int value_bytes) {
  if (!profile.overlaps) return true;  // on a CPU every line does
  const std::int64_t most = shape.along || shape.constant ? 16384 : 8192;
  return shape.rows <= most * 8 / value_bytes;
}

Cost sweep_cost(const DeviceProfile& profile, const SweepShape& shape, grid::SweepMethod method,
                int value_bytes) {
  // Values of half the size are half as many as far as the memory is concerned.
  const double lines = real(shape.lines) * value_bytes / 8;
  const bool aligned = shape.is_aligned(value_bytes);
  const auto with = [&](bool is_aligned, bool periodic) {
    return seconds_of_rows(profile, {shape.along, shape.constant, is_aligned, periodic, method}, lines,
                           real(shape.rows));
  };
  std::optional<double> seconds = with(aligned, shape.periodic);
  if (!seconds) {
    const std::optional<double> plain = with(false, true);
    const auto factor = [&](const std::optional<double>& other) { return other ? *other / *plain : 1; };
    if (plain)
      seconds = *plain * (aligned ? factor(with(true, true)) : 1) *
                (shape.periodic ? 1 : factor(with(false, false)));
  }
  if (!seconds) {
    SweepShape measured = shape;
    measured.rows = sweep_rows[0];
    (void)profile.curve(sweep_curve(measured, method));  // says what is missing
  }
  Cost cost;
  const std::uint64_t values =
      static_cast<std::uint64_t>(shape.lines) * static_cast<std::uint64_t>(shape.rows);
  cost.device_bytes = values * static_cast<std::uint64_t>(value_bytes) * (shape.constant ? 2 : 5);
  return cost.add(fmt::format("sweep {} memory, {}", shape.along ? "along" : "across", name(method)),
                  seconds.value_or(0));
}

double normalised_error(const std::vector<double>& measured, const std::vector<double>& predicted) {
  require(measured.size() == predicted.size() && !measured.empty(),
          "normalised_error: one prediction a measurement, and at least one");
  double sum = 0;
  for (std::size_t i = 0; i < measured.size(); ++i)
    sum += std::pow((measured[i] - predicted[i]) / measured[i], 2);
  return std::sqrt(sum / real(std::ssize(measured)));
}

}  // namespace setka::plan
