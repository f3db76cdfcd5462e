// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"

namespace setka::solve {

/// How a solution ended.
enum class Status {
  converged,
  max_iterations,         // as many as are allowed were not enough
  stagnated,              // the residual no longer falls
  not_positive_definite,  // the matrix or the preconditioner, where the method needs it
  breakdown,              // no next direction, though the residual is not zero: something is singular
  not_a_number,
};

/// "converged", "the iterations allowed were not enough", ...
std::string_view describe(Status status);

/// When an iterative solver ends.
struct SolverOptions {
  double tolerance = 1e-8;  // of |b - A x| / |b|
  int max_iterations = 10000;

  /// The residual has to fall by a tenth within so many iterations; else the method has stagnated.
  int stagnation_window = 1000;

  /// Stands for |b| where |b| is less: of forces that nearly balance only so much can be asked.
  double min_rhs_norm = 0;

  /// Iterations, 1 to 7, that the host gives to a GPU before it looks at the first one's end. Fewer are given
  /// in vain when it is few; it has to be enough that the GPU never waits.
  int ahead = 7;
};

struct Outcome {
  Status status = Status::converged;
  int iterations = 0;
  double residual = 0;          // |b - A x| / |b| as computed from x in the end, not by recurrence
  std::vector<double> history;  // of the recurrence: [iterations + 1], relative

  bool converged() const { return status == Status::converged; }
};

/// A method for A x = b with its options and the vectors it needs, which it keeps from one solution to the
/// next: on a GPU making them takes as long as some iterations of a small system.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  /// x holds the start and the answer; it and b lie in the memory of A's device. The preconditioner is an
  /// approximation of A's inverse. Sizes that do not fit are an Error; everything else is a status.
  virtual Outcome solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                        exec::View<const double> b, exec::View<double> x, Monitor& monitor) = 0;
};

}  // namespace setka::solve
