// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::solve::kernel {

inline constexpr float far = 3e38F;

/// Of a block row: the squared distances to the rows it is coupled with, and the least of them. The diagonal
/// and blocks of zeros count as far.
///
/// Without coordinates 1 x 1 blocks tell distances by their values: differences over a step h couple by 1/h^2
/// of the diagonal, so that what couples four times as much is half as far away.
struct MeasureRow {
  sparse::BlockCsrView<double> a;
  int height;
  int width;
  const double* coordinates;  // [rows, 3], or nothing
  float* distance;            // [blocks]
  float* nearest;             // [rows]

  /// The square root of the diagonal of a row of 1 x 1 blocks.
  SETKA_HD double size_of(std::int64_t i) const {
    const std::int32_t end = a.offset[i + 1];
    const std::int32_t at = sparse::first_not_below(a.column, a.offset[i], end, static_cast<std::int32_t>(i));
    return at < end && a.column[at] == i ? std::sqrt(std::abs(a.value[at])) : 0.0;
  }

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t begin = a.offset[i];
    const std::int64_t n = std::int64_t{a.offset[i + 1] - begin} * width;
    const double* const values = a.value + std::int64_t{begin} * height * width;
    const bool by_values = coordinates == nullptr && height == 1 && width == 1;
    const double own_size = by_values ? size_of(i) : 0.0;
    float least = far;
    for (std::int32_t k = begin; k < a.offset[i + 1]; ++k) {
      const std::int64_t j = a.column[k];
      bool coupled = false;
      for (int r = 0; r < height && !coupled; ++r) {
        for (int c = 0; c < width; ++c)
          coupled = coupled || values[r * n + std::int64_t{k - begin} * width + c] != 0;
      }
      double sum = coordinates == nullptr ? 1.0 : 0.0;
      for (int x = 0; x < 3 && coordinates != nullptr; ++x) {
        const double apart = coordinates[3 * i + x] - coordinates[3 * j + x];
        sum += apart * apart;
      }
      if (by_values && coupled) sum = own_size * size_of(j) / std::abs(a.value[k]);
      const float squared = j == i || !coupled ? far : static_cast<float>(sum);
      distance[k] = squared;
      least = squared < least ? squared : least;
    }
    nearest[i] = least;
  }
};

/// How far the rows of a block are apart, squared, in units of the threshold of the one that reaches farther;
/// more than 1: not strong.
struct Strength {
  const float* distance;
  const float* nearest;
  float stretch;

  SETKA_HD float operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    if (distance[k] == far) return far;
    const float most = stretch * (nearest[i] > nearest[j] ? nearest[i] : nearest[j]);
    return most > 0 ? distance[k] / most : 1.0F;  // nodes in one place are neighbours
  }
};

struct CountStrong {
  sparse::BlockCsrView<double> a;
  Strength strength;
  std::int32_t* count;

  SETKA_HD void operator()(std::int64_t i) const {
    std::int32_t strong = 0;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k)
      strong += strength(i, a.column[k], k) <= 1 ? 1 : 0;
    count[i] = strong;
  }
};

struct ListStrong {
  sparse::BlockCsrView<double> a;
  Strength strength;
  const std::int32_t* offset;
  std::int32_t* neighbour;
  float* apart;

  SETKA_HD void operator()(std::int64_t i) const {
    std::int32_t at = offset[i];
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      const float d = strength(i, a.column[k], k);
      if (!(d <= 1)) continue;
      neighbour[at] = a.column[k];
      apart[at++] = d;
    }
  }
};

}  // namespace setka::solve::kernel
