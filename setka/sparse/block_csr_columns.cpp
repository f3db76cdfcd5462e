// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr_columns.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/sparse/block_csr_columns_host.hpp"
#include "setka/sparse/block_csr_columns_kernel.hpp"

namespace setka::sparse {

template <class T>
void multiply(const exec::Stream& stream, std::type_identity_t<T> s, const BlockCsr<T>& a,
              exec::MultiViewOf<const T> x, std::type_identity_t<T> t, exec::MultiViewOf<const T> z,
              exec::MultiViewOf<T> y) {
  const auto fits = [&](std::int64_t rows, std::int64_t columns) {
    return rows == a.scalar_rows() && columns == x.columns;
  };
  require(
      x.rows == a.scalar_columns() && fits(y.rows, y.columns) && (t == T(0) || fits(z.rows, z.columns)), [&] {
        return fmt::format("multiply: matrix is [{} x {}] but X is [{} x {}], Y [{} x {}] and Z [{} x {}]",
                           a.scalar_rows(), a.scalar_columns(), x.rows, x.columns, y.rows, y.columns, z.rows,
                           z.columns);
      });
  product_columns<T>(stream, a, x, kernel::StoreColumns<T>{s, t, z, y});
}

#define SETKA_MULTIPLY_COLUMNS(T)                                                                    \
  template void multiply<T>(const exec::Stream&, T, const BlockCsr<T>&, exec::MultiView<const T>, T, \
                            exec::MultiView<const T>, exec::MultiView<T>);
SETKA_MULTIPLY_COLUMNS(float)
SETKA_MULTIPLY_COLUMNS(double)

}  // namespace setka::sparse
