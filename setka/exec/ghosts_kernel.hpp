// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec::kernel {

/// Chosen blocks of rows, each to its place in the memory of its link; for an entry of them.
template <class T>
struct PushBlocks {
  MultiView<const T> x;
  std::int64_t block;          // rows
  const std::int32_t* chosen;  // of each: which
  const std::int32_t* link;    // over which link
  const std::int32_t* place;   // block there
  T* const* to;                // [links]

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t row = at / x.columns;
    const std::int64_t k = row / block;
    const std::int64_t within = at - k * block * x.columns;
    to[link[k]][place[k] * block * x.columns + within] = x(chosen[k] * block + row % block, at % x.columns);
  }
};

}  // namespace setka::exec::kernel
