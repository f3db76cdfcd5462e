// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"

/// Explicit steps of two-dimensional heat in vector operations, as the paper on performance models has them:
/// the object of those models. ExplicitHeat makes the same step in one pass and is faster.
namespace setka::grid {

// The operations, one launch each.

/// z = x + y
template <class T>
void vector_add(const exec::Stream& stream, std::int64_t size, const T* x, const T* y, T* z);

/// y = a x + b y
template <class T>
void vector_saxpy(const exec::Stream& stream, std::int64_t size, T a, const T* x, T b, T* y);

/// Zeros around a square of `width` nodes a side.
template <class T>
void zero_border(const exec::Stream& stream, std::int64_t width, T* v);

/// A grid of n x n inner nodes with a border of zeros, unrolled into one vector [(n + 2)^2]. Four neighbours
/// are summed by two additions: t = v + shift(v, n + 1), then t + shift(t, n + 3).
template <class T>
class LongVectorHeat {
 public:
  /// alpha: diffusivity * step / spacing^2; stable up to 1/4.
  LongVectorHeat(const exec::Device& device, std::int64_t n, T alpha);

  std::int64_t size() const { return width_ * width_; }
  void advance(exec::ViewOf<T> v, std::int64_t steps);

 private:
  exec::Device device_;
  std::int64_t width_;
  T alpha_;
  exec::Array<T> pairs_;  // t: sums of two neighbours
  exec::Array<T> sums_;   // of four
};

}  // namespace setka::grid
