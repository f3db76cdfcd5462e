// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::exec::kernel {

struct UpdateEntry {
  const std::int32_t* at;
  const double* keep;
  const double* add;
  double* y;

  SETKA_HD void operator()(std::int64_t i) const { y[at[i]] = keep[i] * y[at[i]] + add[i]; }
};

}  // namespace setka::exec::kernel
