// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/dynamic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "setka/analysis/forces.hpp"
#include "setka/analysis/frequency.hpp"
#include "setka/analysis/increments.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/analysis/modal_matrices.hpp"
#include "setka/analysis/motion_frame.hpp"
#include "setka/analysis/recovery.hpp"
#include "setka/analysis/user_constraints.hpp"
#include "setka/base/error.hpp"
#include "setka/dynamics/curve.hpp"
#include "setka/dynamics/newmark.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/io/result_writer.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::analysis {
namespace {

using Vector = std::vector<double>;

void add(double factor, const Vector& x, Vector& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// Where one thing varies by an amplitude: its curve, and a vector of unknowns in blocks.
struct Varying {
  dynamics::Curve curve;
  Vector vector;
};

/// A base that moves by an amplitude; its vectors are what K, C and M make of it.
struct Base {
  dynamics::Curve curve;
  Vector shape;       // [3 solid nodes]
  Vector user_shape;  // [user dofs]
  Vector stiffness;   // in blocks
  Vector damping;
  Vector mass;
  double position = 0;
  double velocity = 0;
  double acceleration = 0;
};

/// One matrix, many right-hand sides.
class RepeatedSolver {
 public:
  RepeatedSolver(sparse::BlockCsr<double> matrix, const fem::BlockNumbering& numbering,
                 const Computing& computing)
      : matrix_(std::move(matrix)), numbering_(numbering), computing_(computing) {
    if (!solve::Cholesky::available() || computing.solver.method == solve::Method::cg) return;
    cholesky_.emplace();
    singular_ = cholesky_->factorise(fem::over_unknowns(matrix_, numbering)) >= 0;
  }

  bool singular() const { return singular_; }

  Vector solve(const Vector& b, Monitor& monitor) {
    if (cholesky_) {
      const Vector right = numbering_.collect(b);
      Vector x(right.size());
      cholesky_->solve(right, x);
      return numbering_.spread(x);
    }
    solve::LinearSystem system;
    system.matrix = &matrix_;
    system.unknowns = [&] { return fem::over_unknowns(matrix_, numbering_); };
    system.collect = [&](const Vector& blocked) { return numbering_.collect(blocked); };
    system.spread = [&](const Vector& q) { return numbering_.spread(q); };
    solve::SolverChoice choice = computing_.solver;
    choice.method = solve::Method::cg;
    // The mass makes the matrix easy.
    choice.preconditioning = solve::Preconditioning::block_jacobi;
    solve::SolveReport report;
    Vector x = solve::solve(computing_.cpu, system, b, choice, report, monitor);
    if (!report.converged)
      throw Error(Fault::input, fmt::format("*DYNAMIC: an increment is not solved: {}", report.trouble),
                  "try shorter increments");
    return x;
  }

 private:
  sparse::BlockCsr<double> matrix_;
  const fem::BlockNumbering& numbering_;
  const Computing& computing_;
  std::optional<solve::Cholesky> cholesky_;
  bool singular_ = false;
};

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
        of_users_(user_constraints(setup, loads, [](const auto&) { return 0.0; })) {
    if (!setup.solids.rows.empty()) of_solids_ = of_users_.compose(setup.solids.rows);
    numbering_ = fem::number_blocks(constraints());
    damped_ = std::ranges::any_of(setup.model->materials, [](const model::Material& material) {
      return material.damping_by_mass != 0 || material.damping_by_stiffness != 0;
    });
    {
      const Stage stage = monitor.stage("assemble");
      stiffness_ = assembled(constraints(), 1, 0, 0).matrix;
      if (damped_) damping_ = assembled(constraints(), 0, 1, 0).matrix;
    }
    find_forces();
    find_bases(step);
  }

  const ElementState& state() const { return state_; }

  /// The state at the start, and the acceleration that loads give it.
  void begin(const dynamics::Newmark& scheme, const BodyMotion& motion) {
    scheme_ = scheme;
    const Stage stage = monitor_.stage("factorise");
    const auto start = [&](const Vector& of_user) {
      Vector q(static_cast<std::size_t>(of_users_.unknown_count()), 0.0);
      const auto dofs = of_users_.unknown_dofs();
      for (std::size_t i = 0; i < q.size() && !of_user.empty(); ++i)
        q[i] = of_user[static_cast<std::size_t>(dofs[i])];
      return numbering_.spread(q);
    };
    u_ = start(motion.position);
    v_ = start(motion.velocity);
    for (Base& base : bases_) base.position = base.curve.before(0);
    solver_.emplace(assembled(constraints(), scheme.of_stiffness(), scheme.of_damping(), 1).matrix,
                    numbering_, computing_);
    if (solver_->singular())
      throw Error(Fault::input, "*DYNAMIC: some unknowns have neither mass nor stiffness",
                  "add *DENSITY to every material, and look for nodes that nothing holds");
    RepeatedSolver by_mass(assembled(constraints(), 0, 0, 1).matrix, numbering_, computing_);
    forces_ = forces_at_time(0, true);
    resistance_ = resistance(u_, v_);
    Vector b = forces_;
    add(-1, resistance_, b);
    a_ = by_mass.singular() ? solver_->solve(b, monitor_) : by_mass.solve(b, monitor_);
  }

  /// To the end of an increment.
  void advance(double time) {
    const double alpha = scheme_.alpha;
    Vector u(u_.size());
    Vector v(v_.size());
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = scheme_.predicted_position(u_[i], v_[i], a_[i]);
      v[i] = scheme_.predicted_velocity(v_[i], a_[i]);
    }
    for (Base& base : bases_) {
      const double position = scheme_.predicted_position(base.position, base.velocity, base.acceleration);
      const double velocity = scheme_.predicted_velocity(base.velocity, base.acceleration);
      base.position = base.curve.before(time);
      base.acceleration = scheme_.acceleration(position, base.position);
      base.velocity = scheme_.velocity(velocity, base.acceleration);
    }
    Vector forces = forces_at_time(time, false);
    Vector b(u.size(), 0.0);
    add(1 + alpha, forces, b);
    add(-alpha, forces_, b);
    add(-(1 + alpha), resistance(u, v), b);
    add(alpha, resistance_, b);
    for (const Base& base : bases_) add(-base.acceleration, base.mass, b);
    a_ = solver_->solve(b, monitor_);
    for (std::size_t i = 0; i < u.size(); ++i) {
      u_[i] = scheme_.position(u[i], a_[i]);
      v_[i] = scheme_.velocity(v[i], a_[i]);
    }
    forces_ = std::move(forces);
    resistance_ = resistance(u_, v_);
  }

  Vector displacements() const { return expanded(constraints(), u_, &Base::position, &Base::shape); }
  Vector velocities() const { return expanded(constraints(), v_, &Base::velocity, &Base::shape); }
  BodyMotion motion() const {
    return {expanded(of_users_, u_, &Base::position, &Base::user_shape),
            expanded(of_users_, v_, &Base::velocity, &Base::user_shape)};
  }

 private:
  const fem::Constraints& constraints() const { return of_solids_ ? *of_solids_ : of_users_; }

  /// k K + c C + m M, and what it makes of the constraints' shifts.
  fem::System assembled(const fem::Constraints& with, double k, double c, double m) const {
    const fem::ElementMatrix mass = modal_mass(setup_, state_);
    const auto matrix = [&](std::int32_t e, std::span<double> sum) {
      double of_stiffness = k;
      double of_mass = m;
      if (!setup_.is_spring(e)) {
        of_stiffness += c * setup_.material(e).damping_by_stiffness;
        of_mass += c * setup_.material(e).damping_by_mass;
      }
      std::fill(sum.begin(), sum.end(), 0.0);
      if (of_stiffness != 0) state_.element_matrix(e, sum);
      for (double& value : sum) value *= of_stiffness;
      if (of_mass == 0) return;
      std::vector<double> own(sum.size(), 0.0);
      mass(e, own);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += of_mass * own[i];
    };
    return fem::assemble(setup_.solids, with, numbering_, matrix, computing_.cpu, monitor_);
  }

  dynamics::Curve curve_of(std::int32_t amplitude) const {
    if (amplitude < 0) return {};
    const model::Amplitude& curve = setup_.model->amplitudes[static_cast<std::size_t>(amplitude)];
    return dynamics::Curve(curve.points, curve.total_time ? -start_time_ : 0.0);
  }

  void find_forces() {
    std::set<std::int32_t> amplitudes;
    for (const model::PointLoad& load : loads_.point_loads()) amplitudes.insert(load.amplitude);
    for (const model::DistributedLoad& load : loads_.distributed_loads()) amplitudes.insert(load.amplitude);
    for (const std::int32_t amplitude : amplitudes) {
      const Vector applied = applied_forces(
          setup_, loads_, state_, [&](std::int32_t own, bool) { return own == amplitude ? 1.0 : 0.0; });
      loadings_.push_back({curve_of(amplitude), numbering_.spread(constraints().restrict_forces(applied))});
    }
    // What initial stresses push.
    const Forces strains = forces_at(setup_, loads_, state_, 0, start_time_);
    loadings_.push_back(
        {dynamics::Curve(), numbering_.spread(constraints().restrict_forces(strains.strains))});
  }

  void find_bases(const model::Step& step) {
    for (const BasePattern& pattern : base_patterns(loads_, step)) {
      const fem::Constraints users = constraints_of(setup_, loads_, pattern);
      std::optional<fem::Constraints> solids;
      if (of_solids_) solids = users.compose(setup_.solids.rows);
      const fem::Constraints& moved = solids ? *solids : users;
      Base base;
      base.curve = curve_of(pattern.amplitude);
      for (std::int32_t d = 0; d < moved.dof_count(); ++d) base.shape.push_back(moved.shift(d));
      for (std::int32_t d = 0; d < users.dof_count(); ++d) base.user_shape.push_back(users.shift(d));
      base.stiffness = assembled(moved, 1, 0, 0).from_shifts;
      base.mass = assembled(moved, 0, 0, 1).from_shifts;
      if (damped_) base.damping = assembled(moved, 0, 1, 0).from_shifts;
      bases_.push_back(std::move(base));
    }
  }

  Vector product(const sparse::BlockCsr<double>& matrix, const Vector& x) const {
    const exec::Array<double> right(computing_.cpu, x);
    exec::Array<double> y(computing_.cpu, static_cast<std::int64_t>(x.size()));
    sparse::multiply<double>(computing_.cpu, matrix, right, y);
    return y.to_vector();
  }

  /// K u + C v, of the bases as well.
  Vector resistance(const Vector& u, const Vector& v) const {
    Vector f = product(*stiffness_, u);
    if (damping_) add(1, product(*damping_, v), f);
    for (const Base& base : bases_) {
      add(base.position, base.stiffness, f);
      if (damping_) add(base.velocity, base.damping, f);
    }
    return f;
  }

  Vector forces_at_time(double time, bool at_start) const {
    Vector f(static_cast<std::size_t>(numbering_.size()), 0.0);
    for (const Varying& loading : loadings_)
      add(at_start ? loading.curve.after(time) : loading.curve.before(time), loading.vector, f);
    return f;
  }

  Vector expanded(const fem::Constraints& by, const Vector& blocked, double Base::*factor,
                  Vector Base::*shape) const {
    Vector all = by.expand(numbering_.collect(blocked));
    for (const Base& base : bases_) add(base.*factor, base.*shape, all);
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
  fem::BlockNumbering numbering_;
  bool damped_ = false;
  std::optional<sparse::BlockCsr<double>> stiffness_;
  std::optional<sparse::BlockCsr<double>> damping_;
  std::optional<RepeatedSolver> solver_;
  std::vector<Varying> loadings_;
  std::vector<Base> bases_;
  dynamics::Newmark scheme_;
  Vector u_;  // in blocks, as all that follow
  Vector v_;
  Vector a_;
  Vector forces_;
  Vector resistance_;
};

}  // namespace

MotionReport solve_dynamic(const Setup& setup, const LoadState& loads, const model::Step& step, int number,
                           double start_time, BodyMotion& motion, const Computing& computing,
                           const MotionSink& sink, Monitor& monitor) {
  const auto& procedure = std::get<model::DynamicStep>(step.procedure);
  require_density(setup, "*DYNAMIC");
  IncrementPlan plan;
  plan.first = procedure.increment;
  plan.period = procedure.period;
  plan.most_count = step.most_increments;
  // The matrix belongs to one length: *TIME POINTS between increments would need others.
  const double count = std::max(1.0, std::ceil(procedure.period / procedure.increment - 1e-6));
  plan.first = procedure.period / count;
  model::Step output = step;
  for (model::OutputRequest& request : output.output) request.time_points = -1;
  Increments increments(*setup.model, output, plan, start_time, procedure.line);

  Dynamics dynamics(setup, loads, step, start_time, computing, monitor);
  dynamics.begin(dynamics::Newmark::hilber_hughes_taylor(procedure.alpha, plan.first), motion);
  const Stage stage = monitor.stage("motion");
  const Wanted wanted = wanted_results(step);
  MotionReport report;
  do {
    increments.next([](double) { return 1.0; });
    dynamics.advance(increments.time());
    model::Frame frame;
    frame.step = number;
    frame.increment = increments.count();
    frame.time = start_time + increments.time();
    frame.last_of_step = increments.at_end();
    if (!io::output_is_due(output, frame)) continue;
    const bool with_velocities = wanted.at_nodes.contains("V") || wanted.at_points.contains("ELKE");
    fill_motion_frame(setup, dynamics.state(), wanted, dynamics.displacements(),
                      with_velocities ? dynamics.velocities() : Vector(), computing.cpu.threads(), frame);
    sink(frame);
    ++report.frames;
  } while (!increments.at_end());
  report.increments = increments.count();
  report.duration = procedure.period;
  motion = dynamics.motion();
  return report;
}

}  // namespace setka::analysis
