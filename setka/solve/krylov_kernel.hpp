// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace setka::solve::kernel {

/// What Krylov methods have in common of their scalars in device memory.
struct KrylovState {
  enum Ending : std::int64_t { under_way, converged, not_positive_definite, breakdown, not_a_number };

  double residual;    // (r, r)
  double target;      // (r, r) to reach
  double iterations;  // done so far
  Ending ending;
};

}  // namespace setka::solve::kernel
