// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::dynamics {

/// How the equations of a step were solved.
struct StepSolve {
  int iterations = 0;   // of conjugate gradients; 0: factorised
  double residual = 0;  // relative to what forces lack to balance
  bool converged = true;
  std::string trouble;
};

/// Solves (M + damping C + stiffness K) x = b, with the same matrix many times.
class StepSolver {
 public:
  StepSolver() = default;
  StepSolver(const StepSolver&) = delete;
  StepSolver& operator=(const StepSolver&) = delete;
  virtual ~StepSolver() = default;

  virtual const exec::Device& device() const = 0;

  /// The matrix from now on; nothing is done where it is the one that was set last.
  void set(double of_damping, double of_stiffness, Monitor& monitor);

  /// How often a matrix was made and prepared.
  int preparations() const { return preparations_; }

  /// x holds the start and the answer; both in the memory of the device. forces: the size of those that b is
  /// the difference of; no residual has to be below a small part of it.
  virtual StepSolve solve(const exec::Stream& stream, exec::View<const double> b, exec::View<double> x,
                          double forces, Monitor& monitor) = 0;

 protected:
  virtual void prepare(double of_damping, double of_stiffness, Monitor& monitor) = 0;

 private:
  std::optional<std::pair<double, double>> set_to_;
  int preparations_ = 0;
};

/// By conjugate gradients from the given start, to the tolerance of the options relative to |b|, or to 1e-4
/// of the forces where that is more.
class CgStepSolver final : public StepSolver {
 public:
  struct System {
    std::shared_ptr<const solve::Operator> matrix;
    std::shared_ptr<const solve::Operator> preconditioner;
  };
  using Make = std::function<System(double of_damping, double of_stiffness, Monitor& monitor)>;

  CgStepSolver(const exec::Device& device, Make make, const solve::SolverOptions& options);

  const exec::Device& device() const override { return device_; }
  StepSolve solve(const exec::Stream& stream, exec::View<const double> b, exec::View<double> x, double forces,
                  Monitor& monitor) override;

 private:
  void prepare(double of_damping, double of_stiffness, Monitor& monitor) override;

  exec::Device device_;
  Make make_;
  solve::Cg cg_;
  System system_;
};

/// By a Cholesky factor on the host, one for each matrix. Vectors of another device cross the bus.
class CholeskyStepSolver final : public StepSolver {
 public:
  struct Rows {
    std::function<sparse::SymmetricCsr(double of_damping, double of_stiffness, Monitor& monitor)> matrix;
    std::span<const std::int32_t> place;  // of its rows in the vectors, as sparse::over_unknowns() takes it
  };

  CholeskyStepSolver(const exec::Device& device, Rows rows) : device_(device), rows_(std::move(rows)) {}

  const exec::Device& device() const override { return device_; }
  /// The matrix that was set last has no factor; solve() says so too.
  bool singular() const { return singular_; }
  StepSolve solve(const exec::Stream& stream, exec::View<const double> b, exec::View<double> x, double forces,
                  Monitor& monitor) override;

 private:
  void prepare(double of_damping, double of_stiffness, Monitor& monitor) override;

  double defect(exec::View<const double> b, exec::View<const double> x) const;

  exec::Device device_;
  Rows rows_;
  solve::Cholesky factor_;
  bool singular_ = false;
  std::optional<sparse::SymmetricCsr> doubtful_;  // the matrix, where its factor is of a little more
};

}  // namespace setka::dynamics
