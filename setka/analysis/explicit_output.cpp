// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/explicit_output.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/core.h>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/motion_frame.hpp"
#include "setka/fem/large_strains.hpp"

namespace setka::analysis {
namespace {

constexpr std::int64_t usual_intervals = 20;       // those of Abaqus
constexpr std::size_t most_nodes_of_history = 20;  // of a set

PointValues large_values(const Setup& setup, const ExplicitModel& model, const std::vector<double>& u,
                         int threads) {
  return point_values(setup, u, {}, threads, [&](const ElementPoints& at) {
    const auto law = static_cast<std::size_t>(model.material_of[static_cast<std::size_t>(at.element)]);
    fem::large_strains(at.type, at.coordinates, at.displacements, model.laws[law], at.stress, at.strain,
                       at.energy);
    std::ranges::copy(at.strain, at.mechanical.begin());
  });
}

}  // namespace

OutputTimes::OutputTimes(const model::Model& model, const model::Step& step, double length,
                         std::int64_t count, double start_time)
    : count_(count) {
  for (const model::OutputRequest& request : step.output) {
    if (request.frequency > 1) frequency_ = request.frequency;  // 1 is what a card without the word has
    if (request.intervals > 0) intervals_ = request.intervals;
    if (request.time_points < 0 || !points_.empty()) continue;
    const model::TimePoints& points = model.time_points[static_cast<std::size_t>(request.time_points)];
    for (std::size_t i = 0; i < points.times.size(); ++i) {
      const double in_step = points.total_time ? points.times[i] - start_time : points.times[i];
      const double nearest = std::round(in_step / length);
      if (!(nearest >= 1 && nearest <= static_cast<double>(count))) continue;
      points_.emplace_back(static_cast<std::int64_t>(nearest), static_cast<int>(i) + 1);
    }
  }
  if (frequency_ == 0 && intervals_ == 0) intervals_ = usual_intervals;
}

std::int64_t OutputTimes::next(std::int64_t done) const {
  if (!points_.empty()) {
    for (const auto& [at, number] : points_) {
      if (at > done) return at;
    }
    return count_;
  }
  if (frequency_ > 0) return std::min(done - done % frequency_ + frequency_, count_);
  const double part = static_cast<double>(count_) / static_cast<double>(intervals_);
  for (auto k = static_cast<std::int64_t>(static_cast<double>(done) / part); k <= intervals_; ++k) {
    const auto at = static_cast<std::int64_t>(std::llround(static_cast<double>(k) * part));
    if (at > done) return std::min(at, count_);
  }
  return count_;
}

int OutputTimes::time_point(std::int64_t done) const {
  const auto found = std::ranges::find(points_, done, &std::pair<std::int64_t, int>::first);
  return found == points_.end() ? 0 : found->second;
}

HistoryColumns::HistoryColumns(const model::Model& model) {
  for (const model::Step& step : model.steps) {
    if (!std::holds_alternative<model::ExplicitStep>(step.procedure)) continue;
    for (const model::OutputRequest& request : step.output) {
      if (request.kind != model::OutputKind::node_print || request.set < 0) continue;
      const auto& set = model.node_sets[static_cast<std::size_t>(request.set)].nodes;
      if (set.size() > most_nodes_of_history) continue;
      for (const std::string& variable : request.variables) {
        const std::size_t first = variable == "U" ? 0 : variable == "V" ? 3 : variable == "RF" ? 6 : 9;
        if (first == 9) continue;
        for (const std::int32_t node : set) {
          auto place = std::ranges::find(nodes, node);
          if (place == nodes.end()) place = nodes.insert(nodes.end(), node);
          const auto row = static_cast<std::size_t>(place - nodes.begin());
          for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t at = 9 * row + first + c;
            if (std::ranges::find(values, at) != values.end()) continue;
            values.push_back(at);
            names.push_back(fmt::format("{}{}_{}", variable, c + 1, model.mesh.node_label(node)));
          }
        }
      }
    }
  }
}

void fill_explicit_frame(const Setup& setup, const ExplicitModel& model, const Wanted& wanted,
                         ExplicitSeen seen, int threads, model::Frame& frame) {
  recover_displacements(setup, seen.u, frame);
  if (needs_elements(wanted))
    recover_elements(setup, large_values(setup, model, seen.u, threads), wanted, threads, frame);
  if (wanted.at_points.contains("ELKE") && !seen.v.empty())
    frame.element_kinetic_energy =
        kinetic_energy(setup, ElementState(setup, std::span<const double>()), seen.v, threads);
  if (wanted.at_nodes.contains("V")) frame.node_fields.push_back({"V", 3, std::move(seen.v)});
  if (wanted.at_nodes.contains("RF")) frame.node_fields.push_back({"RF", 3, std::move(seen.forces)});
}

}  // namespace setka::analysis
