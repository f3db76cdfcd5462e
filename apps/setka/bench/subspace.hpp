// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "bench/modes.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/exec/device.hpp"

namespace setka::bench {

/// One iteration of the paper's (UZOR) on six cores, and the projection in it.
struct PaperIteration {
  double seconds = 160;
  double projection_seconds = 81;
};

/// How K and M are multiplied in subspace iteration.
enum class SubspaceOperator { assembled, elements, matrix_free };

const char* name(SubspaceOperator kind);

/// Subspace iteration on one model on a device: seconds of its iterations by what they do.
struct SubspaceRow {
  ModesRequest request;
  SubspaceOperator kind = SubspaceOperator::elements;
  deck::ExampleSize size;
  std::int64_t unknowns = 0;  // without fixed ones
  std::string skipped;        // why it was not measured; empty: it was

  double set_up_seconds = 0;    // matrices, preconditioner
  double solution_seconds = 0;  // of the solver, the search for missing modes included
  double projection_seconds = 0;
  double product_seconds = 0;  // K X and M X beside the solutions
  double solve_seconds = 0;    // (K + alpha M)^-1 by block conjugate gradients
  int projections = 0;         // X'KX and X'MX together are one
  int columns = 0;
  int iterations = 0;
  int steps = 0;  // with those of the search
  double residual = 0;
  bool converged = false;
  std::string trouble;

  double iteration_seconds() const { return steps == 0 ? 0 : solution_seconds / steps; }
  /// Of an iteration; assembled matrices have none that could be told from products.
  double projection_share() const {
    return solution_seconds == 0 ? 0 : projection_seconds / solution_seconds;
  }
};

SubspaceRow measure_subspace(const ModesRequest& request, SubspaceOperator kind, const exec::Device& device,
                             Monitor& monitor);

}  // namespace setka::bench
