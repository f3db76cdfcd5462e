// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/dynamics/newmark.hpp"
#include "setka/dynamics/step_solver.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/solve/operator.hpp"

namespace setka::dynamics {

/// M u'' + C u' + K u = f, symmetric, all on one device. C is an operator of its own, or by_mass M +
/// by_stiffness K, which costs a product with M at most.
struct MotionOperators {
  std::shared_ptr<const solve::Operator> stiffness;
  std::shared_ptr<const solve::Operator> mass;
  std::shared_ptr<const solve::Operator> damping;  // may be none
  double by_mass = 0;
  double by_stiffness = 0;
};

/// How far a step went astray.
struct LocalError {
  double error = 0;  // 2-norm of the local truncation error of the displacements
  double size = 0;   // 2-norm of the displacements
};

struct BodyEnergies {
  double kinetic = 0;
  double elastic = 0;
};

/// A body that Newmark's method moves step by step. Vectors are over all unknowns.
class SteppedMotion {
 public:
  SteppedMotion() = default;
  SteppedMotion(const SteppedMotion&) = delete;
  SteppedMotion& operator=(const SteppedMotion&) = delete;
  virtual ~SteppedMotion() = default;

  /// At rest at zero unless given.
  virtual void set_state(std::span<const double> u, std::span<const double> v) = 0;

  /// The acceleration a that the state and the forces make: (M + of_stiffness K) a is what is out of balance.
  /// of_stiffness: 0, or some where unknowns have no mass.
  virtual StepSolve begin(std::span<const double> factors, double of_stiffness, Monitor& monitor) = 0;

  /// Other values for a pattern of forces from the next step on: of forces that depend on where things are.
  virtual void replace_pattern(std::size_t k, std::span<const double> pattern) = 0;

  /// Tries a step, whose end accept() makes the state. factors: of the patterns at the end; both ends count
  /// as the scheme has it. inertial: to be added at the end alone (a base that accelerates); may be empty.
  /// Error(Fault::usage) for a scheme that is not stable, or a step that is not above zero.
  virtual StepSolve advance(const Newmark& scheme, std::span<const double> factors,
                            std::span<const double> inertial, Monitor& monitor) = 0;

  /// Of the step that was tried; waits for the device.
  virtual LocalError local_error() const = 0;

  virtual void accept() = 0;

  virtual std::vector<double> displacements() const = 0;
  virtual std::vector<double> velocities() const = 0;

  /// How often a matrix of steps was made and prepared.
  virtual int preparations() const = 0;
};

/// Newmark's method: each step solves for the accelerations at its end,
///
///   (M + (1 + alpha) gamma dt C + (1 + alpha) beta dt^2 K) a = f - K x - C y,
///
/// with x and y the displacements and velocities of the scheme without that acceleration. The right-hand side
/// is what forces lack to balance, so that little is lost by rounding where the steps are short; the last
/// acceleration is where iterations start. Everything stays in the memory of the device: of a step only
/// scalars cross the bus.
///
/// f is a sum of patterns with factors that vary in time.
///
/// Where the operators are those of a member of a team (solve::Operator::member()), so are all vectors, and
/// members do everything together.
class ImplicitDynamics final : public SteppedMotion {
 public:
  /// patterns: [count][rows]. The solver has to outlive it; it solves with the matrices of the operators.
  ImplicitDynamics(MotionOperators operators, StepSolver& solver,
                   const std::vector<std::vector<double>>& patterns);

  const exec::Device& device() const { return u_.device(); }
  std::int64_t rows() const { return u_.size(); }

  void set_state(std::span<const double> u, std::span<const double> v) override;
  StepSolve begin(std::span<const double> factors, double of_stiffness, Monitor& monitor) override;
  void replace_pattern(std::size_t k, std::span<const double> pattern) override;
  StepSolve advance(const Newmark& scheme, std::span<const double> factors, std::span<const double> inertial,
                    Monitor& monitor) override;
  LocalError local_error() const override;
  void accept() override;

  /// Of the state: products with K and M. Waits for the device.
  BodyEnergies energies() const;

  std::vector<double> displacements() const override { return u_.to_vector(); }
  std::vector<double> velocities() const override { return v_.to_vector(); }
  int preparations() const override { return solver_.preparations(); }
  std::vector<double> accelerations() const { return a_.to_vector(); }

  /// Parts of advance(), for those who time them: all up to the right-hand side, and the rest.
  void form_right_side(const Newmark& scheme, std::span<const double> factors,
                       std::span<const double> inertial);
  StepSolve solve_step(Monitor& monitor);

 private:
  /// Of numbers that every member of a team has, over the team.
  double sum(double value) const;
  bool needs_rate() const { return operators_.damping != nullptr || operators_.by_mass != 0; }
  /// b_ = sum of coefficient pattern - K strain - C rate.
  void balance(std::span<const double> coefficients);
  StepSolve solve(exec::View<double> x, Monitor& monitor);

  MotionOperators operators_;
  StepSolver& solver_;
  std::vector<exec::Array<double>> patterns_;
  std::vector<double> factors_;       // at the state's time
  std::vector<double> next_factors_;  // at the end of what is tried
  Newmark scheme_;
  exec::Array<double> u_;
  exec::Array<double> v_;
  exec::Array<double> a_;
  exec::Array<double> next_u_;
  exec::Array<double> next_v_;
  exec::Array<double> next_a_;
  exec::Array<double> strain_;
  exec::Array<double> rate_;
  exec::Array<double> product_;
  exec::Array<double> b_;
};

}  // namespace setka::dynamics
