// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/rank_formulas.hpp"

#include <algorithm>
#include <cmath>

namespace setka::plan {
namespace {

// As measured on a cantilever of C3D8 (docs/many-machines.md).
constexpr double products_of_value = 20;  // of an entry, that one of an element matrix takes as long as
constexpr double exchanges_of_level = 6;
constexpr double neighbours = 14;  // of a compact part

/// A multigrid and CG with it, in products with the matrix.
struct Multigrid {
  double set_up;
  double cycle;           // smoothing, residuals and coarse levels, with what CG does
  double coarsening;      // unknowns of a level for one of the next
  double sums_of_set_up;  // over all processes
  double sums_of_level;   // the same for each level that they share
  double sums_of_iteration;
  double first_iterations;
  double more_iterations;   // for each doubling of the processes
  double peak_over_matrix;  // of memory, with what is made on the way
  double peak_alone;        // the same of one process
};
constexpr Multigrid setkas{60, 6.8, 20, 0, 55, 4, 16, 1, 2.9, 2.5};
constexpr Multigrid gamg{320, 8.8, 25, 940, 0, 3, 20, 0.5, 3.9, 1.9};  // sums as -log_view counts them

const Multigrid& multigrid_of(double processes) {
  return processes <= own_multigrid_max_processes ? setkas : gamg;
}

constexpr double coarse_entries = 140;     // of an unknown of Setka's coarse levels
constexpr double smallest_part = 12;       // unknowns of a process there: aggregates of two, of six unknowns
constexpr double smallest_of_gamg = 1000;  // its coarse levels live on as many processes as have so many

/// Rows of others that a compact part of so many unknowns needs.
double ghosts_of(double unknowns) {
  const double edge = std::cbrt(unknowns / 3);
  return 3 * (std::pow(edge + 2, 3) - std::pow(edge, 3));
}

}  // namespace

RankModel RankModel::times(double factor) const {
  return {factor * unknowns, factor * entries, factor * element_values};
}

namespace {

/// Seconds of an exchange about parts of so many unknowns.
double exchange_of(double unknowns, double others, const RankProfile& machine) {
  return exchanges_of_level * (others * machine.link.latency + 8 * ghosts_of(unknowns) / machine.link.rate);
}

/// What levels add to an iteration of Setka's multigrid, and how many of them processes share: the first
/// process has those below, as solve::Amg gathers them.
struct Levels {
  double shared = 0;
  double exchange = 0;
  double of_first = 0;
};

Levels levels_of(const RankModel& model, double processes, const RankProfile& machine) {
  Levels made;
  const double enough = static_cast<double>(gathered_level_bytes_of_cpu) *
                        std::min(processes, static_cast<double>(gathered_level_max_processes));
  double entries = model.entries;
  for (double unknowns = model.unknowns;; unknowns /= setkas.coarsening) {
    const bool gathered =
        sizeof(float) * entries < enough || (made.shared > 0 && unknowns < smallest_part * processes);
    if (gathered) {
      made.of_first = setkas.cycle * entries * machine.product;
      return made;
    }
    made.shared += 1;
    made.exchange += exchange_of(unknowns / processes, std::min(neighbours, processes - 1), machine);
    entries = coarse_entries * unknowns / setkas.coarsening;
  }
}

/// Seconds of exchanges in an iteration of GAMG, whose coarse levels live on fewer processes.
double exchange_of_gamg(const RankModel& model, double processes, const RankProfile& machine) {
  double seconds = 0;
  for (double unknowns = model.unknowns; unknowns > smallest_of_gamg; unknowns /= gamg.coarsening) {
    const double sharing = std::min(unknowns / smallest_of_gamg, processes);
    seconds += exchange_of(unknowns / sharing, std::min(neighbours, sharing - 1), machine);
  }
  return seconds;
}

}  // namespace

RankTimes static_step(const RankModel& model, double processes, const RankProfile& machine) {
  const Multigrid& by = multigrid_of(processes);
  const double product = model.entries / processes * machine.product;
  RankTimes made;
  made.iterations = by.first_iterations + by.more_iterations * std::log2(processes);
  made.assembly = products_of_value * model.element_values / processes * machine.product;
  made.set_up = by.set_up * product;
  made.solution = made.iterations * by.cycle * product;
  if (processes <= 1) return made;
  double sums = by.sums_of_set_up + by.sums_of_iteration * made.iterations;
  if (&by == &setkas) {
    const Levels levels = levels_of(model, processes, machine);
    if (levels.shared == 0) made.solution = 0;  // all of it is the first one's
    made.solution += made.iterations * levels.of_first;
    made.exchange = made.iterations * levels.exchange;
    sums += by.sums_of_level * levels.shared;
  } else {
    made.exchange = made.iterations * exchange_of_gamg(model, processes, machine);
  }
  made.sums = sums * 2 * std::ceil(std::log2(processes)) * machine.link.latency;
  return made;
}

/// A value and a column.
constexpr double entry_bytes = 12;

double rank_memory(const RankModel& model, double processes) {
  const Multigrid& by = multigrid_of(processes);
  return (processes > 1 ? by.peak_over_matrix : by.peak_alone) * entry_bytes * model.entries / processes;
}

}  // namespace setka::plan
