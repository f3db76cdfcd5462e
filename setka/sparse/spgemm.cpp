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
#include "setka/sparse/detail/row_sums.hpp"
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

/// The pattern of A B, in one pass: rows of a share lie one after the other.
ProductPattern pattern(const BlockCsrView<double>& a, const BlockCsrView<double>& b,
                       const exec::Device& cpu) {
  const host::Shares shares(cpu.threads(), a.rows);
  std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(shares.count()));
  std::vector<std::int32_t> counts(static_cast<std::size_t>(a.rows));
  shares.for_rows([&] { return host::Places(b.columns); },
                  [&](std::int64_t share, std::int32_t i, host::Places& places) {
                    std::vector<std::int32_t>& columns = found[static_cast<std::size_t>(share)];
                    const auto before = static_cast<std::ptrdiff_t>(columns.size());
                    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
                      const std::int32_t middle = a.column[k];
                      for (std::int32_t m = b.offset[middle]; m < b.offset[middle + 1]; ++m)
                        if (places.is_new(b.column[m], i)) columns.push_back(b.column[m]);
                    }
                    std::sort(columns.begin() + before, columns.end());
                    counts[static_cast<std::size_t>(i)] =
                        static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(columns.size()) - before);
                  });
  exec::Array<std::int32_t> offset = offsets_of(cpu, counts);
  exec::Array<std::int32_t> column(cpu, offset.data()[a.rows]);
  for (std::int64_t share = 0; share < shares.count(); ++share) {
    const std::vector<std::int32_t>& columns = found[static_cast<std::size_t>(share)];
    std::copy(columns.begin(), columns.end(), column.data() + offset.data()[shares.begin(share)]);
  }
  return {std::move(offset), std::move(column), exec::Array<std::int32_t>(cpu)};
}

/// Adds row by row: C_i = sum over k of A_ik B_k, k ascending.
template <int H, int M, int W>
void add_products(const BlockCsrView<double>& a, const BlockCsrView<double>& b, int threads,
                  const std::int32_t* offset, const std::int32_t* column, double* value) {
  constexpr int P = host::RowVectors<W>::padded;
  const double* const end_of_b = b.value + std::int64_t{b.offset[b.rows]} * M * W;
  struct Own {
    host::Places places;
    std::vector<double> sums;  // [blocks of the row, H, P]
  };
  host::Shares(threads, a.rows)
      .for_rows(
          [&] {
            return Own{host::Places(b.columns), {}};
          },
          [&](std::int64_t /*share*/, std::int32_t i, Own& own) {
            const std::int32_t first = offset[i];
            const std::int32_t count = offset[i + 1] - first;
            own.sums.assign(static_cast<std::size_t>(count) * H * P, 0.0);
            for (std::int32_t k = 0; k < count; ++k) own.places[column[first + k]] = k;
            for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
              double block[H][M];
              host::load_block(a, a.offset[i], a.offset[i + 1], k, block);
              const std::int32_t middle = a.column[k];
              const std::int32_t from = b.offset[middle];
              const std::int64_t span = std::int64_t{b.offset[middle + 1] - from} * W;
              const double* right = b.value + std::int64_t{from} * M * W;
              for (std::int32_t m = from; m < b.offset[middle + 1]; ++m, right += W) {
                double* const sum = own.sums.data() + std::int64_t{own.places[b.column[m]]} * H * P;
                host::add_block_product<H, M, W>(block, right, span, sum, end_of_b);
              }
            }
            host::store_row<H, W>(own.sums.data(), nullptr, count, value + std::int64_t{first} * H * W);
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
