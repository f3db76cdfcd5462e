// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/block_jacobi.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/solve/block_diagonal_kernel.hpp"

namespace setka::solve {
namespace {

/// visit(i, values of the diagonal block of row i, row-major [n, n]); zeros where the row has none.
template <int N, class Visit>
void each_diagonal_block(const sparse::BlockCsr<double>& matrix, const Visit& visit) {
  const sparse::BlockCsrView<double> a = matrix.view();
  exec::host::for_each(matrix.device().threads(), a.rows, 256, [&](std::int64_t i) {
    double block[N * N] = {};
    const std::int32_t begin = a.offset[i];
    const std::int32_t end = a.offset[i + 1];
    const auto* const at = std::lower_bound(a.column + begin, a.column + end, static_cast<std::int32_t>(i));
    if (at != a.column + end && *at == i) {
      const std::int64_t n = std::int64_t{end - begin} * N;
      const double* const values = a.value + std::int64_t{begin} * N * N + (at - a.column - begin) * N;
      for (int r = 0; r < N; ++r) std::copy_n(values + r * n, N, block + r * N);
    }
    visit(i, block);
  });
}

template <class F>
void with_block_size(int size, F&& f) {
  switch (size) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      throw Error(Fault::usage, fmt::format("diagonal blocks of {0} x {0}; 1, 2, 3 and 6 are known", size));
  }
}

}  // namespace

std::vector<double> inverse_diagonal_blocks(const sparse::BlockCsr<double>& host_matrix) {
  const auto n = static_cast<std::size_t>(host_matrix.height());
  std::vector<double> inverse(static_cast<std::size_t>(host_matrix.rows()) * n * n);
  with_block_size(host_matrix.height(), [&](auto size) {
    each_diagonal_block<size()>(host_matrix, [&](std::int64_t i, double(&block)[size() * size()]) {
      kernel::invert_block<size()>(block);
      std::copy_n(block, size() * size(), inverse.data() + i * size() * size());
    });
  });
  return inverse;
}

std::vector<double> inverse_diagonal(const sparse::BlockCsr<double>& host_matrix) {
  std::vector<double> inverse(static_cast<std::size_t>(host_matrix.scalar_rows()));
  with_block_size(host_matrix.height(), [&](auto size) {
    each_diagonal_block<size()>(host_matrix, [&](std::int64_t i, double(&block)[size() * size()]) {
      for (int r = 0; r < size(); ++r) {
        const double diagonal = block[r * size() + r];
        inverse[static_cast<std::size_t>(i * size() + r)] = diagonal != 0 ? 1 / diagonal : 0.0;
      }
    });
  });
  return inverse;
}

BlockJacobi::BlockJacobi(const exec::Device& device, int block, const std::vector<double>& inverse_blocks)
    : block_(block),
      rows_(static_cast<std::int64_t>(inverse_blocks.size()) / block),
      inverse_(device, inverse_blocks) {
  with_block_size(block, [](auto) {});
}

void BlockJacobi::apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const {
  apply(stream, exec::MultiView<const double>{x.data, x.size, 1, 1}, {y.data, y.size, 1, 1});
}

void BlockJacobi::apply(const exec::Stream& stream, exec::MultiView<const double> x,
                        exec::MultiView<double> y) const {
  require(x.rows == rows_ && y.rows == rows_ && x.columns == y.columns, [&] {
    return fmt::format("BlockJacobi: of {} rows, but x is [{} x {}] and y [{} x {}]", rows_, x.rows,
                       x.columns, y.rows, y.columns);
  });
  with_block_size(block_, [&](auto size) {
    exec::parallel_for(stream, rows_ / size() * x.columns,
                       kernel::MultiplyDiagonal<size(), double>{inverse_.data(), x, y});
  });
}

}  // namespace setka::solve
