// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/fem/solid_kernel.hpp"

/// f = K u of one element without K: strains at the points, stresses, forces. A Real is a double or Lanes.
namespace setka::fem::kernel {

/// s = scale D e, isotropic.
template <class Real>
struct IsotropicLaw {
  Real lame;
  Real shear;
  SETKA_HD void stress(const Real* e, const Real& scale, Real* s) const {
    const Real mu = scale * shear;
    const Real pressure = scale * lame * (e[0] + e[1] + e[2]);
    for (int i = 0; i < 3; ++i) {
      s[i] = pressure + (mu + mu) * e[i];
      s[i + 3] = mu * e[i + 3];
    }
  }
};

/// s = scale D e with d: [36], anything with [].
template <class D>
struct GeneralLaw {
  D d;
  template <class Real>
  SETKA_HD void stress(const Real* e, const Real& scale, Real* s) const {
    for (int i = 0; i < 6; ++i) {
      Real sum = 0;
      for (int j = 0; j < 6; ++j) sum += d[6 * i + j] * e[j];
      s[i] = scale * sum;
    }
  }
};

/// What a point does: j: [3, 3], slopes of x along the reference coordinates, h: [3, 3], those of u (row: the
/// reference coordinate); p: [3, 3], forces by reference slope, so that node i gets sum over a of dn_i[a]
/// p[a]. With c = det(j) j^-1 the determinant cancels down to one division.
template <class Law, class Real>
SETKA_HD inline void point_flux(const Real* j, const Real* h, double weight, const Law& law, Real* p) {
  Real c[9];
  const Real determinant = adjugate3(j, c);
  Real g[9];  // det(j) d u_c / d x_b at [b, c]
  SETKA_UNROLL
  for (int b = 0; b < 3; ++b) {
    SETKA_UNROLL
    for (int i = 0; i < 3; ++i)
      g[3 * b + i] = c[3 * b] * h[i] + c[3 * b + 1] * h[3 + i] + c[3 * b + 2] * h[6 + i];
  }
  const Real e[6] = {g[0], g[4], g[8], g[1] + g[3], g[2] + g[6], g[5] + g[7]};
  Real s[6];
  law.stress(e, weight / determinant, s);
  SETKA_UNROLL
  for (int a = 0; a < 3; ++a) {
    p[3 * a + 0] = c[a] * s[0] + c[3 + a] * s[3] + c[6 + a] * s[4];
    p[3 * a + 1] = c[a] * s[3] + c[3 + a] * s[1] + c[6 + a] * s[5];
    p[3 * a + 2] = c[a] * s[4] + c[3 + a] * s[5] + c[6 + a] * s[2];
  }
}

/// Any solid of standard formulation: x, u, f: [nodes, 3]. 27 n + 100 fused products a point.
template <int nodes, int points, class X, class U, class F, class Law>
SETKA_HD inline void element_product(const X& x, const U& u, const ReferenceView& reference, const Law& law,
                                     F* f) {
  for (int i = 0; i < 3 * nodes; ++i) f[i] = 0;
  for (int point = 0; point < points; ++point) {
    const double* const dn = row<3 * nodes>(reference.gradients, point);
    F j[9];
    F h[9];
    F p[9];
    jacobian<nodes>(x, dn, j);
    jacobian<nodes>(u, dn, h);
    point_flux(j, h, reference.weights[point], law, p);
    for (int i = 0; i < nodes; ++i) {
      const double* const at = row<3>(dn, i);
      for (int c = 0; c < 3; ++c) f[3 * i + c] += at[0] * p[c] + at[1] * p[3 + c] + at[2] * p[6 + c];
    }
  }
}

/// The trilinear hexahedron: along a reference coordinate its fields are linear, so that a slope is a
/// difference over four edges, interpolated to the 2 x 2 points across. 540 fused products for all slopes and
/// forces, where node by node they would be 1728.
struct HexaSlopes {
  static constexpr double near = 0.78867513459481288225;  // (1 + 1 / sqrt(3)) / 2: weight of the near edge
  static constexpr double far = 0.21132486540518711775;

  /// The node at the end of the reference axes, each 0 or 1.
  SETKA_HD static constexpr int node(int x, int y, int z) { return 4 * z + (y == 0 ? x : 3 - x); }

  /// Node `end` of the edge along an axis that lies at (i, j) on the other two, in their order.
  SETKA_HD static constexpr int edge_node(int axis, int end, int i, int j) {
    if (axis == 0) return node(end, i, j);
    if (axis == 1) return node(i, end, j);
    return node(i, j, end);
  }

  /// slope: [3 axes, 2, 2 points across, 3], of v: [8, 3].
  template <class V, class Real>
  SETKA_HD static void of(const V& v, Real* slope) {
    SETKA_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) {
        Real edge[4];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k) {
          edge[k] = v[3 * edge_node(axis, 1, k / 2, k % 2) + c] - v[3 * edge_node(axis, 0, k / 2, k % 2) + c];
        }
        Real between[4];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k) between[k] = near / 2 * edge[k] + far / 2 * edge[k ^ 2];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k) slope[(4 * axis + k) * 3 + c] = near * between[k] + far * between[k ^ 1];
      }
    }
  }

  /// f: [8, 3] from sums over points of p by slope, [3 axes, 2, 2, 3]: the transpose of the above.
  template <class Real>
  SETKA_HD static void back(const Real* sum, Real* f) {
    SETKA_UNROLL
    for (int i = 0; i < 24; ++i) f[i] = 0;
    SETKA_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) {
        Real between[4];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k)
          between[k] = near * sum[(4 * axis + k) * 3 + c] + far * sum[(4 * axis + (k ^ 1)) * 3 + c];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k) {
          const Real edge = near / 2 * between[k] + far / 2 * between[k ^ 2];
          f[3 * edge_node(axis, 1, k / 2, k % 2) + c] += edge;
          f[3 * edge_node(axis, 0, k / 2, k % 2) + c] = f[3 * edge_node(axis, 0, k / 2, k % 2) + c] - edge;
        }
      }
    }
  }

  /// Where the slope along an axis is at point (x, y, z), each 0 or 1.
  SETKA_HD static constexpr int at(int axis, int x, int y, int z) {
    return 3 * (4 * axis + (axis == 0 ? 2 * y + z : (axis == 1 ? 2 * x + z : 2 * x + y)));
  }
};

/// C3D8: x, u, f: [8, 3]. The Gauss points' weights are 1.
template <class X, class U, class F, class Law>
SETKA_HD inline void hexa_product(const X& x, const U& u, const Law& law, F* f) {
  F of_x[36];
  F of_u[36];
  F sum[36] = {};
  HexaSlopes::of(x, of_x);
  HexaSlopes::of(u, of_u);
  SETKA_UNROLL
  for (int point = 0; point < 8; ++point) {
    F j[9];
    F h[9];
    F p[9];
    SETKA_UNROLL
    for (int i = 0; i < 9; ++i) {
      const int from = HexaSlopes::at(i / 3, point & 1, point >> 1 & 1, point >> 2) + i % 3;
      j[i] = of_x[from];
      h[i] = of_u[from];
    }
    point_flux(j, h, 1.0, law, p);
    SETKA_UNROLL
    for (int i = 0; i < 9; ++i)
      sum[HexaSlopes::at(i / 3, point & 1, point >> 1 & 1, point >> 2) + i % 3] += p[i];
  }
  HexaSlopes::back(sum, f);
}

/// The product of a type: its own, or that of standard solids.
template <Element type, class X, class U, class F, class Law>
SETKA_HD inline void solid_product(const X& x, const U& u, const ReferenceView& reference, const Law& law,
                                   F* f) {
  if constexpr (type == Element::hex8) {
    hexa_product(x, u, law, f);
  } else {
    element_product<Solid<type>::nodes, Solid<type>::points>(x, u, reference, law, f);
  }
}

}  // namespace setka::fem::kernel
