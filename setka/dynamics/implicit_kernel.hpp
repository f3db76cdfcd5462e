// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

/// One implicit step at one unknown. Scalars of the scheme come as numbers: see newmark.hpp.
namespace setka::dynamics::kernel {

/// What is known of the end of a step, and what K and C resist with: 9 words moved an unknown, 7 without C.
struct ImplicitPredict {
  const double* u;
  const double* v;
  const double* a;
  double* next_u;
  double* next_v;
  double* next_a;       // starts as a: where the iterations begin
  double* strain;       // what K is multiplied with
  double* rate;         // what C or M is multiplied with; null: nothing is
  double step;          // length
  double of_a_in_u;     // step^2 (1/2 - beta)
  double of_a_in_v;     // step (1 - gamma)
  double alpha;         // of Hilber, Hughes and Taylor
  double by_stiffness;  // of Rayleigh damping

  SETKA_HD void operator()(std::int64_t i) const {
    const double position = u[i] + step * v[i] + of_a_in_u * a[i];
    const double velocity = v[i] + of_a_in_v * a[i];
    const double mean_velocity = (1 + alpha) * velocity - alpha * v[i];
    next_u[i] = position;
    next_v[i] = velocity;
    next_a[i] = a[i];
    strain[i] = (1 + alpha) * position - alpha * u[i] + by_stiffness * mean_velocity;
    if (rate != nullptr) rate[i] = mean_velocity;
  }
};

/// With the new acceleration: 5 words an unknown.
struct ImplicitCorrect {
  const double* a;
  double* u;
  double* v;
  double of_a_in_u;  // beta step^2
  double of_a_in_v;  // gamma step

  SETKA_HD void operator()(std::int64_t i) const {
    u[i] += of_a_in_u * a[i];
    v[i] += of_a_in_v * a[i];
  }
};

/// Sums of squares: how much the acceleration changed in a step, and the displacement at its end.
struct ImplicitChange {
  struct Value {
    double acceleration;
    double displacement;
  };
  const double* before;
  const double* after;
  const double* u;

  SETKA_HD Value operator()(std::int64_t i) const {
    const double change = after[i] - before[i];
    return {change * change, u[i] * u[i]};
  }
  SETKA_HD static Value combine(const Value& a, const Value& b) {
    return {a.acceleration + b.acceleration, a.displacement + b.displacement};
  }
  SETKA_HD static Value identity() { return {0, 0}; }
};

}  // namespace setka::dynamics::kernel
