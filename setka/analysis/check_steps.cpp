// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/analysis/buckle.hpp"
#include "setka/analysis/check.hpp"
#include "setka/analysis/element_state.hpp"
#include "setka/analysis/explicit_model.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/free_motions.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/heat_step.hpp"
#include "setka/analysis/load_state.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/analysis/substructure.hpp"
#include "setka/analysis/superelements.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"

namespace setka::analysis {
namespace {

constexpr std::size_t most_bodies_told = 5;

/// Does what a run would do, and turns its Error into one of the check. False where there was one.
template <class Action>
bool attempt(DeckCheck& check, Action&& action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    if (error.fault() != Fault::input) throw;
    detail::add_error(check, error.what());
    return false;
  }
}

bool is_frequency(const model::Step& step) {
  return std::holds_alternative<model::FrequencyStep>(step.procedure);
}

/// For each step, whether it computes temperatures and nothing else; sums of modes go by the modes before.
std::vector<char> steps_of_heat(const model::Model& model) {
  std::vector<char> of_heat;
  bool modes_of_temperature = false;
  for (const model::Step& step : model.steps) {
    const auto* modes = std::get_if<model::FrequencyStep>(&step.procedure);
    if (modes != nullptr) modes_of_temperature = modes->of_temperature;
    of_heat.push_back(static_cast<char>(std::holds_alternative<model::HeatStep>(step.procedure) ||
                                        ((modes != nullptr || is_modal(step)) && modes_of_temperature)));
  }
  return of_heat;
}

const char* kind_of(const model::Step& step) {
  if (std::holds_alternative<model::HeatStep>(step.procedure)) return "heat transfer";
  if (const auto* modes = std::get_if<model::FrequencyStep>(&step.procedure))
    return modes->of_temperature ? "heat modes" : "frequency";
  if (std::holds_alternative<model::ModalDynamicStep>(step.procedure)) return "modal dynamic";
  if (std::holds_alternative<model::SteadyStateStep>(step.procedure)) return "steady state";
  if (std::holds_alternative<model::ResponseSpectrumStep>(step.procedure)) return "response spectrum";
  if (std::holds_alternative<model::DynamicStep>(step.procedure)) return "dynamic";
  if (std::holds_alternative<model::ExplicitStep>(step.procedure)) return "explicit";
  if (std::holds_alternative<model::SubstructureStep>(step.procedure)) return "substructure";
  if (std::holds_alternative<model::BuckleStep>(step.procedure)) return "buckling";
  return "static";
}

/// That it adds to the total time, where that is known.
double period_of(const model::Step& step) {
  if (const auto* statics = std::get_if<model::StaticStep>(&step.procedure)) return statics->period;
  if (const auto* modal = std::get_if<model::ModalDynamicStep>(&step.procedure)) return modal->period;
  if (const auto* dynamic = std::get_if<model::DynamicStep>(&step.procedure)) return dynamic->period;
  if (const auto* own = std::get_if<model::ExplicitStep>(&step.procedure)) return own->period;
  if (const auto* heat = std::get_if<model::HeatStep>(&step.procedure)) return heat->period;
  return 0;
}

/// forces: on the solids' nodes; empty: not known.
void tell_free_motions(const Setup& setup, const fem::Constraints& constraints,
                       const std::vector<double>& forces, StepCheck& step, DeckCheck& check) {
  std::optional<fem::Constraints> of_solids;
  if (!setup.solids.rows.empty()) of_solids = constraints.compose(setup.solids.rows);
  const auto driven = [&](const solve::SparseVector& motion) {
    return drives(of_solids ? *of_solids : constraints, forces, motion);
  };
  std::size_t untold = 0;
  for (const FreeMotion& motion : free_motions(setup, constraints)) {
    const std::string text = fmt::format("step {}: {}", step.step, motion.text);
    if (!motion.certain) {
      check.warnings.push_back(text);
      continue;
    }
    step.free_motions.push_back(motion.text);
    if (step.free_motions.size() > most_bodies_told)
      ++untold;
    else if (!check.unsupported.empty())
      check.warnings.push_back(text + ", unless what is not supported holds it");
    else if (!setup.model->superelements.empty())
      check.warnings.push_back(text + ", unless a superelement holds it");
    else if (std::ranges::any_of(motion.vectors, driven))
      detail::add_error(check, text + ", and the loads would set it moving; add *BOUNDARY that holds it");
    else
      check.warnings.push_back(text + (forces.empty() ? "" : "; no load drives that"));
  }
  if (untold > 0) check.warnings.push_back(fmt::format("step {}: {} more are not held", step.step, untold));
}

}  // namespace

void detail::check_steps(const model::Model& model, bool elements_complete, DeckCheck& check,
                         Monitor& monitor) {
  const Stage stage = monitor.stage("check the steps");
  for (std::size_t s = 0; s < model.steps.size(); ++s) {
    StepCheck& step = check.steps.emplace_back();
    step.step = static_cast<int>(s) + 1;
    step.kind = kind_of(model.steps[s]);
  }
  attempt(check, [&] { refuse_heat(model); });
  std::optional<Setup> setup;
  std::optional<LoadState> loads;
  if (model.mesh.element_count() == 0 || !attempt(check, [&] { setup = set_up(model); }) ||
      !attempt(check, [&] { loads.emplace(model); })) {
    return;
  }
  const std::vector<char> of_heat = steps_of_heat(model);
  const bool mechanics = model.steps.empty() || std::ranges::count(of_heat, 0) > 0;
  std::optional<ElementState> state;
  if (elements_complete && mechanics)
    attempt(check, [&] { state.emplace(*setup, std::span<const double>()); });
  double time = 0;
  std::optional<ModalBasis> basis;  // without shapes: whether there are modes is what counts
  for (std::size_t s = 0; s < model.steps.size(); ++s) {
    StepCheck& step = check.steps[s];
    if (!attempt(check, [&] { loads->begin(model.steps[s], {}); })) return;
    step.prescribed = static_cast<std::int64_t>(loads->prescribed().size());
    step.point_loads = static_cast<std::int64_t>(loads->point_loads().size());
    step.distributed_loads = static_cast<std::int64_t>(loads->distributed_loads().size());
    step.temperatures = static_cast<std::int64_t>(loads->temperatures().size());
    const bool vibrates = is_frequency(model.steps[s]);
    const bool modal = is_modal(model.steps[s]);
    const double period = vibrates ? 1 : period_of(model.steps[s]);
    if (!vibrates) time += period;
    if (vibrates) basis.emplace().modes.resize(1);
    if (of_heat[s] != 0) continue;  // no displacements, which all that follows is about
    const bool is_explicit = step.kind == std::string_view("explicit");
    std::optional<fem::Constraints> held;
    attempt(check, [&] {
      const std::vector<double> at_rest;
      if (is_explicit)
        explicit_model(*setup, *loads, model.steps[s], time - period, s == 0 ? &at_rest : nullptr);
      else
        refuse_hyperelastic(*setup, model.steps[s]);
      refuse_superelements(model, model.steps[s]);
      const fem::Constraints constraints =
          user_constraints(*setup, *loads, period, vibrates ? time + period : time);
      step.unknowns = constraints.unknown_count();
      if (const auto* substructure = std::get_if<model::SubstructureStep>(&model.steps[s].procedure))
        retained_unknowns(*setup, *substructure, constraints);
      if (vibrates)
        check_frequency(*setup, model.steps[s], constraints.unknown_count());
      else if (std::holds_alternative<model::BuckleStep>(model.steps[s].procedure))
        check_buckle(*setup, *loads, model.steps[s], constraints);
      else if (modal)
        check_modal(*setup, *loads, model.steps[s], basis ? &*basis : nullptr);
      else if (step.kind == std::string_view("static"))
        held = constraints;  // a free body vibrates all the same
    });
    std::vector<double> forces;
    if (state && !vibrates) {
      attempt(check, [&] {
        Forces now = forces_at(*setup, *loads, *state, period, time);
        forces = std::move(now.applied);
        for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += now.strains[i];
      });
    }
    if (held) attempt(check, [&] { tell_free_motions(*setup, *held, forces, step, check); });
  }
}

}  // namespace setka::analysis
