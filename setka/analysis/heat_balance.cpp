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

/// Whether what is prescribed and what heats is another at another time of the step.
bool changes_in_time(const LoadState& loads, bool steady) {
  const auto has_amplitude = [](const auto& growing) { return growing.load.amplitude >= 0; };
  return steady || std::ranges::any_of(loads.point_fluxes(), has_amplitude) ||
         std::ranges::any_of(loads.distributed_fluxes(), has_amplitude) ||
         std::ranges::any_of(loads.prescribed(), [](const model::PrescribedValue& value) {
           return value.direction == temperature_direction && value.amplitude >= 0;
         });
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
      space_(heat_space(setup, temperature_constraints(setup, loads, start_, HeatTime{}))),
      zero_(setup.model->constants.absolute_zero.value_or(0)),
      varies_(changes_in_time(loads, steady)) {
  if (team_) share_out(monitor);
  const Stage stage = monitor.stage("surfaces");
  const std::vector<FaceLoss> losses = face_losses(setup, loads, {});
  radiates_ = !loads.radiation().empty();  // an amplitude may let it begin later
  make_parts(losses);
  cavities_.emplace(setup, loads, losses, computing.cpu.threads());
  const bool nothing = losses.empty() && unknowns() == setup.solids.node_count();
  if (steady_ && (nothing || unknowns() <= most_looked_through)) require_held(losses);
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

void HeatBalance::make_parts(std::span<const FaceLoss> losses) {
  const std::vector<double> temperature = on_solid_nodes(setup_.solids, start_);
  parts_.resize(team_ ? static_cast<std::size_t>(team_->size()) : 1);
  if (!team_) {
    parts_.front() = std::make_unique<HeatPart>(setup_, computing_, space_, temperature, losses, steady_);
    return;
  }
  team_->run([&](const exec::Member& member) {
    parts_[static_cast<std::size_t>(member.number())] =
        std::make_unique<HeatPart>(setup_, computing_, member, *shared_, temperature, losses, steady_);
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

void HeatBalance::require_held(std::span<const FaceLoss> losses) const {
  std::vector<std::int32_t> losing;
  for (const FaceLoss& loss : losses) losing.push_back(loss.element);
  const std::optional<std::int32_t> node = not_held(setup_, space_.space, losing);
  if (!node) return;
  throw Error(Fault::input,
              fmt::format("the temperature of the part with node {} is not held by anything",
                          setup_.model->mesh.node_label(*node)),
              "prescribe it somewhere (*BOUNDARY, degree of freedom 11), or give a *FILM or *RADIATE");
}

void HeatBalance::take_sources(const HeatTime& time) {
  if (std::exchange(has_sources_, true) && !varies_) return;
  const std::vector<double> sources = heat_sources(setup_, loads_, time, elements_here_);
  Monitor silent;
  together(silent, [&](HeatPart& part, Monitor&) {
    part.take_sources(sources);
    return true;
  });
}

/// What is tried has the unknowns of the state and the values that are prescribed at the time.
void HeatBalance::take_constraints(const HeatTime& time) {
  Monitor silent;
  if (fits_) {
    together(silent, [](HeatPart& part, Monitor&) {
      part.try_state();
      return true;
    });
    return;
  }
  const fem::Constraints now = temperature_constraints(setup_, loads_, start_, time);
  std::vector<std::int8_t> jumps(static_cast<std::size_t>(setup_.solids.node_count()), 1);
  for (const model::PrescribedValue& value : loads_.prescribed()) {
    if (value.direction == temperature_direction && value.amplitude >= 0)
      jumps[static_cast<std::size_t>(value.node)] = 0;
  }
  together(silent, [&](HeatPart& part, Monitor&) {
    part.try_state(now, jumps);
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

void HeatBalance::assemble(double per_time, std::span<const FaceLoss> losses, Monitor& monitor) {
  if (made_for_ == per_time && !radiates_ && same(losses, made_with_)) return;
  together(monitor, [&](HeatPart& part, Monitor& own) {
    part.assemble(per_time, losses, zero_, own);
    return true;
  });
  made_for_ = per_time;
  made_with_.assign(losses.begin(), losses.end());
}

HeatSolve HeatBalance::advance(const HeatTime& time, double length, double most_change, Monitor& monitor) {
  const double per_time = steady_ ? 0 : 1 / length;
  std::vector<FaceLoss> losses = face_losses(setup_, loads_, time);
  take_sources(time);
  take_constraints(time);
  HeatSolve report;
  report.converged = false;
  for (int iteration = 1; iteration <= most_iterations; ++iteration) {
    update_coefficients(monitor);
    if (!cavities_->empty())
      cavities_->look_around(collected(&HeatPart::put_trial, solid_nodes()), zero_, losses);
    const HeatPart::Balance found =
        together(monitor, [&](HeatPart& part, Monitor&) { return part.balance(per_time, losses, zero_); });
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
    assemble(per_time, losses, monitor);
    const dynamics::StepSolve solved =
        together(monitor, [](HeatPart& part, Monitor& own) { return part.solve(own); });
    report.inner += solved.iterations;
    ++report.iterations;
    if (!solved.converged) {
      if (steady_) require_held(losses);
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
  fits_ = !varies_;
}

std::vector<double> HeatBalance::temperatures() const {
  return collected(&HeatPart::put_state, solid_nodes());
}

void HeatBalance::fill_frame(const Wanted& wanted, model::Frame& frame) const {
  HeatFrame values{temperatures(), {}, {}};
  if (wants_conducted(wanted)) values.conducted = collected(&HeatPart::put_conducted, solid_nodes());
  if (wants_flux(wanted))
    values.flux_at_points =
        collected(&HeatPart::put_flux, 3 * static_cast<std::size_t>(setup_.points.first_point.back()));
  fill_heat_frame(setup_, std::move(values), wanted, computing_.cpu.threads(), frame);
}

}  // namespace setka::analysis
