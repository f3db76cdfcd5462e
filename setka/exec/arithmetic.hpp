// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "setka/exec/annotations.hpp"

/// Arithmetic that a GPU has its own instructions for, for kernels that run on the host as well.
namespace setka::exec {

/// a b + c in one rounding wherever the hardware has that, so that a compiler which may contract has nothing
/// left to choose: every loop that calls it gets the same bits.
template <class T>
SETKA_HD inline T fused(T a, T b, T c) {
#if defined(__CUDA_ARCH__) || (defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF))
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// 1 / x where its latency counts, as in a recurrence. On a GPU right to one or two units in the last place,
/// in half the time of a division; not finite for 0 and subnormal x, as for what is not finite itself.
template <class V>
SETKA_HD inline V reciprocal(V x) {
  return V(1) / x;
}
SETKA_HD inline double reciprocal(double x) {
#ifdef __CUDA_ARCH__
  double guess = 0;  // to 20 bits
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
  const double error = fma(-x, guess, 1.0);
  return fma(guess, fma(error, error, error), guess);
#else
  return 1 / x;
#endif
}
SETKA_HD inline float reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float result = 0;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1 / x;
#endif
}

SETKA_HD inline double inverse_cube_root(double x) {
#ifdef __CUDA_ARCH__
  return rcbrt(x);
#else
  return 1 / std::cbrt(x);
#endif
}
SETKA_HD inline float inverse_cube_root(float x) {
#ifdef __CUDA_ARCH__
  return rcbrtf(x);
#else
  return 1 / std::cbrt(x);
#endif
}

}  // namespace setka::exec
