// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bench/block_model.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/elements.hpp"

namespace setka::bench {

/// The equations of one implicit time step, (K + a0 M) u = R: the first one of Newmark's method (average
/// acceleration, a0 = 4 / dt^2) from rest, of a bar that is held at x = 0 and pulled across at its other end.
/// The step takes as long as a pressure wave needs for the length of the bar, so that inertia counts and the
/// equations are still nearly as hard as static ones.
struct TimeStep {
  BlockModel model;
  fem::Constraints constraints;
  std::vector<double> load;  // [unknowns]
  double a0 = 0;

  fem::Space space() const { return space_of(model, constraints); }
};

/// Plane elements in plane strain, with two components; they have no cells in the third direction.
TimeStep time_step(fem::Element type, std::array<int, 3> cells);

struct SolveTime {
  double seconds = 0;  // of conjugate gradients alone, the matrix and Jacobi's preconditioner being there
  int iterations = 0;
  double residual = 0;
  bool converged = false;
  bool stopped = false;  // by the limit of seconds, before it could converge
};

inline constexpr double time_step_tolerance = 1e-6;  // of the residual relative to the load

/// By conjugate gradients with the inverse of the diagonal, from zero: the matrix assembled in blocks of
/// a node's components, or element by element with stored matrices. Solves that take less than a second are
/// repeated, and the median of three counts. max_seconds: of a solve, which gets as
/// many iterations as fit into them by the time that its first ones took.
SolveTime solve_assembled(const TimeStep& step, const exec::Device& device, double max_seconds,
                          Monitor& monitor);
SolveTime solve_by_elements(const TimeStep& step, const exec::Device& device, double max_seconds,
                            Monitor& monitor);

}  // namespace setka::bench
