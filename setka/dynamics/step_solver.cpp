// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/step_solver.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/exec/copy.hpp"
#include "setka/solve/cholesky_inverse.hpp"

namespace setka::dynamics {
namespace {

/// Where forces nearly balance, this part of them stands for what is left.
constexpr double min_part = 1e-4;

/// Of the diagonal, added to a matrix that has no factor, and how far its answers may be from those without.
constexpr double trace = 1e-10;
constexpr double most_defect = 1e-6;

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
  sparse::SymmetricCsr matrix = rows_.matrix(of_damping, of_stiffness, monitor);
  doubtful_.reset();
  singular_ = factor_.factorise(matrix) >= 0;
  if (!singular_) return;
  // Alone, an element with few points may have motions of neither stiffness nor mass. Where nothing drives
  // them a trace of mass keeps them at rest; solve() sees to it that nothing does.
  doubtful_.emplace(matrix);
  for (std::int32_t i = 0; i < matrix.rows; ++i)
    matrix.value[static_cast<std::size_t>(matrix.offset[static_cast<std::size_t>(i)])] *= 1 + trace;
  singular_ = factor_.factorise(matrix) >= 0;
}

/// How far A x is from b, for the matrix that is doubtful; of |b|.
double CholeskyStepSolver::defect(exec::View<const double> b, exec::View<const double> x) const {
  const auto on_host = [&](exec::View<const double> values) {
    std::vector<double> copy(static_cast<std::size_t>(values.size));
    exec::copy_async<double>(device_, values, {copy.data(), values.size});
    device_.synchronize();
    return copy;
  };
  const std::vector<double> right = on_host(b);
  const std::vector<double> found = on_host(x);
  const sparse::SymmetricCsr& a = *doubtful_;
  const auto at = [&](std::int32_t row) {
    return static_cast<std::size_t>(rows_.place.empty() ? row : rows_.place[static_cast<std::size_t>(row)]);
  };
  std::vector<double> product(static_cast<std::size_t>(a.rows), 0.0);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = static_cast<std::size_t>(a.offset[row]); k < static_cast<std::size_t>(a.offset[row + 1]);
         ++k) {
      const std::int32_t j = a.column[k];
      product[row] += a.value[k] * found[at(j)];
      if (j != i) product[static_cast<std::size_t>(j)] += a.value[k] * found[at(i)];
    }
  }
  double lacks = 0;
  double size = 0;
  for (std::int32_t i = 0; i < a.rows; ++i) {
    lacks += std::pow(right[at(i)] - product[static_cast<std::size_t>(i)], 2);
    size += std::pow(right[at(i)], 2);
  }
  return size > 0 ? std::sqrt(lacks / size) : 0.0;
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
  if (doubtful_ && defect(b, x) > most_defect) {
    report.converged = false;
    report.trouble = "the matrix is singular";
  }
  return report;
}

}  // namespace setka::dynamics
