// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/view.hpp"
#include "setka/sparse/block_csr_kernel.hpp"
#include "setka/sparse/spgemm_kernel.hpp"

namespace setka::solve::kernel {

/// m = m m.
template <int N>
SETKA_HD void square(double (&m)[N][N]) {
  double product[N][N];
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c) {
      double sum = 0;
      for (int k = 0; k < N; ++k) sum += m[r][k] * m[k][c];
      product[r][c] = sum;
    }
  }
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c) m[r][c] = product[r][c];
  }
}

/// Frobenius norms of the inverse blocks.
template <int N>
struct InverseSize {
  const double* inverse;  // [rows, N, N]
  double* size;           // [rows]

  SETKA_HD void operator()(std::int64_t i) const {
    double squares = 0;
    for (int e = 0; e < N * N; ++e) squares += inverse[i * N * N + e] * inverse[i * N * N + e];
    size[i] = std::sqrt(squares);
  }
};

/// How strongly a block row couples with those behind it; zero where that is at most `least`.
template <int N>
struct Couple {
  sparse::BlockCsrView<double> a;
  const double* inverse;  // [rows, N, N] of the diagonal blocks
  const double* size;     // [rows] InverseSize
  double least;
  float* coupling;  // [blocks]

  SETKA_HD void operator()(std::int64_t i) const {
    const std::int32_t begin = a.offset[i];
    const std::int32_t end = a.offset[i + 1];
    const std::int64_t across = std::int64_t{end - begin} * N;
    const double* const values = a.value + std::int64_t{begin} * N * N;
    for (std::int32_t k = begin; k < end; ++k) {
      const std::int64_t j = a.column[k];
      const double* const block = values + std::int64_t{k - begin} * N;
      coupling[k] = j > i && may_exceed(block, across, size[i] * size[j])
                        ? of_block(block, across, inverse + i * N * N, inverse + j * N * N)
                        : 0.0F;
    }
  }

 private:
  /// By norms, which spare most blocks the rest.
  SETKA_HD bool may_exceed(const double* block, std::int64_t across, double sizes) const {
    double squares = 0;
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c < N; ++c) squares += block[r * across + c] * block[r * across + c];
    }
    return squares * sizes > least * least;
  }

  /// By the trace of the eighth power of M = D_i^-1 A_ij D_j^-1 A_ji, of which its highest eigenvalue is all
  /// but what N^(1/8) allows: too high by 7 % of three unknowns, by 12 % of six.
  SETKA_HD float of_block(const double* block, std::int64_t across, const double* of_i,
                          const double* of_j) const {
    double left[N][N];   // D_i^-1 A_ij
    double right[N][N];  // A_ij D_j^-1
    double trace = 0;
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c < N; ++c) {
        double l = 0;
        double s = 0;
        for (int k = 0; k < N; ++k) {
          l += of_i[r * N + k] * block[k * across + c];
          s += block[r * across + k] * of_j[k * N + c];
        }
        left[r][c] = l;
        right[r][c] = s;
        trace += l * s;
      }
    }
    if (!(trace > least * least)) return 0;  // it bounds the eigenvalues
    double m[N][N];
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c < N; ++c) {
        double sum = 0;
        for (int k = 0; k < N; ++k) sum += left[r][k] * right[c][k];
        m[r][c] = sum;
      }
    }
    for (int twice = 0; twice < 3; ++twice) square<N>(m);
    double of_power = 0;
    for (int r = 0; r < N; ++r) of_power += m[r][r];
    double root = of_power > 0 ? of_power : 0.0;
    for (int halved = 0; halved < 4; ++halved)
      root = std::sqrt(root);  // 1/8 of it, and the square root of s^2
    return root > least ? static_cast<float>(root) : 0.0F;
  }
};

struct CountCoupled {
  sparse::BlockCsrView<double> a;
  const float* coupling;
  std::int32_t* count;  // [rows]

  SETKA_HD void operator()(std::int64_t i) const {
    std::int32_t coupled = 0;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) coupled += coupling[k] > 0 ? 1 : 0;
    count[i] = coupled;
  }
};

struct ListCoupled {
  sparse::BlockCsrView<double> a;
  const float* coupling;
  const std::int32_t* offset;
  std::int32_t* row;
  std::int32_t* column;
  float* strength;

  SETKA_HD void operator()(std::int64_t i) const {
    std::int32_t at = offset[i];
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      if (!(coupling[k] > 0)) continue;
      row[at] = static_cast<std::int32_t>(i);
      column[at] = a.column[k];
      strength[at++] = coupling[k];
    }
  }
};

inline constexpr int max_patch_unknowns = 48;

/// A over a patch, inverted in its place: [members, N, members, N], which the rows of its members are.
template <int N>
struct InvertPatch {
  sparse::BlockCsrView<double> a;
  const std::int32_t* first;   // [patches + 1] into the members
  const std::int32_t* row;     // [members]
  const std::int32_t* offset;  // [members + 1] in blocks
  double* value;

  SETKA_HD void operator()(std::int64_t patch) const {
    const std::int32_t begin = first[patch];
    const int members = first[patch + 1] - begin;
    const int n = members * N;
    double* const m = value + std::int64_t{offset[begin]} * N * N;
    for (int p = 0; p < members; ++p) {
      const std::int64_t i = row[begin + p];
      const std::int64_t across = std::int64_t{a.offset[i + 1] - a.offset[i]} * N;
      const double* const values = a.value + std::int64_t{a.offset[i]} * N * N;
      for (int q = 0; q < members; ++q) {
        const std::int32_t j = row[begin + q];
        const std::int32_t k = sparse::first_not_below(a.column, a.offset[i], a.offset[i + 1], j);
        const bool there = k < a.offset[i + 1] && a.column[k] == j;
        for (int r = 0; r < N; ++r) {
          for (int c = 0; c < N; ++c) {
            m[(p * N + r) * n + q * N + c] =
                there ? values[r * across + std::int64_t{k - a.offset[i]} * N + c] : 0.0;
          }
        }
      }
    }
    invert(m, n);
  }

 private:
  /// As invert_block(), of a size that is known late.
  SETKA_HD static void invert(double* a, int n) {
    double size[max_patch_unknowns];
    for (int i = 0; i < n; ++i) size[i] = std::abs(a[i * n + i]);
    for (int p = 0; p < n; ++p) {
      const double pivot = a[p * n + p];
      if (!(std::abs(pivot) > 1e-12 * size[p])) {
        for (int j = 0; j < n; ++j) a[p * n + j] = a[j * n + p] = 0;
        continue;
      }
      const double scale = 1 / pivot;
      for (int j = 0; j < n; ++j) {
        if (j != p) a[p * n + j] *= scale;
      }
      for (int i = 0; i < n; ++i) {
        if (i == p) continue;
        const double factor = a[i * n + p];
        for (int j = 0; j < n; ++j) {
          if (j != p) a[i * n + j] -= factor * a[p * n + j];
        }
        a[i * n + p] = -factor * scale;
      }
      a[p * n + p] = scale;
    }
  }
};

struct ClearRow {
  const std::int32_t* row;
  int size;  // values of a row
  float* blocks;

  SETKA_HD void operator()(std::int64_t member) const {
    float* const own = blocks + std::int64_t{row[member]} * size;
    for (int e = 0; e < size; ++e) own[e] = 0;
  }
};

/// r = f - A x in the row of a member, of one column.
template <int N>
struct PatchResidual {
  const std::int32_t* row;
  sparse::BlockCsrView<float> a;
  exec::MultiView<const float> f;
  exec::MultiView<const float> x;
  exec::MultiView<float> r;

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t i = row[at / f.columns];
    const std::int64_t j = at % f.columns;
    const std::int32_t begin = a.offset[i];
    const std::int32_t blocks = a.offset[i + 1] - begin;
    const float* value = a.value + std::int64_t{begin} * N * N;
    for (int n = 0; n < N; ++n) {
      float sum = f(i * N + n, j);
      for (std::int32_t k = begin; k < begin + blocks; ++k) {
        for (int c = 0; c < N; ++c) sum -= *value++ * x(std::int64_t{a.column[k]} * N + c, j);
      }
      r(i * N + n, j) = sum;
    }
  }
};

/// y += factor (inverse r) in the row of a member, of one column.
template <int N>
struct AddPatchRow {
  float factor;
  const std::int32_t* row;
  sparse::BlockCsrView<float> inverse;
  exec::MultiView<const float> r;
  exec::MultiView<float> y;
  exec::MultiView<float> also;  // the same is added; nothing where it has no columns

  SETKA_HD void operator()(std::int64_t at) const {
    const std::int64_t member = at / r.columns;
    const std::int64_t j = at % r.columns;
    const std::int32_t begin = inverse.offset[member];
    const std::int32_t blocks = inverse.offset[member + 1] - begin;
    const float* value = inverse.value + std::int64_t{begin} * N * N;
    for (int i = 0; i < N; ++i) {
      float sum = 0;
      for (std::int32_t k = begin; k < begin + blocks; ++k) {
        for (int c = 0; c < N; ++c) sum += *value++ * r(std::int64_t{inverse.column[k]} * N + c, j);
      }
      const std::int64_t to = std::int64_t{row[member]} * N + i;
      y(to, j) += factor * sum;
      if (also.columns > 0) also(to, j) += factor * sum;
    }
  }
};

}  // namespace setka::solve::kernel
