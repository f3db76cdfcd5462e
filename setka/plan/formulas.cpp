// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/formulas.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>

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

std::uint64_t bytes_of(const std::vector<grid::HeatAxis>& axes, int value_bytes, int arrays) {
  std::uint64_t nodes = 1;
  for (const grid::HeatAxis& axis : axes) nodes *= static_cast<std::uint64_t>(axis.nodes);
  return nodes * static_cast<std::uint64_t>(value_bytes) * static_cast<std::uint64_t>(arrays);
}

}  // namespace

double Cost::seconds() const {
  double sum = 0;
  for (const Term& term : terms) sum += term.seconds;
  return sum;
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

std::string sweep_curve(const SweepShape& shape, grid::SweepMethod method) {
  return fmt::format("sweep {} {} {} {}", shape.constant ? "constant" : "each",
                     shape.along ? "along" : "across", name(method), shape.rows);
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
  const auto curve_of = [&](std::int64_t rows) -> const Curve* {
    SweepShape measured = shape;
    measured.rows = rows;
    const auto found = profile.curves.find(sweep_curve(measured, method));
    return found == profile.curves.end() ? nullptr : &found->second;
  };
  std::int64_t below = 0;
  std::int64_t above = 0;
  for (const std::int64_t rows : sweep_rows) {
    if (curve_of(rows) == nullptr) continue;
    if (rows <= shape.rows || below == 0) below = rows;
    if (rows >= shape.rows && above == 0) above = rows;
  }
  if (below == 0) (void)profile.curve(sweep_curve(shape, method));  // says what is missing
  const double low = curve_of(below)->at(lines);
  double seconds = low;
  if (above > below) {
    const double part = std::log(real(shape.rows) / real(below)) / std::log(real(above) / real(below));
    seconds = low * std::pow(curve_of(above)->at(lines) / low, part);
  } else if (shape.rows > below) {
    seconds = low * real(shape.rows) / real(below);
  }
  Cost cost;
  const std::uint64_t values =
      static_cast<std::uint64_t>(shape.lines) * static_cast<std::uint64_t>(shape.rows);
  cost.device_bytes = values * static_cast<std::uint64_t>(value_bytes) * (shape.constant ? 2 : 5);
  return cost.add(fmt::format("sweep {} memory, {}", shape.along ? "along" : "across", name(method)),
                  seconds);
}

Cost lod_step(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes, int value_bytes) {
  Cost cost;
  cost.device_bytes = bytes_of(axes, value_bytes, 1);
  std::int64_t nodes = 1;
  for (const grid::HeatAxis& axis : axes) nodes *= axis.nodes;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const SweepShape shape{nodes / axes[k].nodes, axes[k].nodes, k + 1 == axes.size(), true};
    const grid::SweepMethod method =
        fused_fits(profile, shape, value_bytes) ? grid::SweepMethod::fused : grid::SweepMethod::split;
    const Cost one = sweep_cost(profile, shape, method, value_bytes);
    cost.add(fmt::format("axis {}: {}", k, one.terms.front().what), one.seconds());
  }
  return cost;
}

Cost explicit_step(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes, int value_bytes) {
  Cost cost;
  cost.device_bytes = bytes_of(axes, value_bytes, 2);
  double nodes = 1;
  for (const grid::HeatAxis& axis : axes) nodes *= real(axis.nodes);
  return cost.add("explicit step", profile.curve("explicit").at(nodes * value_bytes / 8));
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
