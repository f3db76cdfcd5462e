// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/dynamic_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/attraction.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/increments.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/team_assembly.hpp"
#include "setka/analysis/team_motion.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/fem/assembly.hpp"

namespace setka::analysis {
namespace {

using dynamics::Newmark;

/// The first accelerations are found with the stiffness of an increment a tenth as long, as in CalculiX.
constexpr double part_at_start = 0.1;

void add(double factor, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

}  // namespace

MotionState between(const MotionState& a, const MotionState& b, double part, double h) {
  const double s = part;
  const double of_a = (1 + 2 * s) * (1 - s) * (1 - s);
  const double of_b = s * s * (3 - 2 * s);
  const double of_va = h * s * (1 - s) * (1 - s);
  const double of_vb = h * s * s * (s - 1);
  const double slope = 6 * s * (1 - s) / h;
  const double slope_a = (1 - s) * (1 - 3 * s);
  const double slope_b = s * (3 * s - 2);
  const auto position = [&](double ua, double va, double ub, double vb) {
    return of_a * ua + of_va * va + of_b * ub + of_vb * vb;
  };
  const auto velocity = [&](double ua, double va, double ub, double vb) {
    return slope * (ub - ua) + slope_a * va + slope_b * vb;
  };
  MotionState state = a;
  for (std::size_t i = 0; i < state.u.size(); ++i) {
    state.u[i] = position(a.u[i], a.v[i], b.u[i], b.v[i]);
    state.v[i] = velocity(a.u[i], a.v[i], b.u[i], b.v[i]);
  }
  for (std::size_t i = 0; i < state.bases.size(); ++i) {
    const BaseState& from = a.bases[i];
    const BaseState& to = b.bases[i];
    state.bases[i].position = position(from.position, from.velocity, to.position, to.velocity);
    state.bases[i].velocity = velocity(from.position, from.velocity, to.position, to.velocity);
  }
  return state;
}

DynamicModel::DynamicModel(const Setup& setup, const LoadState& loads, const model::Step& step,
                           double start_time, const Computing& computing, Monitor& monitor)
    : setup_(setup),
      loads_(loads),
      start_time_(start_time),
      line_(std::get<model::DynamicStep>(step.procedure).line),
      computing_(computing),
      monitor_(monitor),
      state_(setup, std::span<const double>()),
      of_users_(user_constraints(setup, loads, [](const auto&) { return 0.0; })),
      of_solids_(setup.solids.rows.empty() ? std::optional<fem::Constraints>()
                                           : of_users_.compose(setup.solids.rows)) {
  const std::string obstacle =
      computing.ranks != nullptr ? obstacle_to_parts(setup, computing.team->size()) : std::string();
  if (!obstacle.empty())
    log::warning("*DYNAMIC: the model is not shared out, and every process moves all of it: {}", obstacle);
  else if (computing.team)
    of_team_.emplace(setup.solids.region(), 3, constraints());
  if (!of_team_) {
    matrices_.emplace(dynamic_matrices(setup, state_, constraints(), computing, monitor));
    solver_ = step_solver(*matrices_, computing);
  }
  std::vector<Vector> patterns;
  find_forces(patterns);
  find_bases(step, patterns);
  if (matrices_) {
    motion_ = std::make_unique<dynamics::ImplicitDynamics>(matrices_->operators(), *solver_, patterns);
  } else {
    motion_ = std::make_unique<TeamMotion>(setup, state_, *of_team_, patterns, computing, monitor);
  }
}

void DynamicModel::begin(const Newmark& scheme, const BodyMotion& motion) {
  const Stage stage = monitor_.stage("start");
  const auto start = [&](const Vector& of_user) {
    Vector q(static_cast<std::size_t>(of_users_.unknown_count()), 0.0);
    const auto dofs = of_users_.unknown_dofs();
    for (std::size_t i = 0; i < q.size() && !of_user.empty(); ++i)
      q[i] = of_user[static_cast<std::size_t>(dofs[i])];
    return space().spread(q);
  };
  motion_->set_state(start(motion.position), start(motion.velocity));
  base_motion_.assign(bases_.size(), {});
  for (std::size_t i = 0; i < bases_.size(); ++i) base_motion_[i].position = bases_[i].curve.before(0);
  Newmark shorter = scheme;
  shorter.step *= part_at_start;
  follow_masses(0);
  check(motion_->begin(factors(base_motion_, 0, true), shorter.of_stiffness(), monitor_), 0);
}

void DynamicModel::advance(const Newmark& scheme, double time) {
  next_base_motion_ = base_motion_;
  Vector inertial(pattern_count(), 0.0);
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    BaseState& base = next_base_motion_[i];
    const double position = scheme.predicted_position(base.position, base.velocity, base.acceleration);
    const double velocity = scheme.predicted_velocity(base.velocity, base.acceleration);
    base.position = bases_[i].curve.before(time);
    base.acceleration = scheme.acceleration(position, base.position);
    base.velocity = scheme.velocity(velocity, base.acceleration);
    inertial[curves_.size() + 3 * i + 2] = -base.acceleration;
  }
  follow_masses(scheme.step);
  const dynamics::StepSolve report =
      motion_->advance(scheme, factors(next_base_motion_, time, false), inertial, monitor_);
  check(report, time);
  iterations_ += report.iterations;
}

void DynamicModel::check(const dynamics::StepSolve& report, double time) const {
  if (report.converged) return;
  // A factor gives back what is not a number, which is seen later; conjugate gradients stop here.
  if (!std::isfinite(report.residual)) refuse_motion(*setup_.model, line_, start_time_ + time);
  throw Error(Fault::input, fmt::format("*DYNAMIC: an increment is not solved: {}", report.trouble),
              "add *DENSITY to every material, look for nodes that nothing holds, try shorter increments");
}

void DynamicModel::accept() {
  motion_->accept();
  std::swap(base_motion_, next_base_motion_);
}

std::vector<double> DynamicModel::displacements(const MotionState& at) const {
  return expanded(constraints(), at.u, at.bases, &BaseState::position, &Base::shape);
}

std::vector<double> DynamicModel::velocities(const MotionState& at) const {
  return expanded(constraints(), at.v, at.bases, &BaseState::velocity, &Base::shape);
}

BodyMotion DynamicModel::body(const MotionState& at) const {
  return {expanded(of_users_, at.u, at.bases, &BaseState::position, &Base::user_shape),
          expanded(of_users_, at.v, at.bases, &BaseState::velocity, &Base::user_shape)};
}

dynamics::Curve DynamicModel::curve_of(std::int32_t amplitude) const {
  if (amplitude < 0) return {};
  const model::Amplitude& curve = setup_.model->amplitudes[static_cast<std::size_t>(amplitude)];
  return dynamics::Curve(curve.points, curve.total_time ? -start_time_ : 0.0);
}

void DynamicModel::find_forces(std::vector<Vector>& patterns) {
  const auto found = [&](dynamics::Curve curve, const Vector& forces) {
    curves_.push_back(std::move(curve));
    patterns.push_back(space().spread(constraints().restrict_forces(forces)));
  };
  std::set<std::int32_t> amplitudes;
  for (const model::PointLoad& load : loads_.point_loads()) amplitudes.insert(load.amplitude);
  for (const model::DistributedLoad& load : loads_.distributed_loads()) amplitudes.insert(load.amplitude);
  amplitudes_.assign(amplitudes.begin(), amplitudes.end());
  for (const std::int32_t amplitude : amplitudes_) {
    curves_.push_back(curve_of(amplitude));
    patterns.push_back(force_pattern(amplitude, {}));
  }
  // What initial stresses push.
  const Vector strains = forces_at(setup_, loads_, state_, 0, start_time_).strains;
  if (std::ranges::any_of(strains, [](double f) { return f != 0; })) found({}, strains);
}

DynamicModel::Vector DynamicModel::force_pattern(std::int32_t amplitude,
                                                 std::span<const double> moved) const {
  const Vector forces = applied_forces(
      setup_, loads_, state_, [&](std::int32_t own, bool) { return own == amplitude ? 1.0 : 0.0; }, moved);
  return space().spread(constraints().restrict_forces(forces));
}

void DynamicModel::follow_masses(double time) {
  if (!has_attraction(loads_)) return;
  const MotionState now = state();
  Vector moved = displacements(now);
  const Vector rate = velocities(now);
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += time * rate[i];
  for (std::size_t k = 0; k < amplitudes_.size(); ++k)
    motion_->replace_pattern(k, force_pattern(amplitudes_[k], moved));
}

void DynamicModel::find_bases(const model::Step& step, std::vector<Vector>& patterns) {
  for (const BasePattern& pattern : base_patterns(loads_, step)) {
    const fem::Constraints users = constraints_of(setup_, loads_, pattern);
    std::optional<fem::Constraints> solids;
    if (of_solids_) solids = users.compose(setup_.solids.rows);
    const fem::Constraints& moved = solids ? *solids : users;
    Base base;
    base.curve = curve_of(pattern.amplitude);
    base.shape.assign(moved.shifts().begin(), moved.shifts().end());
    base.user_shape.assign(users.shifts().begin(), users.shifts().end());
    bases_.push_back(std::move(base));
    const auto from_shifts = [&](double k, double c, double m) {
      return fem::assemble(space().prescribing(moved), dynamic_element_matrix(setup_, state_, k, c, m),
                           computing_.cpu, monitor_)
          .from_shifts;
    };
    patterns.push_back(from_shifts(1, 0, 0));
    patterns.push_back(has_damping(setup_) ? from_shifts(0, 1, 0) : Vector(patterns.back().size(), 0.0));
    patterns.push_back(from_shifts(0, 0, 1));
  }
}

DynamicModel::Vector DynamicModel::factors(const std::vector<BaseState>& bases, double time,
                                           bool at_start) const {
  Vector values;
  for (const dynamics::Curve& curve : curves_)
    values.push_back(at_start ? curve.after(time) : curve.before(time));
  for (const BaseState& base : bases) {
    values.push_back(-base.position);
    values.push_back(-base.velocity);
    values.push_back(0);
  }
  return values;
}

DynamicModel::Vector DynamicModel::expanded(const fem::Constraints& by, const Vector& blocked,
                                            const std::vector<BaseState>& bases, double BaseState::*factor,
                                            Vector Base::*shape) const {
  Vector all = by.expand(space().collect(blocked));
  for (std::size_t i = 0; i < bases_.size(); ++i) add(bases[i].*factor, bases_[i].*shape, all);
  return all;
}

}  // namespace setka::analysis
