// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"

namespace setka::solve::kernel {

/// An entry of a block into the same place of a block of another precision.
template <class From, class To>
struct ConvertBlock {
  exec::MultiView<const From> from;
  exec::MultiView<To> to;
  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = at / from.columns;
    const std::int64_t j = at % from.columns;
    to(i, j) = static_cast<To>(from(i, j));
  }
};

}  // namespace setka::solve::kernel
