// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/entries.hpp"

#include "setka/base/error.hpp"
#include "setka/exec/entries_kernel.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::exec {

void update_entries(const Stream& stream, View<const std::int32_t> at, View<const double> keep,
                    View<const double> add, View<double> y) {
  require(at.size == keep.size && at.size == add.size,
          "update_entries: there are not as many places, factors and values");
  parallel_for(stream, at.size, kernel::UpdateEntry{at.data, keep.data, add.data, y.data});
}

}  // namespace setka::exec
