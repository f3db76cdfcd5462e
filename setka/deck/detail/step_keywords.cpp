// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *STEP, *STATIC, *FREQUENCY, *END STEP.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {
namespace {

constexpr std::int64_t most_modes = 1'000'000;

double positive(const Reader& reader, std::string_view field, Line line, std::string_view what,
                double fallback) {
  const double value = reader.real(field, line, what, fallback);
  if (!(value > 0))
    reader.fail(line, fmt::format("*STATIC: {} is {}", what, value), "it is larger than zero");
  return value;
}

}  // namespace

void read_step(Reader& reader, const Card& card) {
  if (reader.in_step) reader.fail(card.line, "*STEP inside a step", "end the step before it with *END STEP");
  reader.check_parameters(card, {"NLGEOM", "PERTURBATION", "INC", "NAME", "AMPLITUDE"},
                          {"INCF", "THERMALNETWORK", "TURBULENCEMODEL", "SHOCKSMOOTHING"});
  model::Model& model = reader.model();
  model::Step step;
  step.line = card.line;
  if (card.has("NLGEOM")) reader.nonlinear = card.value("NLGEOM") != "NO";
  step.nonlinear_geometry = reader.nonlinear;
  step.perturbation = card.has("PERTURBATION");
  if (card.has("AMPLITUDE") && card.value("AMPLITUDE") != "RAMP")
    reader.unsupported(card.line, "*STEP, AMPLITUDE=" + std::string(card.value("AMPLITUDE").substr(0, 40)));
  if (card.has("INC")) step.most_increments = reader.label(card.value("INC"), card.line, "INC");
  if (!model.steps.empty()) {
    step.output = model.steps.back().output;
    step.damping = model.steps.back().damping;
  }
  model.steps.push_back(std::move(step));

  reader.in_step = true;
  reader.procedure.clear();
  reader.seen_boundary = reader.seen_point_loads = false;
  reader.seen_distributed = reader.seen_temperatures = false;
  reader.renewed_output.clear();
}

void read_static(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"DIRECT", "SOLVER", "EXPLICIT"}, {"TIMERESET", "TOTALTIMEATSTART"});
  model::StaticStep procedure;
  procedure.direct = card.has("DIRECT");
  DataLines lines = reader.data(card);
  if (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    procedure.first_increment = positive(reader, fields.next(), line, "the first increment", 1.0);
    procedure.period = positive(reader, fields.next(), line, "the time period", 1.0);
    if (procedure.first_increment > procedure.period)
      reader.fail(line,
                  fmt::format("*STATIC: the first increment {} is longer than the step of {}",
                              procedure.first_increment, procedure.period),
                  "give the first increment, then the time period");
    procedure.least_increment = positive(reader, fields.next(), line, "the least increment",
                                         std::min(procedure.first_increment, 1e-5 * procedure.period));
    procedure.most_increment = positive(reader, fields.next(), line, "the longest increment", 1e30);
  }
  reader.take_procedure(card, procedure);
}

void read_frequency(Reader& reader, const Card& card) {
  // STORAGE: for steps that build on the modes, which find them in memory. CYCMPC, GLOBAL: of cyclic
  // symmetry.
  reader.check_parameters(card, {"SOLVER", "STORAGE", "GLOBAL", "CYCMPC"}, {});
  if (card.value("SOLVER") == "MATRIXSTORAGE")
    reader.unsupported(card.line, "*FREQUENCY, SOLVER=MATRIXSTORAGE: matrices in files instead of modes");
  model::FrequencyStep procedure;
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, "*FREQUENCY does not say how many modes",
                "give their number on the line after it");
  Fields fields(lines.text());
  procedure.line = lines.line();
  const std::int64_t modes = reader.integer(fields.next(), procedure.line, "the number of modes", 0);
  procedure.least_frequency = reader.real(fields.next(), procedure.line, "the lower frequency", 0.0);
  procedure.most_frequency = reader.real(fields.next(), procedure.line, "the upper frequency",
                                         std::numeric_limits<double>::infinity());
  if (procedure.most_frequency < procedure.least_frequency)
    reader.fail(procedure.line,
                fmt::format("*FREQUENCY: the upper frequency {} is below the lower one {}",
                            procedure.most_frequency, procedure.least_frequency),
                "give the number of modes, the lower frequency, then the upper one");
  // Beyond CalculiX: no number, or 0, with an upper frequency asks for all modes up to it.
  const bool all = modes == 0 && std::isfinite(procedure.most_frequency);
  if ((modes < 1 && !all) || modes > most_modes)
    reader.fail(procedure.line, fmt::format("*FREQUENCY: the number of modes is {}", modes),
                fmt::format("it goes from 1 to {}, or is 0 with an upper frequency", most_modes));
  if (all && procedure.most_frequency <= 0)
    reader.fail(procedure.line, "*FREQUENCY: the upper frequency is not positive",
                "give one above zero, or a number of modes");
  procedure.modes = static_cast<int>(modes);
  reader.take_procedure(card, procedure);
}

void read_no_analysis(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SOLVER", "DIRECT"});  // FreeCAD keeps those of the step it was
  reader.take_procedure(card, model::StaticStep{});
  if (!reader.no_analysis) reader.no_analysis = reader.model().steps.size() - 1;
}

void read_end_step(Reader& reader, const Card& card) {
  model::Step& step = reader.model().steps.back();
  if (reader.procedure.empty() && !reader.anything_unsupported())
    reader.fail(step.line, "the step has no procedure", "add *STATIC, *FREQUENCY or another one after *STEP");
  const bool is_explicit = std::holds_alternative<model::ExplicitStep>(step.procedure);
  if (step.nonlinear_geometry && !is_explicit && !reader.no_analysis)
    reader.unsupported(step.line, "*STEP, NLGEOM: geometric nonlinearity");
  if (!step.nonlinear_geometry && is_explicit)
    reader.warn(step.line, "*DYNAMIC, EXPLICIT computes with large displacements, without NLGEOM too");
  resolve_node_pressures(reader);
  for (model::OutputRequest& request : step.output) {
    request.frequency = reader.output_frequency;
    request.time_points = reader.output_time_points;
    request.expanded = reader.output_expanded;
    request.intervals = reader.output_intervals;
  }
  reader.in_step = false;
  reader.check_parameters(card, {});
}

}  // namespace setka::deck::detail
