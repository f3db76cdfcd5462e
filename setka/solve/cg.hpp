// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "setka/base/monitor.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve {

enum class Ending { converged, too_many_iterations, not_positive_definite, not_a_number };

struct CgOutcome {
  Ending ending = Ending::converged;
  int iterations = 0;
  double residual = 0;  // |b - A x| / |b| by recurrence
};

/// Conjugate gradients with the diagonal as preconditioner, on the host; x holds the start and the answer.
CgOutcome diagonal_cg(const sparse::SymmetricCsr& a, std::span<const double> b, std::span<double> x,
                      double tolerance, int most_iterations, Monitor& monitor);

}  // namespace setka::solve
