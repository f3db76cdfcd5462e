// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

namespace setka::solve {

/// Whether a residual still falls: by a tenth within so many iterations.
class Patience {
 public:
  explicit Patience(int iterations) : iterations_(iterations) {}

  /// residual: the square of its norm.
  bool lost(int iteration, double residual) {
    if (residual < 0.81 * best_) {  // squares: 0.9 of the norm
      best_ = residual;
      since_ = iteration;
    }
    return iteration - since_ > iterations_;
  }

 private:
  int iterations_;
  int since_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace setka::solve
