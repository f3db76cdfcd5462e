// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/block_shapes.hpp"

/// Products of block rows with what follows them fused in: an Epilogue is a trivially copyable functor whose
/// row(i, sums) is called once a block row with its scalar sums (A x)_i. The product of a plain multiply()
/// stores them; a smoother uses them up at once.
namespace setka::sparse {

namespace host {

/// Sum of a[l] * b[l] in interleaved lanes that the compiler turns into vector registers.
template <class T>
T contiguous_dot(const T* a, const T* b, std::int64_t n) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t l = 0; l < n; ++l) sum += a[l] * b[l];
  return sum;
}

constexpr int dot_lanes = 8;

/// sum[r] = sum over l of a[r, l] * b[l], a: [H, n]: all rows at once in eight lanes each, then lane after
/// lane, then what is left over. Meanwhile the memory is asked for as many values as there are, some way on:
/// left to itself it begins anew with each page.
template <int H, class T>
void contiguous_dots(const T* a, const T* b, std::int64_t n, T (&sum)[H]) {
  constexpr int lanes = dot_lanes;
  using Vector [[gnu::vector_size(lanes * sizeof(T))]] = T;
  constexpr std::int64_t line = 64 / sizeof(T);
  constexpr std::int64_t lead = 8192 / sizeof(T);
  Vector part[H] = {};
  std::int64_t l = 0;
  for (; l + lanes <= n; l += lanes) {
    for (std::int64_t ahead = 0; ahead < std::int64_t{H} * lanes; ahead += line)
      __builtin_prefetch(a + lead + H * l + ahead, 0, 2);
    Vector of_b;
    std::memcpy(&of_b, b + l, sizeof of_b);
    for (int r = 0; r < H; ++r) {
      Vector of_a;
      std::memcpy(&of_a, a + r * n + l, sizeof of_a);
      part[r] += of_a * of_b;
    }
  }
  for (std::int64_t ahead = H * l; ahead < H * n; ahead += line) __builtin_prefetch(a + lead + ahead, 0, 2);
  for (int r = 0; r < H; ++r) {
    sum[r] = ((part[r][0] + part[r][4]) + (part[r][2] + part[r][6])) +
             ((part[r][1] + part[r][5]) + (part[r][3] + part[r][7]));
    for (std::int64_t rest = l; rest < n; ++rest) sum[r] += a[r * n + rest] * b[rest];
  }
}

/// The entries of x that the blocks of row i meet, side by side.
template <int W, class T>
void gather(const BlockCsrView<T>& a, std::int32_t begin, std::int32_t end, const T* x,
            std::vector<T>& picked) {
  picked.resize(static_cast<std::size_t>(end - begin) * W);
  T* out = picked.data();
  for (std::int32_t k = begin; k < end; ++k, out += W) {
    const T* const from = x + std::int64_t{a.column[k]} * W;
    for (int c = 0; c < W; ++c) out[c] = from[c];
  }
}

template <int H, int W, class T, class Epilogue>
void product(int threads, const BlockCsrView<T>& a, const T* x, const Epilogue& epilogue) {
  exec::host::for_each(threads, a.rows, 512 / H, [&](std::int64_t i) {
    thread_local std::vector<T> picked;
    const std::int32_t begin = a.offset[i];
    const std::int32_t end = a.offset[i + 1];
    const std::int64_t n = std::int64_t{end - begin} * W;
    const T* const values = a.value + std::int64_t{begin} * H * W;
    T sum[H];
    if constexpr (H == 1 && W == 1) {
      // Rows that fill no register, as those of differences on grids: contiguous_dots() takes longer to begin
      // than their sum does.
      if (n < dot_lanes) {
        sum[0] = 0;
        for (std::int64_t l = 0; l < n; ++l) sum[0] += values[l] * x[a.column[begin + l]];
        epilogue.row(i, sum);
        return;
      }
    }
    gather<W>(a, begin, end, x, picked);
    contiguous_dots(values, picked.data(), n, sum);
    epilogue.row(i, sum);
  });
}

}  // namespace host

namespace cuda {

// Defined in block_csr_product.cuh for the .cu files; instantiated there for each epilogue.
template <int H, int W, class T, class Epilogue>
void product(const exec::Stream& stream, const BlockCsrView<T>& a, std::int64_t blocks, const T* x,
             const Epilogue& epilogue);

}  // namespace cuda

/// An epilogue that is marked `square` is for square blocks.
template <class T, class Epilogue>
void product(const exec::Stream& stream, const BlockCsr<T>& a, const T* x, const Epilogue& epilogue) {
  static_assert(std::is_trivially_copyable_v<Epilogue>, "an epilogue travels to the device as bytes");
  with_block_shape("product", a.height(), a.width(), [&](auto height, auto width) {
    if constexpr (requires { Epilogue::square; } && height() != width()) {
      throw Error(Fault::usage, "product: square blocks are needed");
    } else {
      if constexpr (with_cuda) {
        if (stream.is_cuda()) {
          return cuda::product<height(), width()>(stream, a.view(), a.blocks(), x, epilogue);
        }
      }
      host::product<height(), width()>(stream.device().threads(), a.view(), x, epilogue);
    }
  });
}

}  // namespace setka::sparse
