// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/implicit_dynamics.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/dynamics/implicit_kernel.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/vector.hpp"

namespace setka::dynamics {
namespace {

using exec::View;

exec::Array<double> zeros(const exec::Device& device, std::int64_t size) {
  exec::Array<double> values(device, size);
  exec::fill(device, values, 0.0);
  return values;
}

const solve::Operator& checked(const MotionOperators& operators, const StepSolver& solver) {
  require(operators.stiffness != nullptr && operators.mass != nullptr,
          "ImplicitDynamics: stiffness and mass are needed");
  const solve::Operator& k = *operators.stiffness;
  for (const solve::Operator* other : {operators.mass.get(), operators.damping.get()}) {
    require(other == nullptr || (other->rows() == k.rows() && other->device() == k.device()), [&] {
      return fmt::format(
          "ImplicitDynamics: stiffness has {} rows, mass or damping {}, or their devices differ", k.rows(),
          other->rows());
    });
  }
  require(solver.device() == k.device(), "ImplicitDynamics: the solver is on another device");
  return k;
}

}  // namespace

ImplicitDynamics::ImplicitDynamics(MotionOperators operators, StepSolver& solver,
                                   const std::vector<std::vector<double>>& patterns)
    : operators_(std::move(operators)),
      solver_(solver),
      factors_(patterns.size(), 0.0),
      next_factors_(patterns.size(), 0.0),
      u_(zeros(checked(operators_, solver).device(), operators_.stiffness->rows())),
      v_(zeros(u_.device(), u_.size())),
      a_(zeros(u_.device(), u_.size())),
      next_u_(u_.device(), u_.size()),
      next_v_(u_.device(), u_.size()),
      next_a_(u_.device(), u_.size()),
      strain_(u_.device(), u_.size()),
      rate_(u_.device(), needs_rate() ? u_.size() : 0),
      product_(u_.device(), u_.size()),
      b_(u_.device(), u_.size()) {
  for (const std::vector<double>& pattern : patterns) {
    require(static_cast<std::int64_t>(pattern.size()) == rows(), [&] {
      return fmt::format("ImplicitDynamics: {} unknowns, but a load has {}", rows(), pattern.size());
    });
    patterns_.emplace_back(device(), pattern);
  }
}

void ImplicitDynamics::set_state(std::span<const double> u, std::span<const double> v) {
  const auto size = static_cast<std::size_t>(rows());
  require(u.size() == size && v.size() == size, [&] {
    return fmt::format("ImplicitDynamics: {} unknowns, but {} displacements and {} velocities", size,
                       u.size(), v.size());
  });
  exec::copy<double>(View<const double>{u.data(), rows()}, u_);
  exec::copy<double>(View<const double>{v.data(), rows()}, v_);
}

void ImplicitDynamics::replace_pattern(std::size_t k, std::span<const double> pattern) {
  require(k < patterns_.size() && static_cast<std::int64_t>(pattern.size()) == rows(),
          "ImplicitDynamics: no such load");
  exec::copy<double>(View<const double>{pattern.data(), rows()}, patterns_[k]);
}

double ImplicitDynamics::sum(double value) const {
  const exec::Member* const member = operators_.stiffness->member();
  return member != nullptr ? member->sum(value) : value;
}

void ImplicitDynamics::balance(std::span<const double> coefficients) {
  const exec::Stream stream = device().stream();
  exec::fill(stream, b_, 0.0);
  for (std::size_t k = 0; k < patterns_.size(); ++k) {
    if (coefficients[k] != 0) exec::axpy(stream, coefficients[k], patterns_[k], b_);
  }
  operators_.stiffness->apply(stream, strain_, product_);
  if (operators_.by_mass != 0 || operators_.damping != nullptr) {
    // next_a is where iterations start: it may not be used for the product.
    const exec::Scratch<double> damping(stream, rows());
    if (operators_.damping != nullptr) {
      operators_.damping->apply(stream, rate_, damping);
      exec::axpy<double>(stream, 1.0, damping, product_);
    }
    if (operators_.by_mass != 0) {
      operators_.mass->apply(stream, rate_, damping);
      exec::axpy<double>(stream, operators_.by_mass, damping, product_);
    }
  }
}

StepSolve ImplicitDynamics::solve(View<double> x, Monitor& monitor) {
  const exec::Stream stream = device().stream();
  const exec::Scratch<double> squares(stream, 2);
  exec::two_dots_to<double>(stream, b_, b_, product_, product_, squares);
  if (const exec::Member* const member = operators_.stiffness->member()) member->sum(stream, squares);
  double size[2];
  exec::copy_async<double>(stream, squares, View<double>{size, 2});
  exec::axpy(stream, -1.0, product_, b_);
  stream.synchronize();
  return solver_.solve(stream, b_, x, std::sqrt(size[0]) + std::sqrt(size[1]), monitor);
}

StepSolve ImplicitDynamics::begin(std::span<const double> factors, double of_stiffness, Monitor& monitor) {
  require(factors.size() == patterns_.size(), "ImplicitDynamics: one factor for each load");
  factors_.assign(factors.begin(), factors.end());
  const exec::Stream stream = device().stream();
  exec::fill(stream, a_, 0.0);
  // K (u + b v) + a M v, or K u + C v.
  exec::combine<double>(stream, 1.0, u_, operators_.by_stiffness, v_, strain_);
  if (needs_rate()) exec::combine<double>(stream, 1.0, v_, 0.0, v_, rate_);
  solver_.set(0, of_stiffness, monitor);
  balance(factors);
  return solve(a_, monitor);
}

void ImplicitDynamics::form_right_side(const Newmark& scheme, std::span<const double> factors,
                                       std::span<const double> inertial) {
  require(scheme.stable() && scheme.step > 0, [&] {
    return fmt::format("Newmark: alpha {}, beta {}, gamma {} and a step of {} are not stable, or no step",
                       scheme.alpha, scheme.beta, scheme.gamma, scheme.step);
  });
  require(factors.size() == patterns_.size() && (inertial.empty() || inertial.size() == patterns_.size()),
          "ImplicitDynamics: one factor for each load");
  scheme_ = scheme;
  next_factors_.assign(factors.begin(), factors.end());
  const exec::Stream stream = device().stream();
  kernel::ImplicitPredict predict{};
  predict.u = u_.data();
  predict.v = v_.data();
  predict.a = a_.data();
  predict.next_u = next_u_.data();
  predict.next_v = next_v_.data();
  predict.next_a = next_a_.data();
  predict.strain = strain_.data();
  predict.rate = needs_rate() ? rate_.data() : nullptr;
  predict.step = scheme.step;
  predict.of_a_in_u = scheme.predicted_position(0, 0, 1);
  predict.of_a_in_v = scheme.predicted_velocity(0, 1);
  predict.alpha = scheme.alpha;
  predict.by_stiffness = operators_.by_stiffness;
  exec::parallel_for(stream, rows(), predict);
  std::vector<double> coefficients(patterns_.size());
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    coefficients[k] = (1 + scheme.alpha) * next_factors_[k] - scheme.alpha * factors_[k] +
                      (inertial.empty() ? 0.0 : inertial[k]);
  }
  balance(coefficients);
}

StepSolve ImplicitDynamics::solve_step(Monitor& monitor) {
  solver_.set(scheme_.of_damping(), scheme_.of_stiffness(), monitor);
  StepSolve report = solve(next_a_, monitor);
  exec::parallel_for(device().stream(), rows(),
                     kernel::ImplicitCorrect{next_a_.data(), next_u_.data(), next_v_.data(),
                                             scheme_.position(0, 1), scheme_.velocity(0, 1)});
  return report;
}

StepSolve ImplicitDynamics::advance(const Newmark& scheme, std::span<const double> factors,
                                    std::span<const double> inertial, Monitor& monitor) {
  form_right_side(scheme, factors, inertial);
  return solve_step(monitor);
}

LocalError ImplicitDynamics::local_error() const {
  const auto change = exec::reduce(device().stream(), rows(),
                                   kernel::ImplicitChange{a_.data(), next_a_.data(), next_u_.data()});
  return {scheme_.local_error(std::sqrt(sum(change.acceleration))), std::sqrt(sum(change.displacement))};
}

void ImplicitDynamics::accept() {
  std::swap(u_, next_u_);
  std::swap(v_, next_v_);
  std::swap(a_, next_a_);
  std::swap(factors_, next_factors_);
}

BodyEnergies ImplicitDynamics::energies() const {
  const exec::Stream stream = device().stream();
  const exec::Scratch<double> product(stream, rows());
  BodyEnergies energies;
  operators_.mass->apply(stream, v_, product);
  energies.kinetic = sum(exec::dot<double>(stream, v_, product)) / 2;
  operators_.stiffness->apply(stream, u_, product);
  energies.elastic = sum(exec::dot<double>(stream, u_, product)) / 2;
  return energies;
}

}  // namespace setka::dynamics
