// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/plan/profile.hpp"

/// What a static step takes by many processes: conjugate gradients with Setka's multigrid, and with PETSc's
/// beyond own_multigrid_max_processes, from what it moves.
/// docs/many-machines.md has the formulas.
namespace setka::plan {

// As solve/solver_choices.hpp has them, which this folder does not stand on.
inline constexpr int own_multigrid_max_processes = 1024;
inline constexpr double gathered_level_bytes_of_cpu = 500'000;
inline constexpr int gathered_level_max_processes = 16;

/// A model before it is assembled.
struct RankModel {
  double unknowns = 0;
  double entries = 0;         // of the matrix
  double element_values = 0;  // of all element matrices together

  /// So many times as large, of the same elements.
  RankModel times(double factor) const;
};

/// Seconds by what they go for, of the process that has most.
struct RankTimes {
  double iterations = 0;
  double assembly = 0;
  double set_up = 0;
  double solution = 0;  // what each computes by itself
  double exchange = 0;  // of ghosts, on all levels
  double sums = 0;      // over all processes

  double seconds() const { return assembly + set_up + solution + exchange + sums; }
};

RankTimes static_step(const RankModel& model, double processes, const RankProfile& machine);

/// Bytes that a process has at most, without the mesh.
double rank_memory(const RankModel& model, double processes);

}  // namespace setka::plan
