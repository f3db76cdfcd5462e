// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/blocked.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::sparse {
namespace {

/// Columns of the blocks in a block row, ascending.
void columns_of(const Csr& matrix, int size, std::int64_t block_row, std::vector<std::int32_t>& columns) {
  columns.clear();
  for (std::int64_t i = block_row * size; i < (block_row + 1) * size; ++i) {
    const std::int64_t end = matrix.offset[static_cast<std::size_t>(i) + 1];
    for (std::int64_t k = matrix.offset[static_cast<std::size_t>(i)]; k < end; ++k) {
      const std::int32_t column = matrix.column[static_cast<std::size_t>(k)] / size;
      if (columns.empty() || columns.back() != column) columns.push_back(column);
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

std::vector<std::int64_t> blocks_of_rows(const Csr& matrix, int size, int threads) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(matrix.rows / size));
  exec::host::for_each(threads, matrix.rows / size, 256, [&](std::int64_t i) {
    if (size == 1) {
      counts[static_cast<std::size_t>(i)] =
          matrix.offset[static_cast<std::size_t>(i) + 1] - matrix.offset[static_cast<std::size_t>(i)];
      return;
    }
    thread_local std::vector<std::int32_t> columns;
    columns_of(matrix, size, i, columns);
    counts[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(columns.size());
  });
  return counts;
}

}  // namespace

std::int64_t count_blocks(const Csr& matrix, int size, int threads) {
  if (size == 1) return matrix.stored();
  std::int64_t sum = 0;
  for (const std::int64_t count : blocks_of_rows(matrix, size, threads)) sum += count;
  return sum;
}

BlockCsr<double> blocked(const exec::Device& cpu, const Csr& matrix, int size) {
  require(matrix.rows % size == 0 && matrix.columns % size == 0, [&] {
    return fmt::format("blocked: a matrix of {} x {} cannot be cut into blocks of {}", matrix.rows,
                       matrix.columns, size);
  });
  const std::int32_t rows = matrix.rows / size;
  const std::vector<std::int64_t> counts = blocks_of_rows(matrix, size, cpu.threads());
  exec::Array<std::int32_t> offset(cpu, std::int64_t{rows} + 1);
  std::int64_t blocks = 0;
  for (std::int32_t i = 0; i < rows; ++i) {
    offset.data()[i] = static_cast<std::int32_t>(blocks);
    blocks += counts[static_cast<std::size_t>(i)];
    require(blocks <= INT32_MAX, "blocked: more than 2147483647 blocks");
  }
  offset.data()[rows] = static_cast<std::int32_t>(blocks);
  exec::Array<std::int32_t> column(cpu, blocks);
  exec::Array<double> value(cpu, blocks * size * size);
  exec::host::for_each(cpu.threads(), rows, 256, [&](std::int64_t b) {
    thread_local std::vector<std::int32_t> columns;
    columns_of(matrix, size, b, columns);
    const std::int64_t begin = offset.data()[b];
    const std::int64_t width = static_cast<std::int64_t>(columns.size()) * size;
    std::copy(columns.begin(), columns.end(), column.data() + begin);
    double* const values = value.data() + begin * size * size;
    std::fill_n(values, width * size, 0.0);
    for (int r = 0; r < size; ++r) {
      const std::int64_t i = b * size + r;
      std::size_t at = 0;
      const std::int64_t end = matrix.offset[static_cast<std::size_t>(i) + 1];
      for (std::int64_t k = matrix.offset[static_cast<std::size_t>(i)]; k < end; ++k) {
        const std::int32_t j = matrix.column[static_cast<std::size_t>(k)];
        while (columns[at] != j / size) ++at;
        values[r * width + static_cast<std::int64_t>(at) * size + j % size] =
            matrix.value[static_cast<std::size_t>(k)];
      }
    }
  });
  return {rows, matrix.columns / size, size, size, std::move(offset), std::move(column), std::move(value)};
}

SymmetricCsr upper_triangle(const BlockCsr<double>& matrix) {
  const BlockCsrView<double> a = matrix.view();
  const int size = matrix.height();
  SymmetricCsr upper;
  upper.rows = static_cast<std::int32_t>(matrix.scalar_rows());
  upper.offset.reserve(static_cast<std::size_t>(upper.rows) + 1);
  for (std::int64_t b = 0; b < a.rows; ++b) {
    const std::int32_t begin = a.offset[b];
    const std::int64_t width = std::int64_t{a.offset[b + 1] - begin} * size;
    for (int r = 0; r < size; ++r) {
      const double* const values = a.value + std::int64_t{begin} * size * size + r * width;
      const std::int64_t i = b * size + r;
      for (std::int64_t k = 0; k < width; ++k) {
        const std::int64_t j = std::int64_t{a.column[begin + k / size]} * size + k % size;
        if (j < i || (values[k] == 0 && j != i)) continue;
        upper.column.push_back(static_cast<std::int32_t>(j));
        upper.value.push_back(values[k]);
      }
      upper.offset.push_back(static_cast<std::int64_t>(upper.column.size()));
    }
  }
  return upper;
}

}  // namespace setka::sparse
