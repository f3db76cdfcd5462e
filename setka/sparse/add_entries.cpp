// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/add_entries.hpp"

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/add_entries_kernel.hpp"

namespace setka::sparse {

void add_entries(const exec::Stream& stream, exec::View<const std::int32_t> row,
                 exec::View<const std::int32_t> column, exec::View<const double> value, BlockCsr<double>& a) {
  require(a.height() == 1 && a.width() == 1, "add_entries: the matrix has no blocks of 1 x 1");
  require(row.size == column.size && row.size == value.size,
          "add_entries: there are not as many rows, columns and values");
  exec::parallel_for(stream, row.size,
                     kernel::AddEntries{a.view(), a.value().data(), row.data, column.data, value.data});
}

}  // namespace setka::sparse
