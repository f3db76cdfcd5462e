// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace setka::test {

/// Bound of rounding: so many operations of type T on values of that size, each wrong by at most half a unit.
template <class T>
double rounding(double operations, double size) {
  return operations * static_cast<double>(std::numeric_limits<T>::epsilon()) * size;
}

/// All entries within the bound; a failure names the worst entry, both values and the bound.
template <class Computed, class Expected>
::testing::AssertionResult all_near(const Computed& computed, const Expected& expected, double bound) {
  if (computed.size() != expected.size()) {
    return ::testing::AssertionFailure() << computed.size() << " entries, expected " << expected.size();
  }
  std::size_t worst = 0;
  double worst_error = 0;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const double error = std::abs(static_cast<double>(computed[i]) - static_cast<double>(expected[i]));
    if (!(error <= worst_error)) {  // a NaN is worse than anything
      worst = i;
      worst_error = error;
      if (std::isnan(error)) break;
    }
  }
  if (worst_error <= bound) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "entry " << worst << " is " << computed[worst] << ", expected " << expected[worst] << " within "
         << bound << " (off by " << worst_error << ")";
}

}  // namespace setka::test
