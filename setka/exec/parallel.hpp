// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "setka/base/config.hpp"
#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/scratch.hpp"

/// Loops and reductions over the devices.
///
/// A body is a small trivially copyable functor of views; it is written once, in the component's
/// x_kernel.hpp, and called with an index on the CPU and on the GPU alike. The algorithm in x.cpp calls
/// parallel_for(), transform() or reduce() with it; x.cu includes parallel.cuh and has one line a body,
/// SETKA_INSTANTIATE_FOR(Body), so that nvcc compiles the kernel. A body that was forgotten there is an
/// undefined symbol at link time.
namespace setka::exec {

namespace host {

/// body(i) for 0 <= i < n; in the calling thread when there is less work than the start of a team is worth.
template <class Body>
void for_each(int threads, std::int64_t n, std::int64_t serial_below, const Body& body) {
  if (n <= serial_below || threads == 1) {
    for (std::int64_t i = 0; i < n; ++i) body(i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < n; ++i) body(i);
}

inline constexpr std::int64_t serial_below = 2048;

template <class Op, class T, class... In>
void transform(int threads, std::int64_t n, const Op& op, T* out, const In*... in) {
  const auto loaded = op.load();
  // An input may be the output itself, but overlaps in no other way: each lane reads and writes its own
  // entry.
  if (n <= serial_below || threads == 1) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) out[i] = loaded(in[i]...);
    return;
  }
#pragma omp parallel for simd schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < n; ++i) out[i] = loaded(in[i]...);
}

/// Values are combined in an order that depends on n alone: chunks of fixed length, each in interleaved lanes
/// that the compiler turns into vector registers, then the chunks pairwise. The number of threads does not
/// change a bit.
inline constexpr std::int64_t reduce_chunk = 8192;
inline constexpr int reduce_lanes = 32;

template <class Body>
typename Body::Value reduce_range(const Body& body, std::int64_t first, std::int64_t last) {
  using Value = typename Body::Value;
  Value lanes[reduce_lanes];
  for (Value& lane : lanes) lane = Body::identity();
  std::int64_t i = first;
  for (; i + reduce_lanes <= last; i += reduce_lanes) {
#pragma omp simd
    for (int l = 0; l < reduce_lanes; ++l) lanes[l] = Body::combine(lanes[l], body(i + l));
  }
  for (int l = 0; i < last; ++i, ++l) lanes[l] = Body::combine(lanes[l], body(i));
  for (int width = reduce_lanes / 2; width > 0; width /= 2) {
    for (int l = 0; l < width; ++l) lanes[l] = Body::combine(lanes[l], lanes[l + width]);
  }
  return lanes[0];
}

template <class Body>
typename Body::Value reduce(const Stream& stream, std::int64_t n, const Body& body) {
  using Value = typename Body::Value;
  const std::int64_t chunks = (n + reduce_chunk - 1) / reduce_chunk;
  if (chunks <= 1) return reduce_range(body, 0, n);
  const Scratch<Value> partial(stream, chunks);
  Value* const values = partial.data();
  for_each(stream.device().threads(), chunks, 1, [&](std::int64_t c) {
    values[c] = reduce_range(body, c * reduce_chunk, std::min(n, (c + 1) * reduce_chunk));
  });
  for (std::int64_t count = chunks; count > 1;) {
    const std::int64_t half = (count + 1) / 2;
    for (std::int64_t c = 0; c + half < count; ++c) values[c] = Body::combine(values[c], values[c + half]);
    count = half;
  }
  return values[0];
}

}  // namespace host

namespace cuda {

// Defined in parallel.cuh for the .cu files; instantiated there for each body.
template <class Body>
void for_each(const Stream& stream, std::int64_t n, const Body& body);
template <class Op, class T, class... In>
void transform(const Stream& stream, std::int64_t n, const Op& op, T* out, const In*... in);
template <class Body>
void reduce(const Stream& stream, std::int64_t n, const Body& body, typename Body::Value* result);

}  // namespace cuda

/// body(i) for 0 <= i < n, in no particular order; on a GPU it returns before the work is done.
template <class Body>
void parallel_for(const Stream& stream, std::int64_t n, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body travels to the device as bytes");
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::for_each(stream, n, body);
  }
  host::for_each(stream.device().threads(), n, host::serial_below, body);
}

/// out[i] = op.load()(in[i]...): elementwise work on arrays of one type, which the GPU moves in 16-byte
/// words. An input may be out itself, but may not overlap it otherwise. op.load() fetches the op's
/// coefficients once.
template <class Op, class T, class... In>
void transform(const Stream& stream, std::int64_t n, const Op& op, T* out, const In*... in) {
  static_assert((std::is_same_v<T, In> && ...), "one type of number");
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::transform(stream, n, op, out, in...);
  }
  host::transform(stream.device().threads(), n, op, out, in...);
}

/// Combines body(0) .. body(n - 1) in a fixed order, the same at every run on a device, into one value in the
/// device's memory. A body has the type Value, and combine(a, b) and identity() that are static.
template <class Body>
void reduce(const Stream& stream, std::int64_t n, const Body& body, typename Body::Value* result) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body travels to the device as bytes");
  if constexpr (with_cuda) {
    if (stream.is_cuda()) return cuda::reduce(stream, n, body, result);
  }
  *result = host::reduce(stream, n, body);
}

/// The same, brought to the host; waits for the stream.
template <class Body>
typename Body::Value reduce(const Stream& stream, std::int64_t n, const Body& body) {
  using Value = typename Body::Value;
  static_assert(sizeof(Value) <= detail::StreamState::landing_bytes);
  if constexpr (with_cuda) {
    if (stream.is_cuda()) {
      const Scratch<Value> result(stream, 1);
      cuda::reduce(stream, n, body, result.data());
      auto* landed = static_cast<Value*>(stream.state().landing());
      stream.state().copy(landed, result.data(), sizeof(Value));
      stream.synchronize();
      return *landed;
    }
  }
  return host::reduce(stream, n, body);
}

}  // namespace setka::exec
