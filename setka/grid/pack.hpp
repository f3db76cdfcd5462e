// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <utility>

#ifdef __SSE2__
#  include <immintrin.h>
#endif

#include "setka/exec/simd.hpp"

/// Arithmetic of several lines at once on the CPU.
namespace setka::grid {

/// One number of each of several lines.
template <class T>
using Pack = exec::Simd<T>;

/// Past the caches where the processor can, to a place aligned to the pack's size: for what nobody reads
/// soon, so that its place is not read before it is written. finish_streams() before others read it.
template <class T>
[[gnu::always_inline]] inline void stream(const Pack<T>& pack, T* place) {
#if defined(__AVX512F__)
  __m512i bits;
  std::memcpy(&bits, &pack.v, sizeof bits);
  _mm512_stream_si512(reinterpret_cast<__m512i*>(place), bits);
#elif defined(__SSE2__)
  __m128i bits[4];
  std::memcpy(bits, &pack.v, sizeof bits);
  for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(place) + i, bits[i]);
#else
  pack.store(place);
#endif
}

inline void finish_streams() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

namespace detail {

/// Exchanges the blocks of Step x Step off the diagonal in all pairs of rows that are Step apart.
template <int Step, class T, int... J>
[[gnu::always_inline]] inline void exchange(Pack<T> (&rows)[Pack<T>::count],
                                            std::integer_sequence<int, J...>) {
  constexpr int n = Pack<T>::count;
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) {
    if ((i & Step) != 0) continue;
    const auto a = rows[i].v;
    const auto b = rows[i + Step].v;
    rows[i].v = __builtin_shufflevector(a, b, ((J & Step) != 0 ? n + J - Step : J)...);
    rows[i + Step].v = __builtin_shufflevector(a, b, ((J & Step) != 0 ? n + J : J + Step)...);
  }
}

}  // namespace detail

/// Lane j of row i becomes lane i of row j.
template <class T>
[[gnu::always_inline]] inline void transpose(Pack<T> (&rows)[Pack<T>::count]) {
  constexpr auto lanes = std::make_integer_sequence<int, Pack<T>::count>{};
  detail::exchange<1>(rows, lanes);
  detail::exchange<2>(rows, lanes);
  detail::exchange<4>(rows, lanes);
  if constexpr (Pack<T>::count == 16) detail::exchange<8>(rows, lanes);
}

}  // namespace setka::grid
