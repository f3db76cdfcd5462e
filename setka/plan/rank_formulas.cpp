// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/rank_formulas.hpp"

#include <algorithm>
#include <cmath>

namespace setka::plan {
namespace {

// Of PETSc 3.18 as measured on a cantilever of C3D8 (docs/many-machines.md).
constexpr double products_of_set_up = 170;  // of the matrix, that GAMG takes as long as
constexpr double products_of_cycle = 4.7;   // smoothing, residuals and coarse levels, with what CG does
constexpr double products_of_value = 10;    // of an entry, that one of an element matrix takes as long as
constexpr double coarsening = 25;           // unknowns of a level for one of the next
constexpr double coarsest = 1000;
constexpr double exchanges_of_level = 6;
constexpr double neighbours = 14;  // of a compact part
constexpr double sums_of_iteration = 3;
constexpr double sums_of_set_up = 940;  // as -log_view counts them
constexpr double first_iterations = 20;
constexpr double more_iterations = 0.5;   // for each doubling of the processes
constexpr double peak_over_matrix = 3.9;  // A, P, A P, copies of parts of them and the coarse matrix
constexpr double peak_alone = 1.9;

/// Rows of others that a compact part of so many unknowns needs.
double ghosts_of(double unknowns) {
  const double edge = std::cbrt(unknowns / 3);
  return 3 * (std::pow(edge + 2, 3) - std::pow(edge, 3));
}

}  // namespace

RankModel RankModel::times(double factor) const {
  return {factor * unknowns, factor * entries, factor * element_values};
}

RankTimes static_step(const RankModel& model, double processes, const RankProfile& machine) {
  const double product = model.entries / processes * machine.product;
  RankTimes made;
  made.iterations = first_iterations + more_iterations * std::log2(processes);
  made.assembly = products_of_value * model.element_values / processes * machine.product;
  made.set_up = products_of_set_up * product;
  made.solution = made.iterations * products_of_cycle * product;
  if (processes <= 1) return made;
  for (double unknowns = model.unknowns; unknowns > coarsest; unknowns /= coarsening) {
    // Coarse levels live on fewer processes, which have some thousand unknowns each.
    const double sharing = std::clamp(unknowns / coarsest, 1.0, processes);
    if (sharing <= 1) break;
    const double others = std::min(neighbours, sharing - 1);
    made.exchange += made.iterations * exchanges_of_level *
                     (others * machine.link.latency + 8 * ghosts_of(unknowns / sharing) / machine.link.rate);
  }
  made.sums = (sums_of_set_up + sums_of_iteration * made.iterations) * 2 * std::ceil(std::log2(processes)) *
              machine.link.latency;
  return made;
}

/// A value and a column.
constexpr double entry_bytes = 12;

double rank_memory(const RankModel& model, double processes) {
  return (processes > 1 ? peak_over_matrix : peak_alone) * entry_bytes * model.entries / processes;
}

}  // namespace setka::plan
