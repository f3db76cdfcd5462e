// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/projection.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/sparse/projection_kernel.hpp"

namespace setka::sparse {

void project(const exec::Stream& stream, const BlockCsr<double>& a, exec::MultiView<const double> x,
             exec::MultiView<double> s) {
  require(a.scalar_rows() == a.scalar_columns() && x.rows == a.scalar_rows(), [&] {
    return fmt::format("project: the matrix is [{} x {}], but X has {} rows", a.scalar_rows(),
                       a.scalar_columns(), x.rows);
  });
  require(s.rows == x.columns && s.columns == x.columns, [&] {
    return fmt::format("project: X has {} columns, but the result is [{} x {}]", x.columns, s.rows,
                       s.columns);
  });
  const std::int64_t n = x.columns;
  const exec::Scratch<double> product(stream, x.rows * n);
  const exec::Scratch<double> sums(stream, n * n);
  const exec::MultiView<double> y{product.data(), x.rows, n, n};
  const exec::MultiView<double> p{sums.data(), n, n, n};
  multiply(stream, a, x, y);
  exec::inner(stream, x, y, p);
  exec::parallel_for(stream, n * n, kernel::Symmetrize{p, s, false});
}

}  // namespace setka::sparse
