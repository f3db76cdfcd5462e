// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/heat_balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/team_assembly.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/domains/space_parts.hpp"

namespace setka::analysis {
namespace {

/// Heat out of balance, of what passes, and corrections, of the largest temperature, at which Newton's method
/// ends.
constexpr double balanced = 1e-8;
constexpr double settled = 1e-10;
constexpr int most_iterations = 40;

/// Unknowns up to which a steady model is looked through for parts that nothing holds before it is solved;
/// larger ones where nothing at all is held, or when they were not solved.
constexpr std::int64_t most_looked_through = 500'000;

/// Whether what is prescribed is another at another time of the step.
bool changes_in_time(const LoadState& loads, bool steady) {
  return steady || std::ranges::any_of(loads.prescribed(), [](const model::PrescribedValue& value) {
           return value.direction == temperature_direction && value.amplitude >= 0;
         });
}

/// Whether a temperature that is prescribed has a part in those of other nodes.
bool couples_temperatures(const Setup& setup, const LoadState& loads) {
  if (!setup.solids.origin.empty()) return true;
  for (std::size_t i = 0; i < setup.model->equations.size(); ++i) {
    if (loads.has_equation(i) && setup.model->equations[i].terms.front().direction == temperature_direction)
      return true;
  }
  return false;
}

HeatSpace constrained_space(const Setup& setup, const LoadState& loads, std::span<const double> temperature,
                            Monitor& monitor) {
  const Stage stage = monitor.stage("constraints");
  return heat_space(setup, temperature_constraints(setup, loads, temperature, HeatTime{}));
}

bool same(std::span<const FaceLoss> a, std::span<const FaceLoss> b) {
  return std::ranges::equal(a, b,
                            [](const FaceLoss& x, const FaceLoss& y) { return x.h == y.h && x.r == y.r; });
}

}  // namespace

template <class Do>
auto HeatBalance::together(Monitor& monitor, const Do& work) const {
  if (!team_) return work(first(), monitor);
  using Given = std::invoke_result_t<Do, HeatPart&, Monitor&>;
  std::optional<Given> given;
  team_->run([&](const exec::Member& member) {
    const bool is_first = member.number() == std::max(0, team_->only());
    Monitor silent;
    Given own = work(*parts_[static_cast<std::size_t>(member.number())], is_first ? monitor : silent);
    if (is_first) given.emplace(std::move(own));
  });
  return *given;
}

HeatBalance::HeatBalance(const Setup& setup, const LoadState& loads, const Computing& computing,
                         std::span<const double> temperature, bool steady, Monitor& monitor)
    : setup_(setup),
      loads_(loads),
      computing_(computing),
      team_(computing.team),
      steady_(steady),
      start_(temperature.begin(), temperature.end()),
      space_(constrained_space(setup, loads, start_, monitor)),
      zero_(setup.model->constants.absolute_zero.value_or(0)),
      sources_(heat_sources(loads)),
      computed_(sources_.size(), false),
      varies_(changes_in_time(loads, steady)),
      couples_(couples_temperatures(setup, loads)) {
  if (team_) share_out(monitor);
  losses_ = face_losses(setup, loads, {});
  loss_amplitudes_ = amplitudes_of_losses(loads);
  radiates_ = !loads.radiation().empty();  // an amplitude may let it begin later
  {
    const Stage stage = monitor.stage("elements to the device");
    make_parts();
  }
  const Stage stage = monitor.stage("surfaces");
  cavities_.emplace(setup, loads, losses_, computing.cpu.threads());
  const bool nothing = losses_.empty() && unknowns() == setup.solids.node_count();
  if (steady_ && (nothing || unknowns() <= most_looked_through)) require_held();
}

/// Where it can be.
void HeatBalance::share_out(Monitor& monitor) {
  std::string obstacle = obstacle_to_parts(setup_, team_->size());
  if (!setup_.solids.expanded.empty()) obstacle = "shells and beams have temperatures across their sections";
  if (!obstacle.empty() && computing_.ranks == nullptr)
    throw Error(
        Fault::usage,
        fmt::format("*HEAT TRANSFER: {} devices cannot share the model out: {}", team_->size(), obstacle),
        "name one device");
  if (!obstacle.empty()) {
    log::warning("*HEAT TRANSFER: the model is not shared out, and every process computes all of it: {}",
                 obstacle);
    team_.reset();
    return;
  }
  shared_ = parts_for(space_.space, *team_, computing_.cpu, monitor);
  if (team_->only() < 0) return;
  elements_here_.assign(static_cast<std::size_t>(setup_.solids.element_count()), 0);
  for (const std::int32_t e : shared_->elements(team_->only()))
    elements_here_[static_cast<std::size_t>(e)] = 1;
}

void HeatBalance::make_parts() {
  const std::vector<double> temperature = on_solid_nodes(setup_.solids, start_);
  parts_.resize(team_ ? static_cast<std::size_t>(team_->size()) : 1);
  if (!team_) {
    parts_.front() = std::make_unique<HeatPart>(setup_, computing_, space_, temperature, losses_, steady_);
    return;
  }
  team_->run([&](const exec::Member& member) {
    parts_[static_cast<std::size_t>(member.number())] =
        std::make_unique<HeatPart>(setup_, computing_, member, *shared_, temperature, losses_, steady_);
  });
}

std::vector<double> HeatBalance::collected(Put put, std::size_t size) const {
  std::vector<double> all(size, 0.0);
  Monitor silent;
  together(silent, [&](const HeatPart& part, Monitor&) {
    (part.*put)(all);
    return true;
  });
  if (team_) team_->collect(all);
  return all;
}

void HeatBalance::require_held() const {
  std::vector<std::int32_t> losing;
  for (const FaceLoss& loss : losses_) losing.push_back(loss.element);
  const std::optional<std::int32_t> node = not_held(setup_, space_.space, losing);
  if (!node) return;
  throw Error(Fault::input,
              fmt::format("the temperature of the part with node {} is not held by anything",
                          setup_.model->mesh.node_label(*node)),
              "prescribe it somewhere (*BOUNDARY, degree of freedom 11), or give a *FILM or *RADIATE");
}

void HeatBalance::take_sources(const HeatTime& time, Monitor& monitor) {
  std::vector<double> factors;
  factors.reserve(sources_.size());
  for (const HeatSource& source : sources_) factors.push_back(factor_of(source, loads_, time));
  if (has_sources_ && factors == factors_) return;
  Monitor silent;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (factors[i] == 0 || computed_[i]) continue;
    const Stage stage = monitor.stage("sources");
    const std::vector<double> heat =
        heat_of(sources_[i], setup_, loads_, computing_.cpu.threads(), elements_here_);
    together(silent, [&](HeatPart& part, Monitor&) {
      part.take_source(i, heat);
      return true;
    });
    computed_[i] = true;
  }
  together(silent, [&](HeatPart& part, Monitor&) {
    part.add_sources(factors);
    return true;
  });
  has_sources_ = true;
  factors_ = std::move(factors);
}

/// Where what is prescribed has its value from the beginning of an increment on, [solid nodes]: not where it
/// follows an amplitude, by itself or by equations.
std::span<const std::int8_t> HeatBalance::jumps() {
  if (!jumps_.empty()) return jumps_;
  jumps_.assign(solid_nodes(), 1);
  if (!couples_) {
    for (const model::PrescribedValue& value : loads_.prescribed()) {
      if (value.direction == temperature_direction && value.amplitude >= 0)
        jumps_[static_cast<std::size_t>(value.node)] = 0;
    }
    return jumps_;
  }
  const auto with = [&](double of_amplitudes) {
    return temperature_constraints(setup_, loads_, start_, [&](const model::PrescribedValue& value) {
      return value.amplitude >= 0 ? of_amplitudes : 0.0;
    });
  };
  const fem::Constraints none = with(0);
  const fem::Constraints some = with(1);
  for (std::int32_t node = 0; node < none.dof_count(); ++node) {
    if (none.shift(node) != some.shift(node)) jumps_[static_cast<std::size_t>(node)] = 0;
  }
  return jumps_;
}

/// Of the temperatures that are prescribed at a time those that are others than in the state.
std::vector<PrescribedChange> HeatBalance::changes_by(const HeatTime& time) {
  std::vector<PrescribedChange> changes;
  const fem::Constraints& constraints = space_.space.constraints();
  const std::span<const std::int8_t> at_once = jumps();
  const auto take = [&](std::int32_t node, double value) {
    const auto n = static_cast<std::size_t>(node);
    const double by = value - shifts_[n];
    if (by != 0)
      changes.push_back({node, constraints.row(node).empty(),
                         at_once[n] != 0 && !is_unknown(constraints, node), by, value});
  };
  if (!couples_) {
    for (const model::PrescribedValue& value : loads_.prescribed()) {
      if (value.direction != temperature_direction || value.imaginary) continue;
      take(value.node,
           prescribed_temperature(loads_, value, start_[static_cast<std::size_t>(value.node)], time));
    }
    return changes;
  }
  const fem::Constraints now = temperature_constraints(setup_, loads_, start_, time);
  for (std::int32_t node = 0; node < now.dof_count(); ++node) take(node, now.shift(node));
  return changes;
}

/// What is tried has the unknowns of the state and the values that are prescribed at the time.
void HeatBalance::take_constraints(const HeatTime& time, Monitor& monitor) {
  Monitor silent;
  changes_.clear();
  if (!fits_) {
    const Stage stage = monitor.stage("prescribed temperatures");
    if (shifts_.empty()) {  // temperatures are those of before, whatever is prescribed
      const fem::Constraints now = temperature_constraints(setup_, loads_, start_, time);
      const std::span<const std::int8_t> at_once = jumps();
      together(silent, [&](HeatPart& part, Monitor&) {
        part.try_state(now, at_once);
        return true;
      });
      first_shifts_.assign(now.shifts().begin(), now.shifts().end());
      return;
    }
    changes_ = changes_by(time);
  }
  together(silent, [&](HeatPart& part, Monitor&) {
    if (changes_.empty())
      part.try_state();
    else
      part.try_state(changes_);
    return true;
  });
}

void HeatBalance::update_coefficients(Monitor& monitor) {
  const bool fresh = !std::exchange(has_coefficients_, true);
  const bool conducts = fresh || first().materials().conductivity_varies();
  const bool keeps = !steady_ && (fresh || first().materials().capacity_varies());
  if (!conducts && !keeps) return;
  const Stage stage = monitor.stage("materials");
  together(monitor, [&](HeatPart& part, Monitor&) {
    if (conducts) part.take_conductivity();
    if (keeps) part.take_capacity();
    return true;
  });
  made_for_.reset();
}

/// Films and radiation of the time, where they are others than before.
void HeatBalance::take_losses(const HeatTime& time) {
  std::vector<double> factors{time.share};
  for (const std::int32_t amplitude : loss_amplitudes_)
    factors.push_back(loads_.factor(amplitude, time.step_time, time.total_time));
  // What faces of cavities see is of the temperatures as well.
  if (factors == loss_factors_ && cavities_->empty()) return;
  losses_ = face_losses(setup_, loads_, time);
  loss_factors_ = std::move(factors);
  give_losses();
}

void HeatBalance::give_losses() {
  Monitor silent;
  together(silent, [&](HeatPart& part, Monitor&) {
    part.take_losses(losses_);
    return true;
  });
}

void HeatBalance::assemble(double per_time, Monitor& monitor) {
  if (made_for_ == per_time && !radiates_ && same(losses_, made_with_)) return;
  together(monitor, [&](HeatPart& part, Monitor& own) {
    part.assemble(per_time, zero_, own);
    return true;
  });
  made_for_ = per_time;
  made_with_ = losses_;
}

HeatSolve HeatBalance::advance(const HeatTime& time, double length, double most_change, Monitor& monitor) {
  const double per_time = steady_ ? 0 : 1 / length;
  take_losses(time);
  take_sources(time, monitor);
  take_constraints(time, monitor);
  HeatSolve report;
  report.converged = false;
  for (int iteration = 1; iteration <= most_iterations; ++iteration) {
    update_coefficients(monitor);
    if (!cavities_->empty()) {
      cavities_->look_around(collected(&HeatPart::put_trial, solid_nodes()), zero_, losses_);
      give_losses();
    }
    const HeatPart::Balance found =
        together(monitor, [&](HeatPart& part, Monitor&) { return part.balance(per_time, zero_); });
    report.residual = found.passes > 0 ? found.lacks / found.passes : 0;
    if (!std::isfinite(found.lacks)) {
      report.trouble = "temperatures are not numbers";
      return report;
    }
    log::debug("*HEAT TRANSFER: iteration {}: {:.2e} of {:.3e} out of balance", iteration, report.residual,
               found.passes);
    if (iteration > 1 && (report.residual <= balanced || !nonlinear())) {
      report.converged = true;
      break;
    }
    if (unknowns() == 0) {
      report.converged = true;
      break;
    }
    assemble(per_time, monitor);
    const dynamics::StepSolve solved =
        together(monitor, [](HeatPart& part, Monitor& own) { return part.solve(own); });
    report.inner += solved.iterations;
    ++report.iterations;
    if (!solved.converged) {
      if (steady_) require_held();
      report.trouble = solved.trouble;
      return report;
    }
    const HeatPart::Correction made =
        together(monitor, [](HeatPart& part, Monitor&) { return part.correct(); });
    if (iteration == 1) report.change = made.correction;  // of what is not prescribed, as in CalculiX
    if (iteration == 1 && report.change > most_change) {
      report.trouble = "temperatures change too much";
      return report;
    }
    if (!nonlinear() && solved.residual > 0) {  // what conjugate gradients left is what is out of balance
      report.residual *= solved.residual;
      report.converged = true;
      break;
    }
    if (made.correction <= settled * made.temperature) {
      report.converged = true;
      break;
    }
  }
  if (!report.converged)
    report.trouble = fmt::format("{} iterations did not bring heat into balance ({:.1e} of it is not)",
                                 report.iterations, report.residual);
  return report;
}

void HeatBalance::accept() {
  Monitor silent;
  together(silent, [](HeatPart& part, Monitor&) {
    part.accept();
    return true;
  });
  if (shifts_.empty()) shifts_ = std::move(first_shifts_);
  for (const PrescribedChange& change : changes_)
    shifts_[static_cast<std::size_t>(change.node)] = change.value;
  fits_ = !varies_;
}

std::vector<double> HeatBalance::temperatures() const {
  return collected(&HeatPart::put_state, solid_nodes());
}

void HeatBalance::fill_frame(const Wanted& wanted, model::Frame& frame) const {
  HeatFrame values{temperatures(), {}, {}, {}};
  if (wants_conducted(wanted)) values.conducted = collected(&HeatPart::put_conducted, solid_nodes());
  if (wants_flux(wanted) && !team_)
    first().take_flux(wanted, values);
  else if (wants_flux(wanted))
    values.flux_at_points =
        collected(&HeatPart::put_flux, 3 * static_cast<std::size_t>(setup_.points.first_point.back()));
  fill_heat_frame(setup_, std::move(values), wanted, computing_.cpu.threads(), frame);
}

}  // namespace setka::analysis
