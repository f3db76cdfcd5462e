// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_step.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/heat_balance.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/step_clock.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/io/result_writer.hpp"

namespace setka::analysis {
namespace {

/// Steps about a loaded state have the temperatures of that.
bool takes_temperatures(const model::Step& step) {
  return std::holds_alternative<model::StaticStep>(step.procedure) ||
         (std::holds_alternative<model::FrequencyStep>(step.procedure) && step.perturbation);
}

/// An increment in which a temperature changed by more than DELTMX is tried again with so much of what would
/// have been right, as in CalculiX; one that did not come into balance with a quarter.
constexpr double safety = 0.85;
constexpr double after_failure = 0.25;

}  // namespace

void refuse_heat(const model::Model& model) {
  bool heated = false;
  bool modes_heat = false;
  const auto refuse = [&](model::Line line, const char* what, const char* remedy) {
    throw Error(Fault::input, what, remedy, model.source(line));
  };
  for (const model::Step& step : model.steps) {
    const auto* modes = std::get_if<model::FrequencyStep>(&step.procedure);
    if (modes != nullptr) modes_heat = modes->of_temperature;
    if (modes_heat && std::holds_alternative<model::ResponseSpectrumStep>(step.procedure))
      refuse(step.line, "*RESPONSE SPECTRUM of modes of temperatures has no meaning",
             "use *STEADY STATE DYNAMICS or *MODAL DYNAMIC");
    const bool heats = std::holds_alternative<model::HeatStep>(step.procedure) ||
                       ((modes != nullptr || is_modal(step)) && modes_heat);
    if (heated && !heats && !takes_temperatures(step))
      refuse(step.line,
             "a step of motion or of modes after *HEAT TRANSFER: its temperatures are not taken over yet",
             "put a *STATIC step between them, and ask for modes about it (*STEP, PERTURBATION)");
    heated = heated || heats;
    for (const model::PrescribedValue& value : step.prescribed) {
      if (heats && value.fixed && value.direction > 3)
        refuse(value.line, "*BOUNDARY, FIXED of a temperature is not computed yet", "give its value");
    }
    for (const model::Radiation& radiation : step.radiation) {
      if (radiation.ambient_node >= 0)
        refuse(radiation.line, "*RADIATE: an ambient temperature that is a node's is not computed yet",
               "give its value");
    }
  }
}

double total_time_of(const model::HeatStep& procedure, double start_time, double step_time) {
  if (procedure.time_reset) return start_time - procedure.period + step_time;
  return procedure.time_at_start.value_or(start_time) + step_time;
}

HeatReport solve_heat(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                      double start_time, std::vector<double>& temperature, const Computing& computing,
                      const MotionSink& sink, Monitor& monitor, const IncrementSink& increments) {
  const auto& procedure = std::get<model::HeatStep>(step.procedure);
  HeatBalance balance(setup, loads, computing, temperature, procedure.steady, monitor);
  StepClock clock(*setup.model, step,
                  {procedure.first_increment, procedure.period, procedure.least_increment,
                   procedure.most_increment, procedure.direct, step.most_increments},
                  start_time, procedure.line);
  const Wanted wanted = wanted_results(step);
  HeatReport report;
  Stage stage = monitor.stage("temperatures", 0, "increments");
  while (!clock.at_end()) {
    const double end = clock.propose();
    const double total = total_time_of(procedure, start_time, end);
    const HeatTime time{end, total, procedure.steady ? end / procedure.period : 1.0};
    const HeatSolve solved =
        balance.advance(time, clock.length(), procedure.direct ? 1e300 : procedure.most_change, monitor);
    report.iterations += solved.iterations;
    report.inner += solved.inner;
    report.residual = solved.residual;
    if (!solved.converged) {
      const bool too_much = solved.change > procedure.most_change;
      if (clock.shorten(too_much ? safety * procedure.most_change / solved.change : after_failure)) continue;
      report.steps.converged = false;
      report.steps.trouble = solved.trouble;
      break;
    }
    const int attempts = clock.attempts();
    const double length = clock.length();
    balance.accept();
    clock.accept();
    if (increments) increments({number, clock.count(), attempts, solved.iterations, total, end, length});
    model::Frame frame;
    frame.step = number;
    frame.increment = clock.count();
    frame.last_of_step = clock.at_end();
    frame.time_point = clock.time_point();
    // The loads of a steady step have grown when it ends: displacements before that are nobody's.
    const bool on_the_way = procedure.displaces && procedure.steady && !frame.last_of_step;
    if (io::output_is_due(step, frame) && !on_the_way) {
      const Stage recovering = monitor.stage("fluxes");
      frame.time = total;
      balance.fill_frame(wanted, frame);
      temperature = balance.temperatures();
      sink(frame);
      ++report.steps.frames;
    }
    stage.advance();
  }
  report.method = balance.method();
  report.unknowns = balance.unknowns();
  report.steps.increments = clock.count();
  report.steps.duration = total_time_of(procedure, start_time, procedure.period) - start_time;
  temperature = balance.temperatures();
  log::debug("*HEAT TRANSFER: {} increments, {} iterations, {} of conjugate gradients, {} hierarchies",
             clock.count(), report.iterations, report.inner, balance.hierarchies());
  return report;
}

}  // namespace setka::analysis
