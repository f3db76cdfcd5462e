// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/annotations.hpp"

/// Stiffness of an element from second moments of its gradients. Where D is the same at all points, the block
/// of nodes a and b is linear in S = sum over points of w g_a g_b^T, and S costs 9 products a point where
/// B^T D B costs 81: the upper triangle of all S has as many entries as that of K. A Real is a double or
/// Lanes.
namespace setka::fem::kernel {

/// Where strain (i, k) is in the order xx yy zz xy xz yz.
SETKA_HD constexpr int voigt(int i, int k) {
  return i == k ? i : i + k + 2;
}

/// s: [m, m] += g h^T, with g and h of m entries; G and H: anything with [].
template <int m, class G, class H, class Real>
SETKA_HD inline void add_moments(const G& g, const H& h, Real* s) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) s[m * i + j] += g[i] * h[j];
  }
}

/// k: [3, 3] of an isotropic material; 2 + 2 products an entry.
template <class Real>
SETKA_HD inline void block_from_moments(const Real* s, const Real& lame, const Real& shear, Real* k) {
  const Real trace = shear * (s[0] + s[4] + s[8]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) k[3 * i + j] = lame * s[3 * i + j] + shear * s[3 * j + i];
    k[3 * i + i] += trace;
  }
}

/// k: [m, m], of any material, in space (m = 3) or in a plane (m = 2); m^4 products. d: [36].
template <int m, class D, class Real>
SETKA_HD inline void block_from_moments(const Real* s, const D& d, Real* k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      Real sum = 0;
      for (int a = 0; a < m; ++a) {
        for (int b = 0; b < m; ++b) sum += d[6 * voigt(i, a) + voigt(j, b)] * s[m * a + b];
      }
      k[m * i + j] = sum;
    }
  }
}

/// Pair number `pair` of nodes (a, b), a <= b, in the order of rows; of n nodes.
struct NodePair {
  int a;
  int b;
  SETKA_HD static NodePair at(int n, int pair) {
    int a = 0;
    while (pair >= n - a) {
      pair -= n - a;
      ++a;
    }
    return {a, a + pair};
  }
  SETKA_HD void next(int n) {
    if (++b == n) b = ++a;
  }
};

}  // namespace setka::fem::kernel
