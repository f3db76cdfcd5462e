// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::exec::kernel {

/// Sums over members, in their order, of values that lie where a device reads them.
struct SumOfMembers {
  static constexpr int max_members = 16;
  const double* of_member[max_members];
  int members;
  double* sum;

  SETKA_HD void operator()(std::int64_t i) const {
    double all = 0;
    for (int m = 0; m < members; ++m) all += of_member[m][i];
    sum[i] = all;
  }
};

/// The same of values that lie one member after the other.
struct SumOfRows {
  const double* values;  // [members, size]
  std::int64_t size;
  int members;
  double* sum;

  SETKA_HD void operator()(std::int64_t i) const {
    double all = 0;
    for (int m = 0; m < members; ++m) all += values[m * size + i];
    sum[i] = all;
  }
};

}  // namespace setka::exec::kernel
