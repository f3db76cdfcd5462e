// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::solve::kernel {

/// The blocks of a row of P by their weights: as far as the place itself and that of the kept block are
/// unknowns.
struct WeightedRow {
  const std::int32_t* kept;
  const std::int32_t* offset;
  const std::int32_t* column;
  const double* weight;
  const std::int8_t* unknown;  // [fine rows]
  int height;
  double* value;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t begin = offset[i];
    const std::int32_t blocks = offset[i + 1] - begin;
    double* to = value + std::int64_t{begin} * height * height;
    for (int r = 0; r < height; ++r) {
      for (std::int32_t k = begin; k < begin + blocks; ++k) {
        const bool both =
            unknown[height * i + r] != 0 && unknown[height * std::int64_t{kept[column[k]]} + r] != 0;
        for (int c = 0; c < height; ++c) *to++ = r == c && both ? weight[k] : 0.0;
      }
    }
  }
};

/// Modes of the kept blocks, and behind them those of the unknowns that P adds to a block.
struct KeptModes {
  const std::int32_t* kept;
  const double* fine;
  const double* more;
  int own;     // values of a block
  int behind;  // those added
  double* coarse;

  int size() const { return own + behind; }
  KeptModes into(double* to) const {
    KeptModes copy = *this;
    copy.coarse = to;
    return copy;
  }

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int64_t block = i / (own + behind);
    const std::int64_t at = i % (own + behind);
    coarse[i] = at < own ? fine[std::int64_t{kept[block]} * own + at] : more[block * behind + at - own];
  }
};

/// A block row of gaps times `share` of the mean of the diagonal of A in that row.
struct StiffenRow {
  sparse::BlockCsrView<double> a;
  int height;  // of blocks of both
  int width;   // of the gaps
  double share;
  const std::int32_t* offset;  // of the gaps
  const double* gap;
  double* value;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t begin = a.offset[i];
    const std::int32_t end = a.offset[i + 1];
    const std::int32_t at = sparse::first_not_below(a.column, begin, end, static_cast<std::int32_t>(i));
    double stiffness = 0;
    if (at < end && a.column[at] == i) {
      const std::int64_t across = std::int64_t{end - begin} * height;
      const double* const row = a.value + std::int64_t{begin} * height * height;
      for (int r = 0; r < height; ++r) stiffness += row[r * across + std::int64_t{at - begin} * height + r];
    }
    stiffness *= share / height;
    const std::int64_t first = std::int64_t{offset[i]} * height * width;
    const std::int64_t last = std::int64_t{offset[i + 1]} * height * width;
    for (std::int64_t e = first; e < last; ++e) value[e] = stiffness * gap[e];
  }
};

/// Adds the blocks of a row of `more` to those of `sum`, which has all of them that are not zero.
struct AddRow {
  sparse::BlockCsrView<double> more;
  int height;
  int width;
  const std::int32_t* offset;  // of the sum
  const std::int32_t* column;
  double* value;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t begin = offset[i];
    const std::int32_t end = offset[i + 1];
    const std::int32_t first = more.offset[i];
    const std::int64_t across = std::int64_t{end - begin} * width;
    const std::int64_t across_more = std::int64_t{more.offset[i + 1] - first} * width;
    double* const to = value + std::int64_t{begin} * height * width;
    const double* const from = more.value + std::int64_t{first} * height * width;
    for (std::int32_t k = first; k < more.offset[i + 1]; ++k) {
      const std::int32_t at = sparse::first_not_below(column, begin, end, more.column[k]);
      if (at == end || column[at] != more.column[k]) continue;  // a row that A leaves empty
      for (int r = 0; r < height; ++r) {
        for (int c = 0; c < width; ++c) {
          to[r * across + std::int64_t{at - begin} * width + c] +=
              from[r * across_more + std::int64_t{k - first} * width + c];
        }
      }
    }
  }
};

}  // namespace setka::solve::kernel
