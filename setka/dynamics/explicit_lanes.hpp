// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// Arithmetic of several elements at once on the CPU, in single and in double precision.
namespace setka::dynamics {

/// One number of each of the neighbouring elements that fill a vector register of 64 bytes: 16 floats or 8
/// doubles. Element kernels take it in the place of a number. Always inlined, as fem::Lanes.
template <class T>
struct VectorLanes {
  using Vector [[gnu::vector_size(64)]] = T;
  static constexpr int count = 64 / sizeof(T);

  Vector v;

  VectorLanes() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number stands for itself in every lane
  [[gnu::always_inline]] inline VectorLanes(T number) : v(Vector{} + number) {}

  [[gnu::always_inline]] inline void load(const T* from) { std::memcpy(&v, from, sizeof v); }
  [[gnu::always_inline]] inline void store(T* to) const { std::memcpy(to, &v, sizeof v); }
  [[gnu::always_inline]] inline void set(int lane, T value) { v[lane] = value; }
  [[gnu::always_inline]] inline T operator[](int lane) const { return v[lane]; }

  [[gnu::always_inline]] inline VectorLanes& operator+=(const VectorLanes& b) {
    v += b.v;
    return *this;
  }
  [[gnu::always_inline]] inline VectorLanes& operator-=(const VectorLanes& b) {
    v -= b.v;
    return *this;
  }
  [[gnu::always_inline]] inline VectorLanes& operator*=(const VectorLanes& b) {
    v *= b.v;
    return *this;
  }
  [[gnu::always_inline]] friend inline VectorLanes operator+(VectorLanes a, const VectorLanes& b) {
    return a += b;
  }
  [[gnu::always_inline]] friend inline VectorLanes operator-(VectorLanes a, const VectorLanes& b) {
    return a -= b;
  }
  [[gnu::always_inline]] friend inline VectorLanes operator*(VectorLanes a, const VectorLanes& b) {
    return a *= b;
  }
  [[gnu::always_inline]] friend inline VectorLanes operator/(VectorLanes a, const VectorLanes& b) {
    a.v /= b.v;
    return a;
  }
};

/// x^(-1/3) of positive numbers: a first guess from the exponent, within 4 %, then Newton's method for
/// 1 / y^3 = x, without a division; each step doubles the square of the error.
template <class T>
[[gnu::always_inline]] inline VectorLanes<T> inverse_cube_root(const VectorLanes<T>& x) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using BitVector [[gnu::vector_size(64)]] = Bits;
  // Bits of a number are about its logarithm; those of 1 stand for 0.
  constexpr T one = sizeof(T) == 8 ? T(0x3FF0000000000000) : T(0x3F800000);
  constexpr T shift = sizeof(T) == 8 ? T(0x0000A00000000000) : T(0x00050000);  // centres the error
  BitVector bits;
  std::memcpy(&bits, &x.v, sizeof bits);
  const typename VectorLanes<T>::Vector logarithm =
      __builtin_convertvector(bits, typename VectorLanes<T>::Vector);
  bits = __builtin_convertvector((4 * one - logarithm) / 3 - shift, BitVector);
  VectorLanes<T> y;
  std::memcpy(&y.v, &bits, sizeof bits);
  constexpr int steps = sizeof(T) == 8 ? 4 : 3;  // 4e-2, 4e-3, 3e-5, 2e-9, 4e-18
  for (int i = 0; i < steps; ++i) y *= (T(4) - x * y * y * y) * T(1.0 / 3);
  return y;
}

template <class T>
[[gnu::always_inline]] inline VectorLanes<T> square_root(const VectorLanes<T>& x) {
  VectorLanes<T> y;
  for (int l = 0; l < VectorLanes<T>::count; ++l) y.set(l, std::sqrt(x[l]));
  return y;
}

}  // namespace setka::dynamics
