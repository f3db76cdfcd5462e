// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

namespace setka::solve {

/// Whether a residual no longer falls: by a tenth within a window of so many iterations.
class Stagnation {
 public:
  explicit Stagnation(int window) : window_(window) {}

  /// residual: the square of its norm.
  bool reached(int iteration, double residual) {
    if (residual < 0.81 * best_) {  // squares: 0.9 of the norm
      best_ = residual;
      since_ = iteration;
    }
    return iteration - since_ > window_;
  }

 private:
  int window_;
  int since_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace setka::solve
