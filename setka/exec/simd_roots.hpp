// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "setka/exec/simd.hpp"

/// Roots of several numbers at once on the CPU.
namespace setka::exec {

/// x^(-1/3) of positive numbers: a first guess from the exponent, within 4 %, then Newton's method for
/// 1 / y^3 = x, without a division; each step doubles the square of the error.
template <class T>
[[gnu::always_inline]] inline Simd<T> inverse_cube_root(const Simd<T>& x) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using BitVector [[gnu::vector_size(64)]] = Bits;
  // Bits of a number are about its logarithm; those of 1 stand for 0.
  constexpr T one = sizeof(T) == 8 ? T(0x3FF0000000000000) : T(0x3F800000);
  constexpr T shift = sizeof(T) == 8 ? T(0x0000A00000000000) : T(0x00050000);  // centres the error
  BitVector bits;
  std::memcpy(&bits, &x.v, sizeof bits);
  const typename Simd<T>::Vector logarithm = __builtin_convertvector(bits, typename Simd<T>::Vector);
  bits = __builtin_convertvector((4 * one - logarithm) / 3 - shift, BitVector);
  Simd<T> y;
  std::memcpy(&y.v, &bits, sizeof bits);
  constexpr int steps = sizeof(T) == 8 ? 4 : 3;  // 4e-2, 4e-3, 3e-5, 2e-9, 4e-18
  for (int i = 0; i < steps; ++i) y *= (T(4) - x * y * y * y) * T(1.0 / 3);
  return y;
}

template <class T>
[[gnu::always_inline]] inline Simd<T> square_root(const Simd<T>& x) {
  Simd<T> y;
  for (int l = 0; l < Simd<T>::count; ++l) y.set(l, std::sqrt(x[l]));
  return y;
}

}  // namespace setka::exec
