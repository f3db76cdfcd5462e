// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/dynamic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/dynamic_matrices.hpp"
#include "setka/analysis/forces.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/increments.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/motion_frame.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/implicit_dynamics.hpp"
#include "setka/dynamics/newmark.hpp"
#include "setka/dynamics/step_control.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/io/result_writer.hpp"

namespace setka::analysis {
namespace {

using dynamics::Newmark;
using Vector = std::vector<double>;

/// Of the displacements' error in an increment, relative to the largest displacements (2-norms).
constexpr double error_tolerance = 1e-3;

/// Increments of the first look at a step.
constexpr double look_increments = 16;

/// The first accelerations are found with the stiffness of an increment a tenth as long, as in CalculiX.
constexpr double part_at_start = 0.1;

void add(double factor, const Vector& x, Vector& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// How a base moves: by an amplitude, a multiple of its shape.
struct BaseMotion {
  double position = 0;
  double velocity = 0;
  double acceleration = 0;
};

/// A base that moves by an amplitude, and the shape of what it takes with it.
struct Base {
  dynamics::Curve curve;
  Vector shape;       // [3 solid nodes]
  Vector user_shape;  // [user dofs]
};

/// Where everything is at a time: unknowns in blocks, and the bases.
struct MotionState {
  Vector u;
  Vector v;
  std::vector<BaseMotion> bases;
};

/// Between two states, at a part of the time h from one to the other: cubic by both positions and velocities.
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
    const BaseMotion& from = a.bases[i];
    const BaseMotion& to = b.bases[i];
    state.bases[i].position = position(from.position, from.velocity, to.position, to.velocity);
    state.bases[i].velocity = velocity(from.position, from.velocity, to.position, to.velocity);
  }
  return state;
}

/// The model as equations of motion, and what comes out of them as displacements.
class Dynamics {
 public:
  Dynamics(const Setup& setup, const LoadState& loads, const model::Step& step, double start_time,
           const Computing& computing, Monitor& monitor)
      : setup_(setup),
        loads_(loads),
        start_time_(start_time),
        computing_(computing),
        monitor_(monitor),
        state_(setup, std::span<const double>()),
        of_users_(user_constraints(setup, loads, [](const auto&) { return 0.0; })),
        of_solids_(setup.solids.rows.empty() ? std::optional<fem::Constraints>()
                                             : of_users_.compose(setup.solids.rows)),
        matrices_(dynamic_matrices(setup, state_, constraints(), computing, monitor)),
        solver_(step_solver(setup, constraints(), matrices_, computing)) {
    std::vector<Vector> patterns;
    find_forces(patterns);
    find_bases(step, patterns);
    motion_.emplace(matrices_.operators(), *solver_, patterns);
  }

  const ElementState& element_state() const { return state_; }
  const dynamics::StepSolver& solver() const { return *solver_; }

  /// The state at the start, and the acceleration that loads give it.
  void begin(const Newmark& scheme, const BodyMotion& motion) {
    const Stage stage = monitor_.stage("start");
    const auto start = [&](const Vector& of_user) {
      Vector q(static_cast<std::size_t>(of_users_.unknown_count()), 0.0);
      const auto dofs = of_users_.unknown_dofs();
      for (std::size_t i = 0; i < q.size() && !of_user.empty(); ++i)
        q[i] = of_user[static_cast<std::size_t>(dofs[i])];
      return numbering().spread(q);
    };
    motion_->set_state(start(motion.position), start(motion.velocity));
    base_motion_.assign(bases_.size(), {});
    for (std::size_t i = 0; i < bases_.size(); ++i) base_motion_[i].position = bases_[i].curve.before(0);
    Newmark shorter = scheme;
    shorter.step *= part_at_start;
    check(motion_->begin(factors(base_motion_, 0, true), shorter.of_stiffness(), monitor_));
  }

  /// Tries an increment to a time.
  void advance(const Newmark& scheme, double time) {
    next_base_motion_ = base_motion_;
    Vector inertial(pattern_count(), 0.0);
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      BaseMotion& base = next_base_motion_[i];
      const double position = scheme.predicted_position(base.position, base.velocity, base.acceleration);
      const double velocity = scheme.predicted_velocity(base.velocity, base.acceleration);
      base.position = bases_[i].curve.before(time);
      base.acceleration = scheme.acceleration(position, base.position);
      base.velocity = scheme.velocity(velocity, base.acceleration);
      inertial[curves_.size() + 3 * i + 2] = -base.acceleration;
    }
    const dynamics::StepSolve report =
        motion_->advance(scheme, factors(next_base_motion_, time, false), inertial, monitor_);
    check(report);
    iterations_ += report.iterations;
  }

  /// Of what was tried.
  dynamics::LocalError error() const { return motion_->local_error(); }

  void accept() {
    motion_->accept();
    std::swap(base_motion_, next_base_motion_);
  }

  MotionState state() const { return {motion_->displacements(), motion_->velocities(), base_motion_}; }

  std::int64_t iterations() const { return iterations_; }

  Vector displacements(const MotionState& at) const {
    return expanded(constraints(), at.u, at.bases, &BaseMotion::position, &Base::shape);
  }
  Vector velocities(const MotionState& at) const {
    return expanded(constraints(), at.v, at.bases, &BaseMotion::velocity, &Base::shape);
  }
  BodyMotion body(const MotionState& at) const {
    return {expanded(of_users_, at.u, at.bases, &BaseMotion::position, &Base::user_shape),
            expanded(of_users_, at.v, at.bases, &BaseMotion::velocity, &Base::user_shape)};
  }

 private:
  const fem::Constraints& constraints() const { return of_solids_ ? *of_solids_ : of_users_; }
  const fem::BlockNumbering& numbering() const { return matrices_.numbering; }
  std::size_t pattern_count() const { return curves_.size() + 3 * bases_.size(); }

  static void check(const dynamics::StepSolve& report) {
    if (report.converged) return;
    throw Error(Fault::input, fmt::format("*DYNAMIC: an increment is not solved: {}", report.trouble),
                "add *DENSITY to every material, look for nodes that nothing holds, try shorter increments");
  }

  dynamics::Curve curve_of(std::int32_t amplitude) const {
    if (amplitude < 0) return {};
    const model::Amplitude& curve = setup_.model->amplitudes[static_cast<std::size_t>(amplitude)];
    return dynamics::Curve(curve.points, curve.total_time ? -start_time_ : 0.0);
  }

  void find_forces(std::vector<Vector>& patterns) {
    const auto found = [&](dynamics::Curve curve, const Vector& forces) {
      curves_.push_back(std::move(curve));
      patterns.push_back(numbering().spread(constraints().restrict_forces(forces)));
    };
    std::set<std::int32_t> amplitudes;
    for (const model::PointLoad& load : loads_.point_loads()) amplitudes.insert(load.amplitude);
    for (const model::DistributedLoad& load : loads_.distributed_loads()) amplitudes.insert(load.amplitude);
    for (const std::int32_t amplitude : amplitudes) {
      found(curve_of(amplitude), applied_forces(setup_, loads_, state_, [&](std::int32_t own, bool) {
              return own == amplitude ? 1.0 : 0.0;
            }));
    }
    // What initial stresses push.
    const Vector strains = forces_at(setup_, loads_, state_, 0, start_time_).strains;
    if (std::ranges::any_of(strains, [](double f) { return f != 0; })) found({}, strains);
  }

  /// Three patterns a base: what K, C and M make of its shape.
  void find_bases(const model::Step& step, std::vector<Vector>& patterns) {
    for (const BasePattern& pattern : base_patterns(loads_, step)) {
      const fem::Constraints users = constraints_of(setup_, loads_, pattern);
      std::optional<fem::Constraints> solids;
      if (of_solids_) solids = users.compose(setup_.solids.rows);
      const fem::Constraints& moved = solids ? *solids : users;
      Base base;
      base.curve = curve_of(pattern.amplitude);
      for (std::int32_t d = 0; d < moved.dof_count(); ++d) base.shape.push_back(moved.shift(d));
      for (std::int32_t d = 0; d < users.dof_count(); ++d) base.user_shape.push_back(users.shift(d));
      bases_.push_back(std::move(base));
      const auto from_shifts = [&](double k, double c, double m) {
        return fem::assemble(setup_.solids, moved, numbering(),
                             dynamic_element_matrix(setup_, state_, k, c, m), computing_.cpu, monitor_)
            .from_shifts;
      };
      patterns.push_back(from_shifts(1, 0, 0));
      patterns.push_back(has_damping(setup_) ? from_shifts(0, 1, 0) : Vector(patterns.back().size(), 0.0));
      patterns.push_back(from_shifts(0, 0, 1));
    }
  }

  Vector factors(const std::vector<BaseMotion>& bases, double time, bool at_start) const {
    Vector values;
    for (const dynamics::Curve& curve : curves_)
      values.push_back(at_start ? curve.after(time) : curve.before(time));
    for (const BaseMotion& base : bases) {
      values.push_back(-base.position);
      values.push_back(-base.velocity);
      values.push_back(0);
    }
    return values;
  }

  Vector expanded(const fem::Constraints& by, const Vector& blocked, const std::vector<BaseMotion>& bases,
                  double BaseMotion::*factor, Vector Base::*shape) const {
    Vector all = by.expand(numbering().collect(blocked));
    for (std::size_t i = 0; i < bases_.size(); ++i) add(bases[i].*factor, bases_[i].*shape, all);
    return all;
  }

  const Setup& setup_;
  const LoadState& loads_;
  double start_time_;
  const Computing& computing_;
  Monitor& monitor_;
  ElementState state_;
  fem::Constraints of_users_;
  std::optional<fem::Constraints> of_solids_;
  DynamicMatrices matrices_;
  std::unique_ptr<dynamics::StepSolver> solver_;
  std::vector<dynamics::Curve> curves_;  // of the first patterns
  std::vector<Base> bases_;
  std::optional<dynamics::ImplicitDynamics> motion_;
  std::vector<BaseMotion> base_motion_;
  std::vector<BaseMotion> next_base_motion_;
  std::int64_t iterations_ = 0;
};

/// Writes what is due at the ends of increments and at *TIME POINTS within them.
class MotionOutput {
 public:
  MotionOutput(const Setup& setup, const model::Step& step, int number, double start_time,
               const Dynamics& dynamics, int threads, const MotionSink& sink)
      : setup_(setup),
        step_(step),
        number_(number),
        start_time_(start_time),
        dynamics_(dynamics),
        threads_(threads),
        sink_(sink),
        wanted_(wanted_results(step)),
        points_(time_points_of(*setup.model, step, start_time)) {}

  /// Whether a time point lies within an increment, so that its start has to be known.
  bool within(double from, double to) const {
    return std::ranges::any_of(points_, [&](double point) { return inside(point, from, to); });
  }

  void increment(int count, double from, double to, bool last, const MotionState* before) {
    for (std::size_t i = 0; i < points_.size() && before != nullptr; ++i) {
      if (!inside(points_[i], from, to)) continue;
      const double part = (points_[i] - from) / (to - from);
      write(frame(count, points_[i], false, static_cast<int>(i) + 1),
            between(*before, dynamics_.state(), part, to - from));
    }
    int at_point = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (std::abs(points_[i] - to) <= hardly * (to - from)) at_point = static_cast<int>(i) + 1;
    }
    model::Frame end = frame(count, to, last, at_point);
    if (io::output_is_due(step_, end)) write(std::move(end), dynamics_.state());
  }

  int frames() const { return frames_; }

 private:
  static constexpr double hardly = 1e-6;  // of an increment

  static bool inside(double point, double from, double to) {
    const double slack = hardly * (to - from);
    return point > from + slack && point < to - slack;
  }

  model::Frame frame(int count, double time, bool last, int time_point) const {
    model::Frame made;
    made.step = number_;
    made.increment = count;
    made.time = start_time_ + time;
    made.last_of_step = last;
    made.time_point = time_point;
    return made;
  }

  void write(model::Frame frame, const MotionState& at) {
    const bool with_velocities = wanted_.at_nodes.contains("V") || wanted_.at_points.contains("ELKE");
    fill_motion_frame(setup_, dynamics_.element_state(), wanted_, dynamics_.displacements(at),
                      with_velocities ? dynamics_.velocities(at) : Vector(), threads_, frame);
    sink_(frame);
    ++frames_;
  }

  const Setup& setup_;
  const model::Step& step_;
  int number_;
  double start_time_;
  const Dynamics& dynamics_;
  int threads_;
  const MotionSink& sink_;
  Wanted wanted_;
  Vector points_;
  int frames_ = 0;
};

/// How large displacements become, by a run in few and strongly damped increments: what errors are compared
/// with, also while nothing has moved far yet. Leaves the motion somewhere.
double look_at(Dynamics& dynamics, double period, double first, Monitor& monitor) {
  const Stage stage = monitor.stage("first look");
  const double count = std::max(1.0, std::ceil(std::min(look_increments, period / first)));
  const Newmark scheme = Newmark::hilber_hughes_taylor(-1.0 / 3, period / count);
  double size = 0;
  for (double i = 1; i <= count; ++i) {
    dynamics.advance(scheme, period * i / count);
    size = std::max(size, dynamics.error().size);
    dynamics.accept();
  }
  return size;
}

}  // namespace

MotionReport solve_dynamic(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                           double start_time, BodyMotion& motion, const Computing& computing,
                           const MotionSink& sink, Monitor& monitor) {
  const auto& procedure = std::get<model::DynamicStep>(step.procedure);
  require_density(setup, "*DYNAMIC");
  const double period = procedure.period;
  const double equal = std::max(1.0, std::ceil(period / procedure.increment - 1e-6));
  if (procedure.direct && equal > step.most_increments)
    refuse_increments(*setup.model, procedure.line, step.most_increments, equal);
  const double first =
      procedure.direct ? period / equal : std::min(procedure.increment, procedure.most_increment);

  Dynamics dynamics(setup, loads, step, start_time, computing, monitor);
  const Newmark first_scheme = Newmark::hilber_hughes_taylor(procedure.alpha, first);
  dynamics.begin(first_scheme, motion);
  double size = 0;
  if (!procedure.direct) {
    size = look_at(dynamics, period, first, monitor);
    dynamics.begin(first_scheme, motion);
  }
  Stage stage =
      monitor.stage("motion", procedure.direct ? static_cast<std::int64_t>(equal) : 0, "increments");
  MotionOutput output(setup, step, number, start_time, dynamics, computing.cpu.threads(), sink);
  dynamics::StepControl control(first, std::min(first, procedure.least_increment), procedure.most_increment,
                                error_tolerance);
  MotionReport report;
  int tried = 0;
  for (double time = 0; time < period;) {
    if (report.increments == step.most_increments)
      refuse_increments(*setup.model, procedure.line, step.most_increments, 0);
    // Equal ones by division: a sum would drift.
    double end = procedure.direct ? period * static_cast<double>(report.increments + 1) / equal
                                  : time + control.length(period - time);
    const double length = procedure.direct ? first : end - time;
    if (period - end <= 1e-9 * length) end = period;
    dynamics.advance(Newmark::hilber_hughes_taylor(procedure.alpha, length), end);
    ++tried;
    if (!procedure.direct) {
      const dynamics::LocalError error = dynamics.error();
      size = std::max(size, error.size);
      if (!control.judge(size > 0 ? error.error / size : 0)) continue;
    }
    std::optional<MotionState> before;
    if (output.within(time, end)) before = dynamics.state();
    dynamics.accept();
    ++report.increments;
    output.increment(static_cast<int>(report.increments), time, end, end >= period,
                     before ? &*before : nullptr);
    time = end;
    stage.advance();
  }
  log::debug("*DYNAMIC: {} increments of {} tried, {} matrices, {} iterations", report.increments, tried,
             dynamics.solver().preparations(), dynamics.iterations());
  if (control.shortest_kept() > 0) {
    log::warning("*DYNAMIC: {} increments were as short as allowed, and their error is above {}",
                 control.shortest_kept(), error_tolerance);
  }
  report.frames = output.frames();
  report.duration = period;
  motion = dynamics.body(dynamics.state());
  return report;
}

}  // namespace setka::analysis
