// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *STEP, *STATIC, *FREQUENCY, *BUCKLE, *HEAT TRANSFER, *END STEP.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

constexpr std::int64_t most_modes = 1'000'000;

/// First increment, time period, least and longest increment, of *STATIC and of *HEAT TRANSFER.
template <class Procedure>
void read_time(const Reader& reader, const Card& card, Procedure& procedure) {
  DataLines lines = reader.data(card);
  if (!lines.next()) return;
  Fields fields(lines.text());
  const Line line = lines.line();
  const auto positive = [&](std::string_view what, double fallback) {
    const double value = reader.real(fields.next(), line, what, fallback);
    if (!(value > 0))
      reader.fail(line, fmt::format("{}: {} is {}", spelled(card.keyword), what, value),
                  "it is larger than zero");
    return value;
  };
  procedure.first_increment = positive("the first increment", 1.0);
  procedure.period = positive("the time period", 1.0);
  if (procedure.first_increment > procedure.period)
    reader.fail(line,
                fmt::format("{}: the first increment {} is longer than the step of {}", spelled(card.keyword),
                            procedure.first_increment, procedure.period),
                "give the first increment, then the time period");
  // As in CalculiX zero stands for nothing.
  const auto unless_zero = [&](std::string_view what, double fallback) {
    const double value = reader.real(fields.next(), line, what, fallback);
    if (value < 0)
      reader.fail(line, fmt::format("{}: {} is {}", spelled(card.keyword), what, value),
                  "it is larger than zero");
    return value == 0 ? fallback : value;
  };
  procedure.least_increment =
      unless_zero("the least increment", std::min(procedure.first_increment, 1e-5 * procedure.period));
  procedure.most_increment = unless_zero("the longest increment", 1e30);
}

/// The number of modes and the frequencies between which they are, of *FREQUENCY and *HEAT TRANSFER,
/// FREQUENCY.
model::FrequencyStep modes_wanted(const Reader& reader, const Card& card, std::string_view asked_by) {
  model::FrequencyStep procedure;
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, fmt::format("{} does not say how many modes", asked_by),
                "give their number on the line after it");
  Fields fields(lines.text());
  procedure.line = lines.line();
  const std::int64_t modes = reader.integer(fields.next(), procedure.line, "the number of modes", 0);
  procedure.least_frequency = reader.real(fields.next(), procedure.line, "the lower frequency", 0.0);
  procedure.most_frequency = reader.real(fields.next(), procedure.line, "the upper frequency",
                                         std::numeric_limits<double>::infinity());
  if (procedure.most_frequency < procedure.least_frequency)
    reader.fail(procedure.line,
                fmt::format("{}: the upper frequency {} is below the lower one {}", asked_by,
                            procedure.most_frequency, procedure.least_frequency),
                "give the number of modes, the lower frequency, then the upper one");
  // Beyond CalculiX: no number, or 0, with an upper frequency asks for all modes up to it.
  const bool all = modes == 0 && std::isfinite(procedure.most_frequency);
  if ((modes < 1 && !all) || modes > most_modes)
    reader.fail(procedure.line, fmt::format("{}: the number of modes is {}", asked_by, modes),
                fmt::format("it goes from 1 to {}, or is 0 with an upper frequency", most_modes));
  if (all && procedure.most_frequency <= 0)
    reader.fail(procedure.line, fmt::format("{}: the upper frequency is not positive", asked_by),
                "give one above zero, or a number of modes");
  procedure.modes = static_cast<int>(modes);
  return procedure;
}

/// SOLVER=MATRIXSTORAGE writes files and finds no modes.
void refuse_matrix_storage(Reader& reader, const Card& card, std::string_view asked_by) {
  if (card.value("SOLVER") == "MATRIXSTORAGE")
    reader.unsupported(card.line,
                       fmt::format("{}, SOLVER=MATRIXSTORAGE: matrices in files instead of modes", asked_by));
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
  reader.seen = {};
  reader.renewed_output.clear();
}

void read_static(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"DIRECT", "SOLVER", "EXPLICIT"}, {"TIMERESET", "TOTALTIMEATSTART"});
  model::StaticStep procedure;
  procedure.direct = card.has("DIRECT");
  read_time(reader, card, procedure);
  reader.take_procedure(card, procedure);
}

void read_frequency(Reader& reader, const Card& card) {
  // STORAGE: for steps that build on the modes, which find them in memory. CYCMPC, GLOBAL: of cyclic
  // symmetry.
  reader.check_parameters(card, {"SOLVER", "STORAGE", "GLOBAL", "CYCMPC"}, {});
  refuse_matrix_storage(reader, card, "*FREQUENCY");
  reader.take_procedure(card, modes_wanted(reader, card, "*FREQUENCY"));
}

void read_buckle(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SOLVER"});
  model::BuckleStep procedure;
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, "*BUCKLE does not say how many factors",
                "give their number on the line after it, usually 1");
  Fields fields(lines.text());
  procedure.line = lines.line();
  const std::int64_t factors = reader.integer(fields.next(), procedure.line, "the number of factors", 0);
  if (factors < 1 || factors > most_modes)
    reader.fail(procedure.line, fmt::format("*BUCKLE: the number of factors is {}", factors),
                fmt::format("it goes from 1 to {}", most_modes));
  // CalculiX stops at this accuracy; ours is finer than any that makes sense, so that it has no say.
  const double accuracy = reader.real(fields.next(), procedure.line, "the accuracy", 0.01);
  if (!(accuracy > 0 && accuracy < 1))
    reader.fail(procedure.line, fmt::format("*BUCKLE: the accuracy is {}", accuracy),
                "it is relative, between 0 and 1");
  const std::int64_t vectors =
      reader.integer(fields.next(), procedure.line, "the number of Lanczos vectors", 4 * factors);
  if (vectors <= factors)
    reader.fail(procedure.line, fmt::format("*BUCKLE: {} Lanczos vectors for {} factors", vectors, factors),
                "there are more vectors than factors; leave their number out, and it is chosen");
  const std::int64_t iterations =
      reader.integer(fields.next(), procedure.line, "the largest number of iterations", 1000);
  if (iterations < 1 || iterations > std::numeric_limits<int>::max())
    reader.fail(procedure.line, fmt::format("*BUCKLE: the largest number of iterations is {}", iterations),
                "it is 1 or more");
  procedure.factors = static_cast<int>(factors);
  procedure.most_iterations = static_cast<int>(iterations);
  reader.take_procedure(card, procedure);
}

namespace {

/// *HEAT TRANSFER, FREQUENCY
void read_modes_of_temperature(Reader& reader, const Card& card) {
  constexpr std::string_view name = "*HEAT TRANSFER, FREQUENCY";
  refuse_matrix_storage(reader, card, name);
  model::FrequencyStep procedure = modes_wanted(reader, card, name);
  procedure.of_temperature = true;
  reader.take_procedure(card, procedure);
}

/// *HEAT TRANSFER, MODAL DYNAMIC: as *MODAL DYNAMIC, of such modes.
void read_modal_heat(Reader& reader, const Card& card) {
  const auto& steps = reader.model().steps;
  const auto modes = std::find_if(steps.rbegin(), steps.rend(), [](const model::Step& step) {
    return std::holds_alternative<model::FrequencyStep>(step.procedure);
  });
  if (modes == steps.rend() || !std::get<model::FrequencyStep>(modes->procedure).of_temperature)
    reader.fail(card.line,
                "*HEAT TRANSFER, MODAL DYNAMIC is a sum of modes of temperatures, but no step has any",
                "add a step with *HEAT TRANSFER, FREQUENCY before it");
  take_modal_dynamic(reader, card);
}

/// What a step of temperatures that change, or have come to rest, says of itself.
void take_heat_step(Reader& reader, const Card& card, model::HeatStep procedure) {
  procedure.line = card.line;
  procedure.direct = card.has("DIRECT");
  procedure.steady = card.has("STEADYSTATE");
  procedure.time_reset = card.has("TIMERESET");
  if (card.has("DELTMX")) {
    procedure.most_change = reader.real(reader.required(card, "DELTMX"), card.line, "DELTMX");
    if (!(procedure.most_change > 0))
      reader.fail(card.line, fmt::format("{}: DELTMX is {}", spelled(card.keyword), procedure.most_change),
                  "it is the largest change of a temperature in an increment, larger than zero");
  }
  if (card.has("TOTALTIMEATSTART"))
    procedure.time_at_start =
        reader.real(reader.required(card, "TOTALTIMEATSTART"), card.line, "TOTAL TIME AT START");
  read_time(reader, card, procedure);
  reader.take_procedure(card, procedure);
}

}  // namespace

void read_temperature_displacement(Reader& reader, const Card& card) {
  // ALPHA: of inertia, which is left out.
  reader.check_parameters(
      card, {"DIRECT", "SOLVER", "STEADYSTATE", "DELTMX", "TIMERESET", "TOTALTIMEATSTART", "ALPHA"},
      {"EXPLICIT", "COMPRESSIBLE"});
  if (!card.has("STEADYSTATE"))
    reader.warn_if_supported(card.line, fmt::format("{}: inertia is left out, displacements are static at "
                                                    "every time",
                                                    spelled(card.keyword)));
  model::HeatStep procedure;
  procedure.displaces = true;
  take_heat_step(reader, card, procedure);
}

void read_heat_transfer(Reader& reader, const Card& card) {
  // STORAGE: as of *FREQUENCY. EXPLICIT is of networks and has no say in solids.
  reader.check_parameters(card, {"DIRECT", "SOLVER", "STEADYSTATE", "FREQUENCY", "STORAGE", "DELTMX",
                                 "TIMERESET", "TOTALTIMEATSTART", "EXPLICIT", "MODALDYNAMIC"});
  reader.model().steps.back().nonlinear_geometry = false;  // nothing moves, whatever NLGEOM says
  if (card.has("FREQUENCY")) return read_modes_of_temperature(reader, card);
  if (card.has("MODALDYNAMIC")) return read_modal_heat(reader, card);
  take_heat_step(reader, card, {});
}

void read_no_analysis(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SOLVER", "DIRECT"});  // FreeCAD keeps those of the step it was
  reader.take_procedure(card, model::StaticStep{});
  if (!reader.no_analysis) reader.no_analysis = reader.model().steps.size() - 1;
}

namespace {

bool of_file(model::OutputKind kind) {
  return kind == model::OutputKind::node_file || kind == model::OutputKind::element_file;
}

/// Whether OUTPUT=3D shows anything but the elements of the deck.
bool becomes_solids(const mesh::Mesh& mesh) {
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const model::Family family = model::family(mesh, e);
    if (model::is_plane(family) || family == model::Family::truss || model::has_profile(family)) return true;
  }
  return false;
}

}  // namespace

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
  check_loads(reader);
  for (model::OutputRequest& request : step.output) {
    request.frequency = reader.output_frequency;
    request.time_points = reader.output_time_points;
    request.intervals = reader.output_intervals;
    request.expanded = reader.output_expanded;
    if (!request.expanded || !of_file(request.kind)) continue;
    if (std::ranges::find(request.variables, "SF") != request.variables.end())
      reader.fail(request.line, "*EL FILE, SECTION FORCES: the step has OUTPUT=3D too",
                  "take OUTPUT=2D for section forces, or leave them out");
    if (request.set >= 0 && becomes_solids(reader.mesh()))
      reader.warn(request.line, "NSET has no effect on result files with OUTPUT=3D");
  }
  reader.in_step = false;
  reader.check_parameters(card, {});
}

}  // namespace setka::deck::detail
