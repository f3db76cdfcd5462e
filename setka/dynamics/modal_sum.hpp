// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

/// How the largest answers of modes, which do not come at one time, become one number.
namespace setka::dynamics {

enum class ModalRule {
  absolute,     // sum of |R|
  srss,         // square root of the sum of squares
  ten_percent,  // the same, with twice |R_i R_j| of modes whose frequencies differ by a tenth at most
  cqc,          // complete quadratic combination of Der Kiureghian
};

struct DampedFrequency {
  double angular_frequency;  // positive
  double damping;            // ratio of critical
};

/// Der Kiureghian's correlation of two modes under wide-band motion: 1 for equal frequencies.
double correlation(const DampedFrequency& a, const DampedFrequency& b);

/// A rule for given modes.
class ModalCombination {
 public:
  ModalCombination(ModalRule rule, std::vector<DampedFrequency> modes);

  /// responses: [modes], with their signs. Never negative.
  double operator()(std::span<const double> responses) const;

 private:
  ModalRule rule_;
  std::size_t count_;
  std::vector<double> coupling_;  // [modes, modes] of what is not on the diagonal; empty: nothing is
};

}  // namespace setka::dynamics
