// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/shifted_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_jacobi.hpp"

namespace setka::modes {
namespace {

using sparse::BlockCsr;

bool same_blocks(const BlockCsr<double>& a, const BlockCsr<double>& b) {
  return a.rows() == b.rows() && a.height() == b.height() && a.blocks() == b.blocks() &&
         a.offset().to_vector() == b.offset().to_vector() && a.column().to_vector() == b.column().to_vector();
}

/// Columns of a block row of either.
std::vector<std::int32_t> columns_of_both(const sparse::BlockCsrView<double>& a,
                                          const sparse::BlockCsrView<double>& b, std::int32_t row) {
  std::vector<std::int32_t> columns;
  std::set_union(a.column + a.offset[row], a.column + a.offset[row + 1], b.column + b.offset[row],
                 b.column + b.offset[row + 1], std::back_inserter(columns));
  return columns;
}

/// target += t a for one block row; values: [size, columns, size].
void add_row(const sparse::BlockCsrView<double>& a, std::int32_t row, int size, double t,
             const std::vector<std::int32_t>& columns, double* target) {
  const std::int32_t begin = a.offset[row];
  const std::int64_t blocks = a.offset[row + 1] - begin;
  const auto wide = static_cast<std::int64_t>(columns.size());
  const double* const values = a.value + std::int64_t{begin} * size * size;
  for (std::int64_t k = 0; k < blocks; ++k) {
    const std::int64_t at =
        std::lower_bound(columns.begin(), columns.end(), a.column[begin + k]) - columns.begin();
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < size; ++c)
        target[(r * wide + at) * size + c] += t * values[(r * blocks + k) * size + c];
    }
  }
}

/// On the host, where blocks lie in different places.
BlockCsr<double> united(const BlockCsr<double>& k, double alpha, const BlockCsr<double>& m) {
  const exec::Device& cpu = k.device();
  const int size = k.height();
  exec::Array<std::int32_t> offset(cpu, std::int64_t{k.rows()} + 1);
  std::vector<std::int32_t> column;
  std::vector<double> value;
  offset.data()[0] = 0;
  for (std::int32_t row = 0; row < k.rows(); ++row) {
    const std::vector<std::int32_t> columns = columns_of_both(k.view(), m.view(), row);
    const std::size_t first = value.size();
    value.resize(first + columns.size() * static_cast<std::size_t>(size * size), 0.0);
    add_row(k.view(), row, size, 1, columns, value.data() + first);
    add_row(m.view(), row, size, alpha, columns, value.data() + first);
    column.insert(column.end(), columns.begin(), columns.end());
    offset.data()[row + 1] = static_cast<std::int32_t>(column.size());
  }
  return {k.rows(),
          k.columns(),
          size,
          size,
          std::move(offset),
          exec::Array<std::int32_t>(cpu, column),
          exec::Array<double>(cpu, value)};
}

}  // namespace

BlockCsr<double> shifted_matrix(const BlockCsr<double>& k, double alpha, const BlockCsr<double>& m) {
  require(k.rows() == m.rows() && k.height() == m.height(), "shifted_matrix: K and M have different sizes");
  const exec::Device& device = k.device();
  if (same_blocks(k, m)) {
    BlockCsr<double> sum = k.to(device);
    exec::axpy(device, alpha, m.value(), sum.value());
    return sum;
  }
  const exec::Device cpu = exec::Device::cpu();
  if (!device.is_cuda()) return united(k, alpha, m);
  return united(k.to(cpu), alpha, m.to(cpu)).to(device);
}

double trace(const BlockCsr<double>& a) {
  double sum = 0;
  for (const double inverse : solve::inverse_diagonal(a).to_vector()) {
    if (inverse != 0) sum += 1 / inverse;
  }
  return sum;
}

}  // namespace setka::modes
