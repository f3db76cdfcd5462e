// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::bench {

/// Steps of Newmark's method (average acceleration) for a body of linear tetrahedra, in which K and M are
/// formed anew in every step, as the paper (FEStudio) has it for its 67 244 tetrahedra with 19 890 nodes.
///
/// Here it is a bar of 3 x 3 x 1245 cells of six tetrahedra, whose nodes and elements are to each other as
/// the paper's: 67 230 elements, 19 936 nodes, held at one end and pushed across at the other from time zero
/// on.
inline constexpr std::array<int, 3> dynamics_cells{1245, 3, 3};

/// A step takes as long as a pressure wave needs for so many cells; an explicit one could be a third of a
/// cell.
inline constexpr double dynamics_cells_a_step = 4;

inline constexpr double dynamics_tolerance = 1e-6;  // of the residual relative to what forces lack to balance

/// Of one step, seconds: medians.
struct StepTimes {
  double matrices = 0;  // K, M and M + k K of all elements
  double load = 0;      // the right-hand side
  double solve = 0;
  double total = 0;  // from start to end by the clock of the host
};

struct DynamicsRow {
  std::string device;  // "cpu", "cuda:0"
  StepTimes times;
  double iterations = 0;  // of conjugate gradients with the inverse of the diagonal, a step
  double residual = 0;    // the largest
  bool converged = false;
  double tip = 0;       // displacement of the loaded end after the last step, of its middle
  double balance = 0;   // energy less work of the load, relative to that work
  std::string skipped;  // why it was not measured; empty: it was
};

struct DynamicsTable {
  std::int64_t elements = 0;
  std::int64_t nodes = 0;
  std::int64_t unknowns = 0;
  double step = 0;  // length in time
  int steps = 0;    // that were measured
  std::vector<DynamicsRow> rows;
};

/// Of the paper, seconds of one step.
struct PaperStep {
  const char* how;  // K and M, load + solution
  double matrices;
  double load;
  double solve;
};
std::span<const PaperStep> paper_steps();

DynamicsTable dynamics_table(const exec::Device& cpu, const std::optional<exec::Device>& gpu, bool quick,
                             const std::function<void(const DynamicsTable&)>& begin,
                             const std::function<void(const DynamicsRow&)>& show, Monitor& monitor);

}  // namespace setka::bench
