// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec::kernel {

/// Chosen blocks of rows, one after the other; for an entry of them.
template <class T>
struct PackBlocks {
  MultiView<const T> x;
  const std::int32_t* chosen;
  std::int64_t block;  // rows
  T* to;               // [chosen, block, columns]

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t row = at / x.columns;
    to[at] = x(chosen[row / block] * block + row % block, at % x.columns);
  }
};

}  // namespace setka::exec::kernel
