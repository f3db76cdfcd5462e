// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/step_solver.hpp"

#include "setka/solve/cholesky_inverse.hpp"

namespace setka::dynamics {
namespace {

/// Where forces nearly balance, this part of them stands for what is left.
constexpr double min_part = 1e-4;

}  // namespace

void StepSolver::set(double of_damping, double of_stiffness, Monitor& monitor) {
  const std::pair<double, double> wanted{of_damping, of_stiffness};
  if (set_to_ == wanted) return;
  set_to_.reset();  // in case that prepare() throws
  prepare(of_damping, of_stiffness, monitor);
  set_to_ = wanted;
  ++preparations_;
}

CgStepSolver::CgStepSolver(const exec::Device& device, Make make, const solve::SolverOptions& options)
    : device_(device), make_(std::move(make)), cg_(options) {}

void CgStepSolver::prepare(double of_damping, double of_stiffness, Monitor& monitor) {
  system_ = make_(of_damping, of_stiffness, monitor);
}

StepSolve CgStepSolver::solve(const exec::Stream& stream, exec::View<const double> b, exec::View<double> x,
                              double forces, Monitor& monitor) {
  cg_.options().min_rhs_norm = min_part * forces;
  const solve::Outcome outcome = cg_.solve(stream, *system_.matrix, *system_.preconditioner, b, x, monitor);
  StepSolve report;
  report.iterations = outcome.iterations;
  report.residual = outcome.residual;
  report.converged = outcome.converged();
  if (!report.converged) report.trouble = solve::describe(outcome.status);
  return report;
}

void CholeskyStepSolver::prepare(double of_damping, double of_stiffness, Monitor& monitor) {
  const Stage stage = monitor.stage("factorise");
  singular_ = factor_.factorise(rows_.matrix(of_damping, of_stiffness, monitor)) >= 0;
}

StepSolve CholeskyStepSolver::solve(const exec::Stream& stream, exec::View<const double> b,
                                    exec::View<double> x, double /*forces*/, Monitor& /*monitor*/) {
  StepSolve report;
  if (singular_) {
    report.converged = false;
    report.trouble = "the matrix is singular";
    return report;
  }
  solve::CholeskyInverse(device_, b.size, factor_, rows_.place).apply(stream, b, x);
  return report;
}

}  // namespace setka::dynamics
