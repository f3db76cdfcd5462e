// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/team_formulas.hpp"

#include <algorithm>

namespace setka::plan {
namespace {

/// Values that pass for each row beside the matrix: 2 of the product, 2 of (p, Ap), 6 of the step with (r,
/// r), 3 of the diagonal, 2 of (r, z), 3 of the next direction.
constexpr double vector_bytes_of_row = 18 * 8;

constexpr double kernels_alone = 9;  // of an iteration
constexpr double more_kernels = 4;   // of a member: what is sent, ghosts' columns, two sums
constexpr double sums_of_iteration = 2;

}  // namespace

TeamIteration cg_iteration(const TeamPart& part, const TeamMachine& machine, bool several) {
  TeamIteration own;
  const double product = part.own_bytes / machine.memory;
  own.matrix = product + part.beside_bytes / machine.memory;
  own.vectors = vector_bytes_of_row * part.rows / machine.memory;
  own.launches = (kernels_alone + (several ? more_kernels : 0)) * machine.launch;
  if (several) {
    own.exchange = std::max(0.0, machine.link.seconds(8 * part.ghosts) - product);
    own.sums = sums_of_iteration * machine.link.latency;
  }
  return own;
}

TeamIteration cg_iteration(std::span<const TeamPart> parts, const TeamMachine& machine) {
  TeamIteration worst;
  for (const TeamPart& part : parts) {
    const TeamIteration own = cg_iteration(part, machine, parts.size() > 1);
    if (own.seconds() > worst.seconds()) worst = own;
  }
  return worst;
}

TeamPart team_part(const BlockCounts& counts, int block) {
  const double width = block;
  const auto bytes = [&](double rows, double blocks) {  // each block has a column, and each row an offset
    return blocks == 0 ? 0 : (8 * width * width + 4) * blocks + 4 * (rows + 1);
  };
  return {width * counts.rows, bytes(counts.rows, counts.own), bytes(counts.boundary, counts.beside),
          width * counts.ghosts};
}

}  // namespace setka::plan
