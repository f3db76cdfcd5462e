// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/fem/element_matrix_free_kernel.hpp"
#include "setka/fem/laws.hpp"
#include "setka/fem/solid_kernel.hpp"

/// Internal forces of one element under large displacements, all derivatives to the initial configuration: G
/// = du/dX, E = (G + G' + G'G) / 2, S(E), P = (I + G) S, f = integral of P dN/dX.
///
/// A Real is a float or a double, or the same number of several elements side by side
/// (large_strain_lanes.hpp); a Number is what it is made of. Nothing here is computed in a precision other
/// than the Real's.
///
/// C3D8, fused or single operations a point: 27 c = adj(dX/dr), 36 G, 24 E, 12 S, 27 P, 27 forces; and 580
/// an element for slopes and their transpose: 1800 an element, about 3200 flops. Bytes of an element in
/// double: 32 nodes, 4 material, 24 + 24 of x and u, 192 forces written and 192 read again, 40 places: about
/// 510, and 100 for the node. Stored c and 1 / det are 640 more to save 240 operations, which pays on no
/// machine that does more than 0.4 flop a byte; derivatives of every shape function would be 1536.
namespace setka::fem::kernel {

using mesh::row;

/// What a point does. c: [3, 3], det j^-1 at [space, reference] with j = dX/dr; r: 1 / det; h: [3, 3], slopes
/// of u (row: the reference coordinate); p: [3, 3], forces by reference slope, so that a node gets the sum
/// over a of dn[a] p[a]. Returns the energy per volume of the reference element, where it is asked for.
template <class Law, class Real>
SETKA_HD inline Real point_forces(const Real* c, const Real& r, const Real* h, const Real& weight,
                                  const Law& law, const History<Real>& history, bool energy, Real* p) {
  Real g[9];  // dU_i / dX_b at [i, b]
  SETKA_UNROLL
  for (int i = 0; i < 3; ++i) {
    SETKA_UNROLL
    for (int b = 0; b < 3; ++b) {
      const Real* const at = row<3>(c, b);
      g[3 * i + b] = r * (at[0] * h[i] + at[1] * h[3 + i] + at[2] * h[6 + i]);
    }
  }
  Real s[6];
  Real result = Real(0);
  {
    Real e[6];
    green_strain(static_cast<const Real*>(g), e);
    law.stress(g, e, history, s);
    if (energy) result = weight * law.energy(g, e, history) / r;
  }
  for (Real& value : s) value *= weight;
  SETKA_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Real* const at = row<3>(g, i);
    const Real first[3] = {s[i == 0 ? 0 : 2 + i] + at[0] * s[0] + at[1] * s[3] + at[2] * s[4],
                           s[i == 0 ? 3 : (i == 1 ? 1 : 5)] + at[0] * s[3] + at[1] * s[1] + at[2] * s[5],
                           s[i == 0 ? 4 : (i == 1 ? 5 : 2)] + at[0] * s[4] + at[1] * s[5] + at[2] * s[2]};
    SETKA_UNROLL
    for (int a = 0; a < 3; ++a) p[3 * a + i] = first[0] * c[a] + first[1] * c[3 + a] + first[2] * c[6 + a];
  }
  return result;
}

/// slope: [3 reference, 3] of v: [nodes, 3] from dn: [nodes, 3].
template <int nodes, class Number, class Real>
SETKA_HD inline void slopes(const Real* v, const Number* dn, Real* slope) {
  SETKA_UNROLL
  for (int a = 0; a < 9; ++a) slope[a] = Real(0);
  for (int i = 0; i < nodes; ++i) {
    SETKA_UNROLL
    for (int a = 0; a < 3; ++a) {
      const Real d = Real(dn[3 * i + a]);
      SETKA_UNROLL
      for (int b = 0; b < 3; ++b) slope[3 * a + b] += d * v[3 * i + b];
    }
  }
}

/// c and r of a point from the element's coordinates, x: [nodes, 3].
template <class Real>
struct ComputedMap {
  const Real* x;
};
/// Where they are stored, [points, 10]: anything with a load(i).
template <class Source>
struct StoredMap {
  Source from;
};
inline constexpr int map_size = 10;

/// Slopes of a trilinear hexahedron at the 2 x 2 x 2 points and their transpose: HexaSlopes in any precision.
template <class Number>
struct HexaSlopesIn {
  using Places = HexaSlopes;
  static constexpr Number near = Number(Places::near);
  static constexpr Number far = Number(Places::far);
  static constexpr Number near_half = Number(Places::near / 2);
  static constexpr Number far_half = Number(Places::far / 2);

  template <class Real>
  SETKA_HD static void of(const Real* v, Real* slope) {
    SETKA_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) {
        Real edge[4];
        Real between[4];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k)
          edge[k] = v[3 * Places::edge_node(axis, 1, k / 2, k % 2) + c] -
                    v[3 * Places::edge_node(axis, 0, k / 2, k % 2) + c];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k) between[k] = Real(near_half) * edge[k] + Real(far_half) * edge[k ^ 2];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k)
          slope[(4 * axis + k) * 3 + c] = Real(near) * between[k] + Real(far) * between[k ^ 1];
      }
    }
  }

  template <class Real>
  SETKA_HD static void back(const Real* sum, Real* f) {
    SETKA_UNROLL
    for (int i = 0; i < 24; ++i) f[i] = Real(0);
    SETKA_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) {
        Real between[4];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k)
          between[k] =
              Real(near) * sum[(4 * axis + k) * 3 + c] + Real(far) * sum[(4 * axis + (k ^ 1)) * 3 + c];
        SETKA_UNROLL
        for (int k = 0; k < 4; ++k) {
          const Real edge = Real(near_half) * between[k] + Real(far_half) * between[k ^ 2];
          f[3 * Places::edge_node(axis, 1, k / 2, k % 2) + c] += edge;
          f[3 * Places::edge_node(axis, 0, k / 2, k % 2) + c] -= edge;
        }
      }
    }
  }
};

/// C3D8 with 8 points of weight 1. Returns its energy where it is asked for.
template <class Number, class Map, class Real, class Law>
SETKA_HD inline Real hexa_forces(const Map& map, const Real* u, const Law& law, const History<Real>& history,
                                 bool energy, Real* f) {
  using Places = HexaSlopes;
  constexpr bool computed = requires {
    map.x;
  };
  Real of_x[computed ? 36 : 1];
  Real of_u[36];
  Real sum[36] = {};
  if constexpr (computed) HexaSlopesIn<Number>::of(map.x, of_x);
  HexaSlopesIn<Number>::of(u, of_u);
  Real total = Real(0);
  SETKA_UNROLL
  for (int point = 0; point < 8; ++point) {
    Real h[9];
    Real c[9];
    Real p[9];
    Real r;
    SETKA_UNROLL
    for (int i = 0; i < 9; ++i) h[i] = of_u[Places::at(i / 3, point & 1, point >> 1 & 1, point >> 2) + i % 3];
    if constexpr (computed) {
      Real j[9];
      SETKA_UNROLL
      for (int i = 0; i < 9; ++i)
        j[i] = of_x[Places::at(i / 3, point & 1, point >> 1 & 1, point >> 2) + i % 3];
      r = Real(1) / adjugate3(j, c);
    } else {
      SETKA_UNROLL
      for (int i = 0; i < 9; ++i) c[i] = map.from.load(map_size * point + i);
      r = map.from.load(map_size * point + 9);
    }
    total += point_forces(c, r, h, Real(1), law, history.template at<Law>(point), energy, p);
    SETKA_UNROLL
    for (int i = 0; i < 9; ++i) sum[Places::at(i / 3, point & 1, point >> 1 & 1, point >> 2) + i % 3] += p[i];
  }
  HexaSlopesIn<Number>::back(sum, f);
  return total;
}

/// Any solid of standard formulation; gradients: [points, nodes, 3], weights: [points].
template <int nodes, int points, class Number, class Real, class Law>
SETKA_HD inline Real solid_forces(const Real* x, const Real* u, const Number* gradients,
                                  const Number* weights, const Law& law, const History<Real>& history,
                                  bool energy, Real* f) {
  for (int i = 0; i < 3 * nodes; ++i) f[i] = Real(0);
  Real total = Real(0);
  for (int point = 0; point < points; ++point) {
    const Number* const dn = row<3 * nodes>(gradients, point);
    Real j[9];
    Real c[9];
    Real h[9];
    Real p[9];
    slopes<nodes>(x, dn, j);
    slopes<nodes>(u, dn, h);
    const Real r = Real(1) / adjugate3(j, c);
    total += point_forces(c, r, h, Real(weights[point]), law, history.template at<Law>(point), energy, p);
    for (int i = 0; i < nodes; ++i) {
      const Number* const at = row<3>(dn, i);
      SETKA_UNROLL
      for (int k = 0; k < 3; ++k)
        f[3 * i + k] += Real(at[0]) * p[k] + Real(at[1]) * p[3 + k] + Real(at[2]) * p[6 + k];
    }
  }
  return total;
}

/// Of a C3D8R: mean gradients [8, 3], volume, and the patterns' parts along X, [4, 3].
inline constexpr int uniform_size = 37;

SETKA_HD inline void uniform_geometry(const double* x, double* to) {
  to[24] = UniformStrain::mean_gradients(x, to);
  for (int pattern = 0; pattern < 4; ++pattern) {
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (int i = 0; i < 8; ++i) sum += UniformStrain::hourglass(pattern, i) * x[3 * i + c];
      to[25 + 3 * pattern + c] = sum;
    }
  }
}

/// C3D8R: one point with the mean gradients b, and a spring against each hourglass pattern q of u, W = k / 2
/// sum of |q|^2. Unlike in the linear element of fem, q is free of all linear fields (Flanagan and Belytschko
/// 1981), whatever the shape: else a turn of the body would meet resistance, and the work would depend on it.
/// k = (resistance) V sum of b^2.
template <class Real, class Geometry, class Law>
SETKA_HD inline Real uniform_forces(const Geometry& geometry, const Real* u, const Law& law,
                                    const Real& resistance, const History<Real>& history, bool energy,
                                    Real* f) {
  Real b[24];
  Real h[9] = {};  // dU_i / dX_c at [c, i]
  Real square = Real(0);
  SETKA_UNROLL
  for (int i = 0; i < 24; ++i) b[i] = geometry.load(i);
  SETKA_UNROLL
  for (int i = 0; i < 8; ++i) {
    SETKA_UNROLL
    for (int c = 0; c < 3; ++c) {
      square += b[3 * i + c] * b[3 * i + c];
      SETKA_UNROLL
      for (int k = 0; k < 3; ++k) h[3 * c + k] += b[3 * i + c] * u[3 * i + k];
    }
  }
  const Real volume = geometry.load(24);
  const Real stiffness = resistance * volume * square;
  Real one[9];
  SETKA_UNROLL
  for (int i = 0; i < 9; ++i) one[i] = Real(i % 4 == 0 ? 1 : 0);
  Real p[9];  // forces by slope: [c, i]
  Real total = point_forces(one, Real(1), h, volume, law, history, energy, p);
  SETKA_UNROLL
  for (int i = 0; i < 24; ++i) f[i] = Real(0);
  SETKA_UNROLL
  for (int pattern = 0; pattern < 4; ++pattern) {
    SETKA_UNROLL
    for (int k = 0; k < 3; ++k) {
      Real q = Real(0);
      SETKA_UNROLL
      for (int i = 0; i < 8; ++i) {
        if (UniformStrain::hourglass(pattern, i) > 0) {
          q += u[3 * i + k];
        } else {
          q -= u[3 * i + k];
        }
      }
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) q -= geometry.load(25 + 3 * pattern + c) * h[3 * c + k];
      const Real force = stiffness * q;
      if (energy) total += Real(0.5) * force * q;
      SETKA_UNROLL
      for (int c = 0; c < 3; ++c) p[3 * c + k] -= geometry.load(25 + 3 * pattern + c) * force;
      SETKA_UNROLL
      for (int i = 0; i < 8; ++i) {
        if (UniformStrain::hourglass(pattern, i) > 0) {
          f[3 * i + k] += force;
        } else {
          f[3 * i + k] -= force;
        }
      }
    }
  }
  SETKA_UNROLL
  for (int i = 0; i < 8; ++i) {
    SETKA_UNROLL
    for (int k = 0; k < 3; ++k)
      f[3 * i + k] += b[3 * i] * p[k] + b[3 * i + 1] * p[3 + k] + b[3 * i + 2] * p[6 + k];
  }
  return total;
}

}  // namespace setka::fem::kernel
