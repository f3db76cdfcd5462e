// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "report_tables.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_points = 4000;  // of a curve; more are thinned out

ordered_json plot(const std::string& title, const std::string& x, const std::string& y) {
  return {{"title", title}, {"x", x}, {"y", y}, {"series", ordered_json::array()}};
}

ordered_json curve(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t stride = 1 + (x.size() - std::min<std::size_t>(1, x.size())) / most_points;
  ordered_json made{{"name", name}, {"x", ordered_json::array()}, {"y", ordered_json::array()}};
  for (std::size_t i = 0; i < x.size(); i += stride) {
    made["x"].push_back(x[i]);
    made["y"].push_back(std::isfinite(y[i]) ? ordered_json(y[i]) : ordered_json());
  }
  return made;
}

void add_convergence(const RunRecord& run, ordered_json& plots) {
  if (run.convergence == nullptr) return;
  std::map<std::string, ordered_json> by_what;
  std::map<std::string, int> of_name;
  for (const Convergence& one : run.convergence->kept()) {
    if (one.values.size() < 2) continue;
    ordered_json& own = by_what[one.what];
    if (own.is_null()) {
      own = plot(fmt::format("Convergence: {}", one.what), one.unit, one.what);
      own["logY"] = true;
    }
    const int number = ++of_name[one.name];
    own["series"].push_back(curve(number == 1 ? one.name : fmt::format("{} {}", one.name, number),
                                  {one.counts.begin(), one.counts.end()}, one.values));
  }
  for (auto& [what, own] : by_what) {
    if (run.convergence->given() > static_cast<std::int64_t>(run.convergence->kept().size()))
      own["note"] = fmt::format("The first and the last of {} solutions.", run.convergence->given());
    plots.push_back(std::move(own));
  }
}

/// How the mass that takes part adds up over the modes.
void add_masses(const model::ModeTable& modes, ordered_json& plots) {
  if (modes.of_temperature || modes.modes.size() < 2) return;
  ordered_json made =
      plot(fmt::format("Step {}: mass that takes part, added up", modes.step), "cycles/time", "share, %");
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(modes.total_mass[k] > 0)) continue;
    std::vector<double> x;
    std::vector<double> y;
    double sum = 0;
    for (const model::Mode& mode : modes.modes) {
      sum += 100 * mode.participation[k] * mode.participation[k] / modes.total_mass[k];
      x.push_back(mode.frequency());
      y.push_back(sum);
    }
    made["series"].push_back(curve(std::string(1, "xyz"[k]), x, y));
  }
  if (!made["series"].empty()) plots.push_back(std::move(made));
}

struct Answer {
  std::vector<double> x;
  std::vector<double> largest;
  std::vector<double> smallest;
};

/// The largest of each field over the states of a step.
void add_answers(const io::ReportWriter& report, ordered_json& plots) {
  std::map<std::pair<int, std::string>, Answer> answers;
  std::map<int, bool> harmonic;
  for (const io::FrameSizes& frame : report.sizes()) {
    if (frame.kind != io::ReportFrameKind::time && frame.kind != io::ReportFrameKind::harmonic) continue;
    harmonic[frame.step] = frame.kind == io::ReportFrameKind::harmonic;
    for (const io::FrameSizes::Size& size : frame.sizes) {
      Answer& own = answers[{frame.step, size.name}];
      own.x.push_back(frame.time);
      own.largest.push_back(size.largest);
      own.smallest.push_back(size.smallest);
    }
  }
  for (const auto& [key, answer] : answers) {
    if (answer.x.size() < 3) continue;
    const auto& [step, name] = key;
    const bool over_frequency = harmonic[step];
    ordered_json made = plot(fmt::format("Step {}: largest {} of all nodes{}", step, name_of_field(name),
                                         over_frequency ? ", real part" : ""),
                             over_frequency ? "cycles/time" : "time", name_of_field(name));
    made["series"].push_back(curve("largest", answer.x, answer.largest));
    if (name == "NT") made["series"].push_back(curve("smallest", answer.x, answer.smallest));
    plots.push_back(std::move(made));
  }
}

/// Of explicit steps: all columns whose names begin with one of these, over time.
void add_history(const RunRecord& run, ordered_json& plots) {
  const std::vector<std::string>& columns = run.history_columns;
  const auto time = std::ranges::find(columns, "time");
  if (run.history.size() < 2 || time == columns.end()) return;
  const auto values = [&](std::size_t k) {
    std::vector<double> own;
    for (const std::vector<double>& row : run.history) own.push_back(row.at(k));
    return own;
  };
  const std::vector<double> x = values(static_cast<std::size_t>(time - columns.begin()));
  ordered_json energies = plot("Energies of explicit steps", "time", "energy");
  ordered_json nodes = plot("Nodes that *NODE PRINT names", "time", "displacement");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::string& name = columns[k];
    for (const char* const energy : {"kinetic", "internal", "external", "damping"}) {
      if (name.find(energy) != std::string::npos) energies["series"].push_back(curve(name, x, values(k)));
    }
    if (name.starts_with("U") && nodes["series"].size() < 6)
      nodes["series"].push_back(curve(name, x, values(k)));
  }
  if (!energies["series"].empty()) plots.push_back(std::move(energies));
  if (!nodes["series"].empty()) plots.push_back(std::move(nodes));
}

/// What the deck gives as curves.
void add_given(const model::Model& model, ordered_json& plots) {
  for (const model::Spectrum& spectrum : model.spectra) {
    std::map<double, std::pair<std::vector<double>, std::vector<double>>> by_damping;
    for (const model::Spectrum::Point& point : spectrum.points) {
      by_damping[point.damping].first.push_back(point.frequency);
      by_damping[point.damping].second.push_back(point.value);
    }
    const char* const kind = spectrum.kind == model::SpectrumKind::displacement ? "displacement"
                             : spectrum.kind == model::SpectrumKind::velocity   ? "velocity"
                                                                                : "acceleration";
    ordered_json made = plot(fmt::format("Spectrum {}", spectrum.name), "cycles/time", kind);
    made["logX"] = true;
    for (const auto& [damping, points] : by_damping)
      made["series"].push_back(curve(fmt::format("damping {:.3g}", damping), points.first, points.second));
    plots.push_back(std::move(made));
  }
  ordered_json amplitudes = plot("Amplitudes of the deck", "time", "factor");
  for (const model::Amplitude& amplitude : model.amplitudes) {
    if (amplitude.points.size() < 2 || amplitudes["series"].size() == 6) continue;
    std::vector<double> x;
    std::vector<double> y;
    for (const auto& point : amplitude.points) {
      x.push_back(point[0]);
      y.push_back(point[1]);
    }
    amplitudes["series"].push_back(curve(amplitude.name, x, y));
  }
  if (!amplitudes["series"].empty()) plots.push_back(std::move(amplitudes));
}

/// Stages as points, and the line on which predictions would all be right.
void add_predicted(const RunRecord& run, ordered_json& plots) {
  constexpr double too_short = 1e-4;  // seconds
  ordered_json made = plot("Stages: predicted and measured", "predicted, s", "measured, s");
  made["logX"] = made["logY"] = true;
  double least = 1e300;
  double most = 0;
  for (const PredictedStage& stage : run.predicted) {
    const double predicted = stage.predicted.value_or(0);
    if (predicted < too_short || stage.measured < too_short) continue;
    least = std::min({least, predicted, stage.measured});
    most = std::max({most, predicted, stage.measured});
    ordered_json point = curve(stage.name, {predicted}, {stage.measured});
    point["points"] = true;
    made["series"].push_back(std::move(point));
  }
  if (made["series"].empty()) return;
  made["series"].insert(made["series"].begin(), curve("measured as predicted", {least, most}, {least, most}));
  made["note"] = "What setka plan says of such a run, by the profile of this machine (setka calibrate).";
  plots.push_back(std::move(made));
}

}  // namespace

void add_plots(const RunRecord& run, const io::ReportWriter& report, ordered_json& plots) {
  for (const analysis::StepSummary& step : run.steps) {
    if (step.modes) add_masses(*step.modes, plots);
  }
  add_answers(report, plots);
  add_history(run, plots);
  add_given(run.deck.model, plots);
  add_convergence(run, plots);
  add_predicted(run, plots);
}

}  // namespace setka::app
