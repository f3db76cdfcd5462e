// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

/// Arithmetic of several elements at once on the CPU.
namespace setka::fem {

/// One number of each of eight neighbouring elements, in a vector register where the processor has one of
/// that width. The functions of the element kernels take it in the place of a double. Always inlined: how a
/// function passes such a value depends on the compiler's flags.
struct Lanes {
  using Vector [[gnu::vector_size(64)]] = double;
  static constexpr int count = 8;

  Vector v;

  Lanes() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number stands for itself in every lane
  [[gnu::always_inline]] inline Lanes(double number) : v(Vector{} + number) {}

  /// From and to eight neighbouring places.
  [[gnu::always_inline]] inline void load(const double* from) { std::memcpy(&v, from, sizeof v); }
  [[gnu::always_inline]] inline void store(double* to) const { std::memcpy(to, &v, sizeof v); }

  [[gnu::always_inline]] inline void set(int lane, double value) { v[lane] = value; }
  [[gnu::always_inline]] inline double operator[](int lane) const { return v[lane]; }

  [[gnu::always_inline]] inline Lanes& operator+=(const Lanes& b) {
    v += b.v;
    return *this;
  }
  [[gnu::always_inline]] inline Lanes& operator*=(const Lanes& b) {
    v *= b.v;
    return *this;
  }
  [[gnu::always_inline]] friend inline Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes result;
    result.v = a.v + b.v;
    return result;
  }
  [[gnu::always_inline]] friend inline Lanes operator-(const Lanes& a, const Lanes& b) {
    Lanes result;
    result.v = a.v - b.v;
    return result;
  }
  [[gnu::always_inline]] friend inline Lanes operator*(const Lanes& a, const Lanes& b) {
    Lanes result;
    result.v = a.v * b.v;
    return result;
  }
  [[gnu::always_inline]] friend inline Lanes operator/(const Lanes& a, const Lanes& b) {
    Lanes result;
    result.v = a.v / b.v;
    return result;
  }
};

}  // namespace setka::fem
