// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"

/// The CUDA side of parallel.hpp, for .cu files: kernels, and the macros that instantiate them for a body.
namespace setka::exec::cuda {

namespace tuning {
inline constexpr int threads = 256;
inline constexpr int blocks_per_multiprocessor = 8;  // 2048 threads: all a multiprocessor holds
inline constexpr int transform_words = 4;            // 16-byte words in flight per thread and input
inline constexpr int reduce_items = 8;               // values in flight per thread
}  // namespace tuning

/// Blocks for n items, at most what the GPU holds at once: longer loops stride over the grid.
inline int grid_size(const Stream& stream, std::int64_t n, std::int64_t items_per_block) {
  const std::int64_t wanted = (n + items_per_block - 1) / items_per_block;
  const std::int64_t most = std::int64_t{multiprocessors(stream)} * tuning::blocks_per_multiprocessor;
  return static_cast<int>(std::min(wanted, most));
}

template <class Body>
__global__ void __launch_bounds__(tuning::threads) for_each_kernel(std::int64_t n, Body body) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) body(i);
}

template <class Body>
void for_each(const Stream& stream, std::int64_t n, const Body& body) {
  if (n <= 0) return;
  cudaStream_t native = enter(stream);
  for_each_kernel<<<grid_size(stream, n, tuning::threads), tuning::threads, 0, native>>>(n, body);
  SETKA_CUDA_CHECK_LAUNCH(stream, "parallel_for");
}

/// As many values as fill 16 bytes.
template <class T>
struct alignas(16) Word {
  static constexpr int size = 16 / sizeof(T);
  T value[size];
};

/// out[i] = op(in[i]...) over whole words; all words of a thread are loaded before the first is stored.
template <class Op, class T, class... In>
__global__ void __launch_bounds__(tuning::threads)
    transform_words_kernel(std::int64_t words, Op op, Word<T>* out, const Word<In>*... in) {
  const auto loaded = op.load();
  constexpr int count = tuning::transform_words;
  const std::int64_t tile = std::int64_t{blockDim.x} * count;
  for (std::int64_t first = blockIdx.x * tile; first < words; first += gridDim.x * tile) {
    const std::int64_t begin = first + threadIdx.x;
    Word<T> result[count];
    if (first + tile <= words) {
#pragma unroll
      for (int k = 0; k < count; ++k) {
        const std::int64_t at = begin + k * std::int64_t{blockDim.x};
        result[k] = [&](const Word<In>&... word) {
          Word<T> w;
#pragma unroll
          for (int v = 0; v < Word<T>::size; ++v) w.value[v] = loaded(word.value[v]...);
          return w;
        }(in[at]...);
      }
#pragma unroll
      for (int k = 0; k < count; ++k) out[begin + k * std::int64_t{blockDim.x}] = result[k];
    } else {
      for (std::int64_t at = begin; at < words; at += blockDim.x) {
        Word<T> w;
#pragma unroll
        for (int v = 0; v < Word<T>::size; ++v) w.value[v] = loaded(in[at].value[v]...);
        out[at] = w;
      }
    }
  }
}

template <class Op, class T, class... In>
__global__ void __launch_bounds__(tuning::threads)
    transform_kernel(std::int64_t first, std::int64_t n, Op op, T* out, const In*... in) {
  const auto loaded = op.load();
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = loaded(in[i]...);
  }
}

template <class Op, class T, class... In>
void transform(const Stream& stream, std::int64_t n, const Op& op, T* out, const In*... in) {
  if (n <= 0) return;
  cudaStream_t native = enter(stream);
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  std::int64_t done = 0;
  if (aligned(out) && (aligned(in) && ...)) {
    const std::int64_t words = n / Word<T>::size;
    if (words > 0) {
      const int blocks = grid_size(stream, words, std::int64_t{tuning::threads} * tuning::transform_words);
      transform_words_kernel<<<blocks, tuning::threads, 0, native>>>(
          words, op, reinterpret_cast<Word<T>*>(out), reinterpret_cast<const Word<In>*>(in)...);
      SETKA_CUDA_CHECK_LAUNCH(stream, "transform");
    }
    done = words * Word<T>::size;
  }
  if (done < n) {
    transform_kernel<<<grid_size(stream, n - done, tuning::threads), tuning::threads, 0, native>>>(
        done, n, op, out, in...);
    SETKA_CUDA_CHECK_LAUNCH(stream, "transform");
  }
}

/// Combines the values of a block's threads, in an order fixed by the tree; the result is valid in thread 0.
template <class Body>
__device__ typename Body::Value combine_block(typename Body::Value value) {
  using Value = typename Body::Value;
  __shared__ alignas(16) unsigned char memory[tuning::threads * sizeof(Value)];
  Value* const shared = reinterpret_cast<Value*>(memory);
  shared[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (int width = tuning::threads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      shared[threadIdx.x] = Body::combine(shared[threadIdx.x], shared[threadIdx.x + width]);
    __syncthreads();
  }
  return shared[0];
}

/// Each block combines its share; the last block to finish combines the blocks' values, in their order. The
/// sum's order follows from n and the grid alone, whichever block comes last.
template <class Body>
__global__ void __launch_bounds__(tuning::threads)
    reduce_kernel(std::int64_t n, Body body, typename Body::Value* partial, unsigned* arrived,
                  typename Body::Value* result) {
  using Value = typename Body::Value;
  constexpr int items = tuning::reduce_items;
  const std::int64_t tile = std::int64_t{tuning::threads} * items;
  Value sum[items];
#pragma unroll
  for (int k = 0; k < items; ++k) sum[k] = Body::identity();
  std::int64_t first = blockIdx.x * tile;
  for (; first + tile <= n; first += gridDim.x * tile) {
#pragma unroll
    for (int k = 0; k < items; ++k) {
      sum[k] = Body::combine(sum[k], body(first + k * std::int64_t{tuning::threads} + threadIdx.x));
    }
  }
  if (first < n) {
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const std::int64_t i = first + k * std::int64_t{tuning::threads} + threadIdx.x;
      if (i < n) sum[k] = Body::combine(sum[k], body(i));
    }
  }
#pragma unroll
  for (int k = 1; k < items; ++k) sum[0] = Body::combine(sum[0], sum[k]);
  const Value block = combine_block<Body>(sum[0]);

  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = block;
    __threadfence();
    is_last = atomicAdd(arrived, 1U) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  Value rest = Body::identity();
  for (unsigned b = threadIdx.x; b < gridDim.x; b += tuning::threads) rest = Body::combine(rest, partial[b]);
  const Value total = combine_block<Body>(rest);
  if (threadIdx.x == 0) {
    *result = total;
    *arrived = 0;
  }
}

template <class Body>
void reduce(const Stream& stream, std::int64_t n, const Body& body, typename Body::Value* result) {
  cudaStream_t native = enter(stream);
  const int blocks = std::max(1, grid_size(stream, n, std::int64_t{tuning::threads} * tuning::reduce_items));
  const Scratch<typename Body::Value> partial(stream, blocks);
  reduce_kernel<<<blocks, tuning::threads, 0, native>>>(n, body, partial.data(), arrival_counter(stream),
                                                        result);
  SETKA_CUDA_CHECK_LAUNCH(stream, "reduce");
}

}  // namespace setka::exec::cuda

/// One line a body in the component's .cu file, at global scope.
#define SETKA_INSTANTIATE_FOR(...)                                                                 \
  template void setka::exec::cuda::for_each<__VA_ARGS__>(const setka::exec::Stream&, std::int64_t, \
                                                         const __VA_ARGS__&);
#define SETKA_INSTANTIATE_REDUCE(...)                                                            \
  template void setka::exec::cuda::reduce<__VA_ARGS__>(const setka::exec::Stream&, std::int64_t, \
                                                       const __VA_ARGS__&, __VA_ARGS__::Value*);
