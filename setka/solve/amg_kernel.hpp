// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::solve::kernel {

/// A column of a multivector into a vector of single precision, and back.
struct TakeColumn {
  exec::MultiView<const double> from;
  std::int64_t column;
  float* to;
  SETKA_HD void operator()(std::int64_t i) const { to[i] = static_cast<float>(from(i, column)); }
};

struct PutColumn {
  const float* from;
  exec::MultiView<double> to;
  std::int64_t column;
  SETKA_HD void operator()(std::int64_t i) const { to(i, column) = from[i]; }
};

}  // namespace setka::solve::kernel
