// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/load_state.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"

namespace setka::analysis {
namespace {

std::int64_t key(const model::PrescribedValue& value) {
  return 32 * std::int64_t{value.node} + value.direction + (value.imaginary ? 16 : 0);
}

/// New entries take the place of old ones for the same thing; several new ones for one thing add up.
template <class Load, class Same>
void replace(std::vector<Load>& loads, const std::vector<Load>& fresh, Same identity) {
  if (fresh.empty()) return;
  if (loads.empty()) {
    loads = fresh;
    return;
  }
  std::vector<decltype(identity(fresh[0]))> said;
  said.reserve(fresh.size());
  for (const Load& load : fresh) said.push_back(identity(load));
  std::sort(said.begin(), said.end());
  std::erase_if(
      loads, [&](const Load& load) { return std::binary_search(said.begin(), said.end(), identity(load)); });
  loads.insert(loads.end(), fresh.begin(), fresh.end());
}

/// The same for loads that remember their size before the step. What OP=NEW takes back is gone at once.
template <class Load, class Same>
void grow(std::vector<Growing<Load>>& loads, const std::vector<Load>& fresh, bool anew, double Load::*size,
          Same identity) {
  using Key = decltype(identity(fresh[0]));
  std::vector<std::pair<Key, double>> was;
  for (Growing<Load>& known : loads) {
    known.before = known.load.*size;
    was.emplace_back(identity(known.load), known.before);
  }
  const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(was.begin(), was.end(), before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < was.size(); ++i) {
    if (kept > 0 && was[kept - 1].first == was[i].first)
      was[kept - 1].second += was[i].second;
    else
      was[kept++] = was[i];
  }
  was.resize(kept);
  if (anew) loads.clear();
  std::vector<Growing<Load>> growing;
  growing.reserve(fresh.size());
  for (const Load& load : fresh) {
    const Key key = identity(load);
    const auto known = std::lower_bound(was.begin(), was.end(), std::pair(key, 0.0), before);
    const bool grows = known != was.end() && known->first == key;
    growing.push_back(
        {load, grows ? std::exchange(known->second, 0.0) : 0.0});  // the first of several has it
  }
  replace(loads, growing, [&](const Growing<Load>& known) { return identity(known.load); });
}

}  // namespace

bool is_modal(const model::Step& step) {
  return std::holds_alternative<model::ModalDynamicStep>(step.procedure) ||
         std::holds_alternative<model::SteadyStateStep>(step.procedure) ||
         std::holds_alternative<model::ResponseSpectrumStep>(step.procedure);
}

LoadState::LoadState(const model::Model& model)
    : model_(model),
      heated_(std::ranges::any_of(
          model.steps,
          [](const model::Step& step) { return std::holds_alternative<model::HeatStep>(step.procedure); })),
      equation_removed_(model.equations.size(), false) {
  take_in(model.prescribed, {});
}

void LoadState::take_in(const std::vector<model::PrescribedValue>& values,
                        const std::vector<double>& displacements) {
  std::unordered_set<std::int64_t> said;
  std::string first_overridden;
  std::size_t overridden = 0;  // temperatures
  for (model::PrescribedValue value : values) {
    if (value.fixed) {
      const std::size_t dof =
          3 * static_cast<std::size_t>(value.node) + static_cast<std::size_t>(value.direction) - 1;
      value.value = value.direction <= 3 && dof < displacements.size() ? displacements[dof] : 0.0;
      value.amplitude = -1;
    }
    const std::int64_t place = key(value);
    model::PrescribedValue& known = prescribed_[place];
    const bool counts = value.direction <= 6 || heated_;  // nodes have it
    if (counts && !said.insert(place).second &&
        (known.value != value.value || known.amplitude != value.amplitude)) {
      const SourceLine here = model_.source(value.line);
      const SourceLine other = model_.source(known.line);
      // Faces of different temperatures share an edge, of which no one says whose it is; CalculiX takes what
      // comes last.
      if (value.direction == 11) {
        if (overridden++ == 0) {
          first_overridden = fmt::format("{}:{}: node {} has the temperature {}, and not {} as at {}:{}",
                                         here.file, here.line, model_.mesh.node_label(value.node),
                                         value.value, known.value, other.file, other.line);
        }
      } else {
        throw Error(Fault::input,
                    fmt::format("node {}, direction {} is prescribed twice: {} here and {} at {}:{}",
                                model_.mesh.node_label(value.node), value.direction, value.value, known.value,
                                other.file, other.line),
                    "leave one of them out", here);
      }
    }
    known = value;
  }
  if (overridden > 0) {
    log::warning("{}{}: of a temperature that is prescribed twice what comes last counts", first_overridden,
                 overridden == 1 ? "" : fmt::format(", and {} more alike", overridden - 1));
  }
}

void LoadState::begin(const model::Step& step, const std::vector<double>& displacements) {
  if (step.operations.new_boundary) {
    prescribed_.clear();
    take_in(model_.prescribed, {});
  }
  for (const std::int32_t equation : step.removed_equations)
    equation_removed_[static_cast<std::size_t>(equation)] = true;
  const bool buckles = std::holds_alternative<model::BuckleStep>(step.procedure);
  if (is_modal(step) || buckles || after_buckling_) forget_loads();
  after_buckling_ = buckles;
  if (step.operations.new_point_loads) point_loads_.clear();
  if (step.operations.new_distributed_loads) distributed_loads_.clear();
  if (step.operations.new_temperatures) temperatures_.clear();

  take_in(step.prescribed, displacements);
  replace(point_loads_, step.point_loads, [](const model::PointLoad& load) {
    return std::tuple(load.node, load.direction, load.imaginary, load.sector);
  });
  replace(distributed_loads_, step.distributed_loads, [](const model::DistributedLoad& load) {
    return std::tuple(load.element, load.kind, load.face, load.imaginary, load.sector);
  });
  replace(temperatures_, step.temperatures, [](const model::NodeTemperature& given) { return given.node; });
  begin_heat(step);
}

void LoadState::begin_heat(const model::Step& step) {
  const auto face = [](const auto& load) { return std::tuple(load.element, load.face); };
  grow(point_fluxes_, step.point_fluxes, step.operations.new_point_fluxes, &model::PointFlux::value,
       [](const model::PointFlux& flux) { return flux.node; });
  grow(distributed_fluxes_, step.distributed_fluxes, step.operations.new_distributed_fluxes,
       &model::DistributedFlux::value, face);
  grow(films_, step.films, step.operations.new_films, &model::Film::coefficient, face);
  grow(radiation_, step.radiation, step.operations.new_radiation, &model::Radiation::emissivity, face);
}

/// What was prescribed stays held.
void LoadState::forget_loads() {
  point_loads_.clear();
  distributed_loads_.clear();
  temperatures_.clear();
  std::erase_if(prescribed_, [](const auto& entry) { return entry.second.imaginary; });
  for (auto& [place, value] : prescribed_) {
    value.value = 0;
    value.amplitude = -1;
  }
}

double LoadState::factor(std::int32_t amplitude, double step_time, double total_time) const {
  if (amplitude < 0) return 1;
  const model::Amplitude& curve = model_.amplitudes[static_cast<std::size_t>(amplitude)];
  const double time = curve.total_time ? total_time : step_time;
  if (curve.points.empty()) return 1;
  if (time <= curve.points.front()[0]) return curve.points.front()[1];
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const auto& [t1, a1] = curve.points[i];
    const auto& [t0, a0] = curve.points[i - 1];
    if (time <= t1) return t1 > t0 ? a0 + (a1 - a0) * (time - t0) / (t1 - t0) : a1;
  }
  return curve.points.back()[1];
}

LoadState LoadState::with(std::vector<model::PointLoad> point_loads,
                          std::vector<model::DistributedLoad> distributed_loads) const {
  LoadState other = *this;
  other.point_loads_ = std::move(point_loads);
  other.distributed_loads_ = std::move(distributed_loads);
  return other;
}

std::vector<model::PrescribedValue> LoadState::prescribed() const {
  std::vector<model::PrescribedValue> values;
  values.reserve(prescribed_.size());
  for (const auto& [place, value] : prescribed_) values.push_back(value);
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.node, a.direction, a.imaginary) < std::tuple(b.node, b.direction, b.imaginary);
  });
  return values;
}

}  // namespace setka::analysis
