// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/column_by_column.hpp"

#include <cstdint>

#include "setka/exec/copy.hpp"
#include "setka/exec/scratch.hpp"

namespace setka::solve {

void apply_column_by_column(const exec::Stream& stream, const Operator& a, exec::MultiView<const double> x,
                            exec::MultiView<double> y) {
  const exec::Scratch<double> from(stream, x.rows);
  const exec::Scratch<double> to(stream, y.rows);
  for (std::int64_t j = 0; j < x.columns; ++j) {
    exec::copy_rows_async<double>(stream, {x.data + j, x.rows, 1, x.stride}, {from.data(), x.rows, 1, 1});
    a.apply(stream, exec::View<const double>{from.data(), x.rows}, exec::View<double>{to.data(), y.rows});
    exec::copy_rows_async<double>(stream, {to.data(), y.rows, 1, 1}, {y.data + j, y.rows, 1, y.stride});
  }
}

}  // namespace setka::solve
