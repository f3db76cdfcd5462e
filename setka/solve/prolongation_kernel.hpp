// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::solve::kernel {

/// Entries of a row of the tentative prolongation: none where it is in no aggregate.
struct CountJoined {
  const std::int32_t* of;
  std::int32_t* count;

  SETKA_HD void operator()(std::int64_t i) const { count[i] = of[i] >= 0 ? 1 : 0; }
};

/// The modes at the rows of an aggregate, made orthonormal, are its blocks of the tentative prolongation.
/// Q R = Q0 by Gram-Schmidt, done twice for each column; a column that depends on those before it becomes
/// zero, with zeros in its row of R.
struct Orthonormalise {
  int block;  // unknowns of a row
  int modes;
  const std::int32_t* first;   // [aggregates + 1]: where their members begin
  const std::int32_t* member;  // block rows
  const std::int32_t* offset;  // of the tentative prolongation, which has one block a row
  const double* mode;          // [rows, block, modes]
  std::int32_t* column;
  double* value;
  double* coarse;  // [aggregates, modes, modes]: R

  SETKA_HD double* rows_of(std::int64_t at) const {
    return value + std::int64_t{offset[member[at]]} * block * modes;
  }

  SETKA_HD double dot(std::int64_t g, int a, int b) const {
    double sum = 0;
    for (std::int64_t at = first[g]; at < first[g + 1]; ++at) {
      const double* const q = rows_of(at);
      for (int r = 0; r < block; ++r) sum += q[r * modes + a] * q[r * modes + b];
    }
    return sum;
  }

  SETKA_HD void operator()(std::int64_t g) const {
    constexpr double dependent = 1e-10;
    double* const triangle = coarse + g * modes * modes;
    for (int e = 0; e < modes * modes; ++e) triangle[e] = 0;
    for (std::int64_t at = first[g]; at < first[g + 1]; ++at) {
      const double* const from = mode + std::int64_t{member[at]} * block * modes;
      for (int e = 0; e < block * modes; ++e) rows_of(at)[e] = from[e];
      column[offset[member[at]]] = static_cast<std::int32_t>(g);
    }
    for (int j = 0; j < modes; ++j) {
      const double before = std::sqrt(dot(g, j, j));
      for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < j; ++k) {
          const double share = dot(g, k, j);
          triangle[k * modes + j] += share;
          for (std::int64_t at = first[g]; at < first[g + 1]; ++at) {
            double* const q = rows_of(at);
            for (int r = 0; r < block; ++r) q[r * modes + j] -= share * q[r * modes + k];
          }
        }
      }
      const double size = std::sqrt(dot(g, j, j));
      const bool keep = size > dependent * before;
      triangle[j * modes + j] = keep ? size : 0.0;
      const double scale = keep ? 1 / size : 0.0;
      for (std::int64_t at = first[g]; at < first[g + 1]; ++at) {
        double* const q = rows_of(at);
        for (int r = 0; r < block; ++r) q[r * modes + j] *= scale;
      }
    }
  }
};

/// Of a block row: from (A T) to T - omega D^-1 (A T).
template <int N>
struct SmoothRow {
  double omega;
  int modes;
  const double* inverse;  // [rows, N, N]
  sparse::BlockCsrView<double> tentative;
  const std::int32_t* offset;  // of the product
  const std::int32_t* column;
  double* value;

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t begin = offset[i];
    const std::int32_t end = offset[i + 1];
    const std::int64_t width = std::int64_t{end - begin} * modes;
    double* const values = value + std::int64_t{begin} * N * modes;
    double scaled[N * N];
    for (int e = 0; e < N * N; ++e) scaled[e] = -omega * inverse[i * N * N + e];
    for (std::int64_t l = 0; l < width; ++l) {
      double old[N];
      for (int r = 0; r < N; ++r) old[r] = values[r * width + l];
      for (int r = 0; r < N; ++r) {
        double sum = 0;
        for (int c = 0; c < N; ++c) sum += scaled[r * N + c] * old[c];
        values[r * width + l] = sum;
      }
    }
    for (std::int32_t k = tentative.offset[i]; k < tentative.offset[i + 1]; ++k) {
      const std::int32_t at = sparse::first_not_below(column, begin, end, tentative.column[k]);
      if (at == end || column[at] != tentative.column[k]) continue;  // a row that A leaves empty
      const double* const from = tentative.value + std::int64_t{tentative.offset[i]} * N * modes;
      for (int r = 0; r < N; ++r) {
        for (int c = 0; c < modes; ++c)
          values[r * width + std::int64_t{at - begin} * modes + c] += from[r * modes + c];
      }
    }
  }
};

}  // namespace setka::solve::kernel
