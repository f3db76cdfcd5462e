// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "setka/base/config.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/block_csr_product.hpp"

/// Products of block rows with many columns and what follows them fused in, as block_csr_product.hpp has them
/// for one: an Epilogue's columns<H, V>(i, first, sums) is called for each block row and each group of V
/// columns with the sums (A X)_i of columns first .. first + V - 1 in sums[H][V]; its in_words(v) says
/// whether a GPU may move v columns of what it reads and writes at once.
namespace setka::sparse {

namespace host {

/// V columns at a time: a value of A meets as many entries of X as fill some vector registers, in which the
/// sums stay.
template <int H, int W, int V, class T, class Epilogue>
void add_columns(const BlockCsrView<T>& a, std::int64_t i, exec::MultiView<const T> x, std::int64_t first,
                 const Epilogue& epilogue) {
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const std::int64_t n = std::int64_t{end - begin} * W;
  const T* values = a.value + std::int64_t{begin} * H * W;
  T sum[H][V] = {};
  for (std::int32_t k = begin; k < end; ++k, values += W) {
    for (int c = 0; c < W; ++c) {
      const T* const from = &x(std::int64_t{a.column[k]} * W + c, first);
      for (int r = 0; r < H; ++r) {
        const T value = values[r * n + c];
#pragma omp simd
        for (int v = 0; v < V; ++v) sum[r][v] += value * from[v];
      }
    }
  }
  epilogue.template columns<H, V>(i, first, sum);
}

/// One column: the vector registers run along the row.
template <int H, int W, class T, class Epilogue>
void add_column(const BlockCsrView<T>& a, std::int64_t i, exec::MultiView<const T> x, std::int64_t column,
                const Epilogue& epilogue) {
  thread_local std::vector<T> picked;
  const std::int32_t begin = a.offset[i];
  const std::int32_t end = a.offset[i + 1];
  const std::int64_t n = std::int64_t{end - begin} * W;
  picked.resize(static_cast<std::size_t>(n));
  T* out = picked.data();
  for (std::int32_t k = begin; k < end; ++k) {
    for (int c = 0; c < W; ++c) *out++ = x(std::int64_t{a.column[k]} * W + c, column);
  }
  const T* const values = a.value + std::int64_t{begin} * H * W;
  T sum[H][1];
  for (int r = 0; r < H; ++r) sum[r][0] = contiguous_dot(values + r * n, picked.data(), n);
  epilogue.template columns<H, 1>(i, column, sum);
}

template <int H, int W, class T, class Epilogue>
void product_columns(int threads, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                     const Epilogue& epilogue) {
  exec::host::for_each(threads, a.rows, 64, [&](std::int64_t i) {
    std::int64_t first = 0;
    for (; first + 16 <= x.columns; first += 16) add_columns<H, W, 16>(a, i, x, first, epilogue);
    for (; first + 8 <= x.columns; first += 8) add_columns<H, W, 8>(a, i, x, first, epilogue);
    for (; first + 4 <= x.columns; first += 4) add_columns<H, W, 4>(a, i, x, first, epilogue);
    for (; first < x.columns; ++first) add_column<H, W>(a, i, x, first, epilogue);
  });
}

}  // namespace host

namespace cuda {

// Defined in block_csr_columns.cuh for the .cu files; instantiated there for each epilogue.
template <int H, int W, class T, class Epilogue>
void product_columns(const exec::Stream& stream, const BlockCsrView<T>& a, exec::MultiView<const T> x,
                     const Epilogue& epilogue);

}  // namespace cuda

/// Reads each stored value once for up to 64 columns. An epilogue that is marked `square` is for square
/// blocks.
template <class T, class Epilogue>
void product_columns(const exec::Stream& stream, const BlockCsr<T>& a, exec::MultiViewOf<const T> x,
                     const Epilogue& epilogue) {
  static_assert(std::is_trivially_copyable_v<Epilogue>, "an epilogue travels to the device as bytes");
  if (x.columns == 0) return;
  with_block_shape(a, [&](auto height, auto width) {
    if constexpr (requires { Epilogue::square; } && height() != width()) {
      throw Error(Fault::usage, "product_columns: square blocks are needed");
    } else {
      if constexpr (with_cuda) {
        if (stream.is_cuda()) {
          return cuda::product_columns<height(), width()>(stream, a.view(), x, epilogue);
        }
      }
      host::product_columns<height(), width()>(stream.device().threads(), a.view(), x, epilogue);
    }
  });
}

}  // namespace setka::sparse
