// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/job.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "setka/analysis/load_state.hpp"

namespace setka::analysis {
namespace {

Extreme largest_displacement(const mesh::Mesh& mesh, const model::Frame& frame) {
  Extreme extreme;
  const model::NodeField* u = frame.node_field("U");
  for (std::int32_t n = 0; u != nullptr && n < mesh.node_count(); ++n) {
    const double* value = u->values.data() + 3 * static_cast<std::size_t>(n);
    const double length = std::sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
    if (length > extreme.value) extreme = {length, mesh.node_label(n)};
  }
  return extreme;
}

Extreme largest_mises(const Setup& setup, const model::Frame& frame) {
  Extreme extreme;
  const model::PointField* stress = frame.point_field("S");
  for (std::int32_t e = 0; stress != nullptr && e < setup.solids.element_count(); ++e) {
    for (std::int64_t p = setup.first_point(e); p < setup.first_point(e + 1); ++p) {
      const double* s = stress->values.data() + 6 * static_cast<std::size_t>(p);
      const double normal = std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
      const double mises = std::sqrt(normal / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
      if (mises > extreme.value) extreme = {mises, setup.model->mesh.element_label(e)};
    }
  }
  return extreme;
}

}  // namespace

std::vector<StepSummary> run_steps(const Setup& setup, const Computing& computing, const FrameSink& sink,
                                   Monitor& monitor) {
  const model::Model& model = *setup.model;
  LoadState loads(model);
  std::vector<double> displacements;
  std::vector<StepSummary> summaries;
  double time = 0;
  for (std::size_t s = 0; s < model.steps.size(); ++s) {
    const model::Step& step = model.steps[s];
    const Stage stage = monitor.stage(fmt::format("step {}", s + 1));
    loads.begin(step, displacements);
    const double period = std::get<model::StaticStep>(step.procedure).period;
    time += period;
    StaticResult result = solve_static(setup, loads, step, period, time, computing, monitor);
    result.frame.step = static_cast<int>(s) + 1;
    StepSummary summary;
    summary.step = result.frame.step;
    summary.time = time;
    summary.solved = result.report;
    summary.displacement = largest_displacement(model.mesh, result.frame);
    summary.mises = largest_mises(setup, result.frame);
    summaries.push_back(summary);
    if (!result.report.converged) break;
    displacements = std::move(result.user_displacements);
    {
      const Stage writing = monitor.stage("write");
      sink(step, result.frame);
    }
  }
  return summaries;
}

}  // namespace setka::analysis
