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

inline constexpr std::int32_t free_row = -2;
inline constexpr std::int32_t isolated_row = -1;

/// A free row joins the aggregate of its nearest neighbour that has one, all at a time, so that no tail
/// grows.
struct JoinNearest {
  const std::int32_t* offset;
  const std::int32_t* neighbour;
  const float* apart;
  const std::int32_t* of;
  std::int32_t* joined;

  SETKA_HD void operator()(std::int64_t i) const {
    std::int32_t own = of[i];
    float nearest = 2;
    for (std::int32_t k = offset[i]; of[i] == free_row && k < offset[i + 1]; ++k) {
      if (of[neighbour[k]] < 0 || apart[k] >= nearest) continue;
      nearest = apart[k];
      own = of[neighbour[k]];
    }
    joined[i] = own;
  }
};

/// The lists of chosen rows, one after the other.
struct CopyLists {
  const std::int32_t* chosen;
  const std::int32_t* to;  // [chosen]: where a list begins in the copies
  const std::int32_t* offset;
  const std::int32_t* neighbour;
  const float* apart;
  std::int32_t* neighbour_copy;
  float* apart_copy;

  SETKA_HD void operator()(std::int64_t c) const {
    const std::int32_t begin = offset[chosen[c]];
    for (std::int32_t k = begin; k < offset[chosen[c] + 1]; ++k) {
      neighbour_copy[to[c] + k - begin] = neighbour[k];
      apart_copy[to[c] + k - begin] = apart[k];
    }
  }
};

/// The numbers 0, 1, 2, ...
struct CountUp {
  std::int32_t* number;

  SETKA_HD void operator()(std::int64_t i) const { number[i] = static_cast<std::int32_t>(i); }
};

/// Of sorted aggregates where each begins; each has a row.
struct FindFirst {
  const std::int32_t* of;
  std::int32_t* first;

  SETKA_HD void operator()(std::int64_t k) const {
    if (k == 0 || of[k] != of[k - 1]) first[of[k]] = static_cast<std::int32_t>(k);
  }
};

struct MeanPlace {
  const std::int32_t* first;
  const std::int32_t* member;
  const double* coordinates;  // [rows, 3]
  double* mean;               // [aggregates, 3]

  SETKA_HD void operator()(std::int64_t g) const {
    double sum[3] = {0, 0, 0};
    for (std::int32_t k = first[g]; k < first[g + 1]; ++k) {
      for (int x = 0; x < 3; ++x) sum[x] += coordinates[3 * std::int64_t{member[k]} + x];
    }
    for (int x = 0; x < 3; ++x) mean[3 * g + x] = sum[x] / static_cast<double>(first[g + 1] - first[g]);
  }
};

}  // namespace setka::solve::kernel
