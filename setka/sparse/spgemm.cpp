// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/spgemm.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/block_shapes.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::sparse {

namespace cuda {  // spgemm.cu
ProductPattern pattern(const exec::Stream& stream, const Structure& a, const Structure& b);
template <int H, int M, int W>
void add_products(const exec::Stream& stream, const BlockCsrView<double>& a, const BlockCsrView<double>& b,
                  const ProductPattern& c, double* value);
BlockCsr<double> transpose(const exec::Stream& stream, const BlockCsr<double>& a);
}  // namespace cuda

namespace {

/// Where in the row at hand a column was placed. Belongs to a thread; needs no clearing between rows.
class Places {
 public:
  explicit Places(std::int32_t columns) : row_(static_cast<std::size_t>(columns), -1), place_(row_.size()) {}

  bool is_new(std::int32_t column, std::int32_t row) {
    auto& last = row_[static_cast<std::size_t>(column)];
    if (last == row) return false;
    last = row;
    return true;
  }
  std::int32_t& operator[](std::int32_t column) { return place_[static_cast<std::size_t>(column)]; }

 private:
  std::vector<std::int32_t> row_;
  std::vector<std::int32_t> place_;
};

/// body(row, places) for all rows, in contiguous shares of the threads.
template <class Body>
void for_rows(int threads, std::int32_t rows, std::int32_t columns, const Body& body) {
  const std::int64_t shares = threads == 1 ? 1 : 4 * threads;
  exec::host::for_each(threads, threads, 1, [&](std::int64_t t) {
    Places places(columns);
    for (std::int64_t share = t; share < shares; share += threads) {
      const auto begin = static_cast<std::int32_t>(rows * share / shares);
      const auto end = static_cast<std::int32_t>(rows * (share + 1) / shares);
      for (std::int32_t i = begin; i < end; ++i) body(i, places);
    }
  });
}

exec::Array<std::int32_t> offsets_of(const exec::Device& cpu, const std::vector<std::int32_t>& counts) {
  exec::Array<std::int32_t> offset(cpu, static_cast<std::int64_t>(counts.size()) + 1);
  std::int64_t sum = 0;
  std::int32_t* at = offset.data();
  *at++ = 0;
  for (const std::int32_t count : counts) {
    sum += count;
    require(sum <= std::numeric_limits<std::int32_t>::max(),
            "sparse product: more blocks than 32 bits count");
    *at++ = static_cast<std::int32_t>(sum);
  }
  return offset;
}

/// The pattern of A B.
ProductPattern pattern(const BlockCsrView<double>& a, const BlockCsrView<double>& b,
                       const exec::Device& cpu) {
  const auto each_column = [&](std::int32_t i, const auto& visit) {
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      const std::int32_t middle = a.column[k];
      for (std::int32_t m = b.offset[middle]; m < b.offset[middle + 1]; ++m) visit(b.column[m]);
    }
  };
  std::vector<std::int32_t> counts(static_cast<std::size_t>(a.rows));
  for_rows(cpu.threads(), a.rows, b.columns, [&](std::int32_t i, Places& places) {
    std::int32_t count = 0;
    each_column(i, [&](std::int32_t j) { count += places.is_new(j, i) ? 1 : 0; });
    counts[static_cast<std::size_t>(i)] = count;
  });
  exec::Array<std::int32_t> offset = offsets_of(cpu, counts);
  exec::Array<std::int32_t> column(cpu, offset.data()[a.rows]);
  for_rows(cpu.threads(), a.rows, b.columns, [&](std::int32_t i, Places& places) {
    std::int32_t* const first = column.data() + offset.data()[i];
    std::int32_t* last = first;
    each_column(i, [&](std::int32_t j) {
      if (places.is_new(j, i)) *last++ = j;
    });
    std::sort(first, last);
  });
  return {std::move(offset), std::move(column), exec::Array<std::int32_t>(cpu)};
}

/// Scalar columns of a block in a sum: a power of two, so that whole vector registers are added. The places
/// beyond a block's own columns collect what follows it in memory and are never read.
constexpr int padded(int width) {
  int size = 1;
  while (size < width) size *= 2;
  return size;
}

/// Adds row by row: C_i = sum over k of A_ik B_k, k ascending.
template <int H, int M, int W>
void add_products(const BlockCsrView<double>& a, const BlockCsrView<double>& b, int threads,
                  const std::int32_t* offset, const std::int32_t* column, double* value) {
  constexpr int P = padded(W);
  const double* const end_of_b = b.value + std::int64_t{b.offset[b.rows]} * M * W;
  for_rows(threads, a.rows, b.columns, [&](std::int32_t i, Places& places) {
    thread_local std::vector<double> sums;  // [blocks of the row, H, P]
    const std::int32_t first = offset[i];
    const std::int32_t count = offset[i + 1] - first;
    sums.assign(static_cast<std::size_t>(count) * H * P, 0.0);
    for (std::int32_t k = 0; k < count; ++k) places[column[first + k]] = k;
    const std::int32_t begin = a.offset[i];
    const std::int64_t across = std::int64_t{a.offset[i + 1] - begin} * M;
    const double* const left = a.value + std::int64_t{begin} * H * M;
    for (std::int32_t k = begin; k < a.offset[i + 1]; ++k) {
      double block[H][M];
      for (int r = 0; r < H; ++r) {
        for (int c = 0; c < M; ++c) block[r][c] = left[r * across + std::int64_t{k - begin} * M + c];
      }
      const std::int32_t middle = a.column[k];
      const std::int32_t from = b.offset[middle];
      const std::int64_t span = std::int64_t{b.offset[middle + 1] - from} * W;
      const double* const right = b.value + std::int64_t{from} * M * W;
      for (std::int32_t m = from; m < b.offset[middle + 1]; ++m) {
        double* const target = sums.data() + std::int64_t{places[b.column[m]]} * H * P;
        double source[M][P];
        for (int c = 0; c < M; ++c) {
          const double* const row = right + c * span + std::int64_t{m - from} * W;
          if (row + P <= end_of_b) {
            for (int j = 0; j < P; ++j) source[c][j] = row[j];
          } else {
            for (int j = 0; j < P; ++j) source[c][j] = j < W ? row[j] : 0.0;
          }
        }
        for (int r = 0; r < H; ++r) {
          double* const sum = target + std::ptrdiff_t{r} * P;
#pragma omp simd
          for (int j = 0; j < P; ++j) {
            double total = sum[j];
            for (int c = 0; c < M; ++c) total += block[r][c] * source[c][j];
            sum[j] = total;
          }
        }
      }
    }
    double* const out = value + std::int64_t{first} * H * W;
    const std::int64_t width = std::int64_t{count} * W;
    for (std::int32_t k = 0; k < count; ++k) {
      for (int r = 0; r < H; ++r)
        std::copy_n(sums.data() + (std::int64_t{k} * H + r) * P, W, out + r * width + std::int64_t{k} * W);
    }
  });
}

}  // namespace

BlockCsr<double> multiply(const BlockCsr<double>& a, const BlockCsr<double>& b) {
  require(a.columns() == b.rows() && a.width() == b.height(), [&] {
    return fmt::format("sparse product: [{} x {}] times [{} x {}]", a.scalar_rows(), a.scalar_columns(),
                       b.scalar_rows(), b.scalar_columns());
  });
  const exec::Device device = a.device();
  ProductPattern made = [&] {
    if constexpr (with_cuda) {
      if (device.is_cuda()) return cuda::pattern(device, structure_of(a.view()), structure_of(b.view()));
    }
    return pattern(a.view(), b.view(), device);
  }();
  exec::Array<double> value(device, made.column.size() * a.height() * b.width());
  with_block_product(a.height(), a.width(), b.width(), [&](auto h, auto m, auto w) {
    if constexpr (with_cuda) {
      if (device.is_cuda()) {
        return cuda::add_products<h(), m(), w()>(device, a.view(), b.view(), made, value.data());
      }
    }
    add_products<h(), m(), w()>(a.view(), b.view(), device.threads(), made.offset.data(), made.column.data(),
                                value.data());
  });
  return {a.rows(),        b.columns(), a.height(), b.width(), std::move(made.offset), std::move(made.column),
          std::move(value)};
}

BlockCsr<double> transpose(const BlockCsr<double>& matrix) {
  if constexpr (with_cuda) {
    if (matrix.device().is_cuda()) return cuda::transpose(matrix.device(), matrix);
  }
  const BlockCsrView<double> a = matrix.view();
  const exec::Device& cpu = matrix.device();
  const int height = matrix.height();
  const int width = matrix.width();
  std::vector<std::int32_t> counts(static_cast<std::size_t>(a.columns), 0);
  for (std::int64_t k = 0; k < matrix.blocks(); ++k) ++counts[static_cast<std::size_t>(a.column[k])];
  exec::Array<std::int32_t> offset = offsets_of(cpu, counts);
  exec::Array<std::int32_t> column(cpu, matrix.blocks());
  exec::Array<std::int32_t> source_row(cpu, matrix.blocks());  // block of A that each block comes from
  std::vector<std::int32_t> next(offset.data(), offset.data() + a.columns);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      const std::int32_t at = next[static_cast<std::size_t>(a.column[k])]++;
      column.data()[at] = i;
      source_row.data()[at] = k - a.offset[i];
    }
  }
  exec::Array<double> value(cpu, matrix.value().size());
  exec::host::for_each(cpu.threads(), a.columns, 64, [&](std::int64_t j) {
    const std::int32_t first = offset.data()[j];
    const std::int64_t n = std::int64_t{offset.data()[j + 1] - first} * height;
    double* const out = value.data() + std::int64_t{first} * height * width;
    for (std::int32_t at = first; at < offset.data()[j + 1]; ++at) {
      const std::int32_t i = column.data()[at];
      const std::int64_t across = std::int64_t{a.offset[i + 1] - a.offset[i]} * width;
      const double* const from =
          a.value + std::int64_t{a.offset[i]} * height * width + std::int64_t{source_row.data()[at]} * width;
      for (int r = 0; r < height; ++r) {
        for (int c = 0; c < width; ++c)
          out[c * n + std::int64_t{at - first} * height + r] = from[r * across + c];
      }
    }
  });
  return {a.columns, a.rows, width, height, std::move(offset), std::move(column), std::move(value)};
}

}  // namespace setka::sparse
