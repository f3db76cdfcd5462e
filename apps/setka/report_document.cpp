// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "report_document.hpp"

#include <cstdint>
#include <ctime>
#include <string>

#include <fmt/core.h>

#include "json.hpp"
#include "report_tables.hpp"
#include "setka/base/config.hpp"
#include "setka/base/text.hpp"

namespace setka::app {
namespace {

using nlohmann::ordered_json;

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (localtime_r(&now, &parts) == nullptr) return "";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min);
}

std::string first_line(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  const std::size_t from = line.find_first_not_of(" \t\r");
  return from == std::string::npos ? "" : line.substr(from, line.find_last_not_of(" \t\r") - from + 1);
}

/// "30 modes by LOBPCG", what a user looks for first.
std::string in_words(const analysis::StepSummary& step) {
  const auto at = [](const analysis::Extreme& extreme, const char* what) {
    return extreme.label > 0 ? fmt::format("{:.4g} at {} {}", extreme.value, what, extreme.label)
                             : fmt::format("{:.4g}", extreme.value);
  };
  if (step.modes) {
    if (step.modes->modes.empty()) return "no modes";
    return fmt::format("{} modes, {:.5g} to {:.5g} cycles/time", step.modes->modes.size(),
                       step.modes->modes.front().frequency(), step.modes->modes.back().frequency());
  }
  if (step.buckling) {
    return step.buckling->modes.empty()
               ? "no factors"
               : fmt::format("lowest of {} factors {:.6g}", step.buckling->modes.size(),
                             step.buckling->modes.front().factor);
  }
  if (step.retained > 0) return fmt::format("a superelement of {} degrees of freedom", step.retained);
  std::string text;
  if (step.motion) text = fmt::format("{} increments, ", step.motion->increments);
  if (step.hottest) {
    text += fmt::format("hottest {}", at(*step.hottest, "node"));
    if (step.coldest) text += fmt::format(", coldest {}", at(*step.coldest, "node"));
  } else {
    text += fmt::format("largest displacement {}", at(step.displacement, "node"));
  }
  if (step.mises)
    text += fmt::format(", largest Mises stress {} (at points of integration)", at(*step.mises, "element"));
  return text;
}

std::string box_of(const mesh::Mesh& mesh) {
  if (mesh.node_count() == 0) return "";
  std::string text;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = mesh.coordinates()[k];
    double high = low;
    for (std::size_t i = k; i < mesh.coordinates().size(); i += 3) {
      low = std::min(low, mesh.coordinates()[i]);
      high = std::max(high, mesh.coordinates()[i]);
    }
    text += fmt::format("{}{:.4g}", k == 0 ? "" : " × ", high - low);
  }
  return text;
}

ordered_json facts_of(const RunRecord& run, const io::ReportWriter& report) {
  const model::Model& model = run.deck.model;
  ordered_json facts = ordered_json::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) facts.push_back({name, value});
  };
  add("Deck", run.path.filename().string());
  add("Nodes", std::to_string(model.mesh.node_count()));
  add("Elements", std::to_string(model.mesh.element_count()));
  std::int64_t unknowns = 0;
  for (const analysis::StepSummary& step : run.steps)
    unknowns = std::max<std::int64_t>(unknowns, step.solved.unknowns);
  if (unknowns > 0) add("Unknowns", std::to_string(unknowns));
  add("Size", box_of(model.mesh));
  add("Computed on", run.devices);
  add("Time", format_seconds(run.times.seconds));
  add("Memory", run.memory);
  add("Shown", fmt::format("{} triangles, {} states", report.surface().triangles.size() / 3,
                           report.frames().frames().size()));
  return facts;
}

}  // namespace

std::string report_document(const RunRecord& run, const io::ReportWriter& report) {
  const model::Model& model = run.deck.model;
  const std::string heading = first_line(model.title);
  ordered_json json;
  json["title"] = heading.empty() ? run.path.stem().string() : heading;
  json["deck"] = run.path.filename().string();
  if (model.title.find('\n') != std::string::npos) json["heading"] = model.title;
  json["made"] = today();
  json["program"] = fmt::format("setka {}", version);
  for (const analysis::StepSummary& step : run.steps) {
    if (step.solved.converged) continue;
    const std::string trouble =
        step.motion && !step.motion->trouble.empty() ? step.motion->trouble : step.solved.trouble;
    json["failed"] =
        fmt::format("Step {} has not converged: {}. What it shows is not a solution.", step.step, trouble);
  }
  json["facts"] = facts_of(run, report);
  json["warnings"] = run.deck.warnings;
  json["steps"] = ordered_json::array();
  for (const analysis::StepSummary& step : run.steps) {
    const model::Step& own = model.steps.at(static_cast<std::size_t>(step.step) - 1);
    json["steps"].push_back(
        {{"number", step.step}, {"procedure", procedure_name(own)}, {"text", in_words(step)}});
  }
  json["tables"] = ordered_json::array();
  add_result_tables(run, report, json["tables"]);
  add_model_tables(run, json["tables"]);
  json["plots"] = ordered_json::array();
  add_plots(run, report, json["plots"]);
  json["stages"] = to_json(run.times);
  std::string text = json.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  // Without its braces, and without what would end the element of the page in which it stands.
  std::string members;
  for (const char letter : text.substr(1, text.size() - 2)) {
    if (letter == '<')
      members += "\\u003c";
    else
      members += letter;
  }
  return members;
}

}  // namespace setka::app
