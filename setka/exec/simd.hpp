// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

namespace setka::exec {

/// Several numbers that are computed with at once on the CPU, in a vector register where the processor has
/// one of that width: one number of each of neighbouring elements, lines or columns. Kernels take it in the
/// place of a number. Always inlined: how a function passes such a value depends on the compiler's flags.
template <class T, int bytes = 64>
struct Simd {
  using Vector [[gnu::vector_size(bytes)]] = T;
  static constexpr int count = bytes / static_cast<int>(sizeof(T));

  Vector v;

  Simd() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number stands for itself in every lane
  [[gnu::always_inline]] inline Simd(T number) : v(Vector{} + number) {}
  [[gnu::always_inline]] static inline Simd of(const Vector& vector) {
    Simd made;
    made.v = vector;
    return made;
  }

  /// From and to neighbouring places, which need not be aligned.
  [[gnu::always_inline]] static inline Simd from(const T* place) {
    Simd made;
    made.load(place);
    return made;
  }
  [[gnu::always_inline]] inline void load(const T* place) { std::memcpy(&v, place, sizeof v); }
  [[gnu::always_inline]] inline void store(T* place) const { std::memcpy(place, &v, sizeof v); }

  [[gnu::always_inline]] inline void set(int lane, T value) { v[lane] = value; }
  [[gnu::always_inline]] inline T operator[](int lane) const { return v[lane]; }

  [[gnu::always_inline]] inline Simd& operator+=(const Simd& b) {
    v += b.v;
    return *this;
  }
  [[gnu::always_inline]] inline Simd& operator-=(const Simd& b) {
    v -= b.v;
    return *this;
  }
  [[gnu::always_inline]] inline Simd& operator*=(const Simd& b) {
    v *= b.v;
    return *this;
  }
  [[gnu::always_inline]] friend inline Simd operator-(const Simd& a) { return of(-a.v); }
  [[gnu::always_inline]] friend inline Simd operator+(const Simd& a, const Simd& b) { return of(a.v + b.v); }
  [[gnu::always_inline]] friend inline Simd operator-(const Simd& a, const Simd& b) { return of(a.v - b.v); }
  [[gnu::always_inline]] friend inline Simd operator*(const Simd& a, const Simd& b) { return of(a.v * b.v); }
  [[gnu::always_inline]] friend inline Simd operator/(const Simd& a, const Simd& b) { return of(a.v / b.v); }
};

}  // namespace setka::exec
