// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/decide.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"

namespace setka::plan {
namespace {

using grid::HeatScheme;

constexpr std::int64_t model_passes = 4;

constexpr HeatScheme heat_schemes[] = {HeatScheme::lod, HeatScheme::explicit_euler,
                                       HeatScheme::peaceman_rachford, HeatScheme::douglas};

std::string name_of(HeatScheme scheme) {
  switch (scheme) {
    case HeatScheme::explicit_euler:
      return "explicit steps";
    case HeatScheme::peaceman_rachford:
      return "Peaceman and Rachford's steps";
    case HeatScheme::douglas:
      return "Douglas's steps";
    default:
      return "implicit steps";
  }
}

double a_sweep(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
               const grid::PyramidLayout& layout, bool pinned) {
  return pyramid_passes(profile, heat, value_bytes, layout, model_passes, pinned).seconds() /
         static_cast<double>(model_passes * layout.height);
}

std::string lack(std::uint64_t needed, std::uint64_t memory) {
  if (needed <= memory) return {};
  return fmt::format("needs {}, there are {}", format_bytes(needed), format_bytes(memory));
}

}  // namespace

grid::PyramidLayout best_pyramid(const DeviceProfile& profile, const grid::StationaryHeat& heat,
                                 int value_bytes, std::uint64_t memory, grid::PyramidShape shape,
                                 bool pinned) {
  std::optional<grid::PyramidLayout> best;
  double least = 0;
  std::set<int> tried;
  const auto try_height = [&](int height) {
    if (height < 1 || height > heat.planes() || !tried.insert(height).second) return;
    grid::PyramidOptions options;
    options.shape = shape;
    options.height = height;
    try {
      const grid::PyramidLayout layout = grid::pyramid_layout(heat, value_bytes, memory, options);
      const double seconds = a_sweep(profile, heat, value_bytes, layout, pinned);
      if (!best || seconds < least) {
        best = layout;
        least = seconds;
      }
    } catch (const Error& error) {
      if (error.fault() != Fault::resource) throw;  // this height does not fit; lower ones may
    }
  };
  for (double height = 1; height <= 256; height *= 1.5) try_height(static_cast<int>(height) / 2 * 2);
  try_height(1);
  if (best) {
    const int around = best->height;
    for (int more = 2; more <= std::max(2, around / 4); more += 2) {
      try_height(around + more);
      try_height(around - more);
    }
  }
  if (!best) {
    grid::PyramidOptions options;
    options.shape = shape;
    options.height = 1;
    return grid::pyramid_layout(heat, value_bytes, memory, options);  // says what is lacking
  }
  return *best;
}

Choice pyramid_choice(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                      const grid::PyramidLayout& layout, std::int64_t sweeps, bool pinned) {
  const std::int64_t passes = std::max<std::int64_t>(1, (sweeps + layout.height - 1) / layout.height);
  Choice choice{fmt::format("{} pyramids, height {}, blocks of {} planes", name(layout.shape), layout.height,
                            layout.planes),
                pyramid_passes(profile, heat, value_bytes, layout, passes, pinned),
                {}};
  choice.pyramid = layout;
  return choice;
}

Decision decide_stationary(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                           std::int64_t sweeps, std::uint64_t memory, bool pinned) {
  std::vector<Choice> choices;
  const auto nodes = static_cast<double>(heat.nodes());
  const double bytes = nodes * value_bytes;
  Choice in_core{"all of the grid on the device", {}, {}};
  const Transfer& up = pinned ? profile.up_pinned : profile.up;
  const Transfer& down = pinned ? profile.down_pinned : profile.down;
  in_core.cost.device_bytes = static_cast<std::uint64_t>(3 * bytes);
  if (profile.overlaps) in_core.cost.add("transfers", 2 * up.seconds(bytes) + down.seconds(bytes));
  in_core.cost.add("computing", stencil_seconds(profile, nodes, value_bytes) * static_cast<double>(sweeps));
  in_core.lacks = lack(in_core.cost.device_bytes, memory);
  choices.push_back(in_core);
  for (const grid::PyramidShape shape : {grid::PyramidShape::skewed, grid::PyramidShape::overlapping}) {
    Choice pyramid{fmt::format("{} pyramids", name(shape)), {}, {}};
    try {
      const grid::PyramidLayout layout = best_pyramid(profile, heat, value_bytes, memory, shape, pinned);
      pyramid = pyramid_choice(profile, heat, value_bytes, layout, sweeps, pinned);
    } catch (const Error& error) {
      if (error.fault() != Fault::resource) throw;
      pyramid.lacks = error.message();
    }
    choices.push_back(std::move(pyramid));
  }
  return choose(std::move(choices));
}

Decision decide_sweep(const DeviceProfile& profile, const SweepShape& shape, int value_bytes) {
  std::vector<Choice> choices;
  for (const grid::SweepMethod method : {grid::SweepMethod::fused, grid::SweepMethod::split}) {
    Choice choice{std::string(name(method)), {}, {}};
    try {
      choice.cost = sweep_cost(profile, shape, method, value_bytes);
    } catch (const Error& error) {
      if (error.fault() != Fault::input) throw;
      choice.lacks = fmt::format("cannot be told: {}", error.message());
    }
    if (method == grid::SweepMethod::fused && !fused_fits(profile, shape, value_bytes))
      choice.lacks = fmt::format("does not hold a line of {} rows", shape.rows);
    choices.push_back(std::move(choice));
  }
  return choose(std::move(choices));
}

Decision decide_heat(const DeviceProfile& profile, const std::vector<grid::HeatAxis>& axes, int value_bytes,
                     double step, std::int64_t steps, std::uint64_t memory, const HeatFields& fields) {
  const double longest =
      fields.longest_explicit > 0 ? fields.longest_explicit : grid::ExplicitHeat::longest_step(axes);
  const double parts = std::max(1.0, std::ceil(step / longest * (1 - 1e-9)));
  std::vector<Choice> choices;
  for (const HeatScheme scheme : heat_schemes) {
    if (scheme == HeatScheme::peaceman_rachford && axes.size() != 2) continue;
    const bool is_explicit = scheme == HeatScheme::explicit_euler;
    Choice choice{name_of(scheme), {}, {}, scheme};
    if (is_explicit) choice.name += fmt::format(", {:g} times as many", parts);
    try {
      const double count = static_cast<double>(steps) * (is_explicit ? parts : 1);
      choice.cost = heat_step(profile, scheme, axes, value_bytes, fields).times(count);
      choice.lacks = lack(choice.cost.device_bytes, memory);
    } catch (const Error& error) {
      if (error.fault() != Fault::input) throw;
      choice.lacks = fmt::format("cannot be told: {}", error.message());
    }
    choices.push_back(std::move(choice));
  }
  return choose(std::move(choices));
}

HeatFields fields_of(const exec::Device& device, const grid::HeatProblem& problem) {
  HeatFields fields;
  fields.diffusivity = !problem.diffusivity.empty();
  fields.reaction = !problem.reaction.empty();
  fields.source = !problem.source.empty();
  fields.longest_explicit = grid::longest_explicit_step(device, problem);
  return fields;
}

std::optional<std::size_t> choice_of(const Decision& decision, HeatScheme scheme) {
  for (std::size_t i = 0; i < decision.choices.size(); ++i) {
    if (decision.choices[i].scheme == scheme) return i;
  }
  return std::nullopt;
}

}  // namespace setka::plan
