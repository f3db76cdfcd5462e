// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "setka/exec/annotations.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"

/// Arithmetic of one solid element. x: [nodes, 3]; tensors in the order xx yy zz xy xz yz, strains with
/// engineering shear; D: [6, 6]; all row-major. A Real is a double, or several elements' doubles side by side
/// (element_lanes.hpp).
namespace setka::fem::kernel {

using mesh::row;

/// c = det(a) a^-1 for 3 x 3 matrices; returns the determinant.
template <class Real>
SETKA_HD inline Real adjugate3(const Real* a, Real* c) {
  c[0] = a[4] * a[8] - a[5] * a[7];
  c[1] = a[2] * a[7] - a[1] * a[8];
  c[2] = a[1] * a[5] - a[2] * a[4];
  c[3] = a[5] * a[6] - a[3] * a[8];
  c[4] = a[0] * a[8] - a[2] * a[6];
  c[5] = a[2] * a[3] - a[0] * a[5];
  c[6] = a[3] * a[7] - a[4] * a[6];
  c[7] = a[1] * a[6] - a[0] * a[7];
  c[8] = a[0] * a[4] - a[1] * a[3];
  return a[0] * c[0] + a[1] * c[3] + a[2] * c[6];
}

/// c = a^-1; returns the determinant of a.
template <class Real>
SETKA_HD inline Real invert3(const Real* a, Real* c) {
  const Real determinant = adjugate3(a, c);
  const Real s = 1 / determinant;
  for (int i = 0; i < 9; ++i) c[i] *= s;
  return determinant;
}

/// j[a][b] = d x_b / d r_a, from dn: [nodes, 3] to the reference coordinates; X: anything with x[i].
template <int nodes, class X, class Real>
SETKA_HD inline void jacobian(const X& x, const double* dn, Real* j) {
  for (int a = 0; a < 9; ++a) j[a] = 0;
  for (int i = 0; i < nodes; ++i) {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) j[3 * a + b] += dn[3 * i + a] * x[3 * i + b];
    }
  }
}

/// g: [nodes, 3], gradients of the shape functions in space from dn: [nodes, 3], those in the reference
/// element; returns det(dx/dr). X and G: anything with x[i] and g[i].
template <int nodes, class X, class G>
SETKA_HD inline auto map_gradients(const X& x, const double* dn, G g) {
  using Real = std::remove_cvref_t<decltype(x[0])>;
  Real j[9];
  Real inverse[9];
  jacobian<nodes>(x, dn, j);
  const Real determinant = invert3(j, inverse);
  for (int i = 0; i < nodes; ++i) {
    for (int b = 0; b < 3; ++b) {
      const Real* c = row<3>(inverse, b);
      const double* at = row<3>(dn, i);
      g[3 * i + b] = c[0] * at[0] + c[1] * at[1] + c[2] * at[2];
    }
  }
  return determinant;
}

/// The same at the reference point r.
template <class Functions>
SETKA_HD inline double space_gradients(const double* x, const double* r, double* g) {
  double dn[3 * Functions::nodes];
  Functions::gradients(r, dn);
  return map_gradients<Functions::nodes>(x, dn, g);
}

template <class Real>
SETKA_HD inline Real determinant3(const Real* j) {
  return j[0] * (j[4] * j[8] - j[5] * j[7]) + j[1] * (j[5] * j[6] - j[3] * j[8]) +
         j[2] * (j[3] * j[7] - j[4] * j[6]);
}

template <class Functions>
SETKA_HD inline double determinant_at(const double* x, const double* r) {
  double dn[3 * Functions::nodes];
  Functions::gradients(r, dn);
  double j[9];
  jacobian<Functions::nodes>(x, dn, j);
  return determinant3(j);
}

/// Whether D is that of an isotropic material, each entry within the bound.
SETKA_HD inline bool is_isotropic(const double* d, double bound) {
  const double shear = d[21];
  const double lame = d[1];
  bool isotropic = true;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      double expected = 0;
      if (i < 3 && j < 3) expected = lame;
      if (i == j) expected += i < 3 ? 2 * shear : shear;
      isotropic = isotropic && std::abs(d[6 * i + j] - expected) <= bound;
    }
  }
  return isotropic;
}

/// One node's part of the strain operator, B: [6, 3]: e = B u with g the gradient of its shape function.
SETKA_HD inline void add_strain(const double* g, const double* u, double* e) {
  e[0] += g[0] * u[0];
  e[1] += g[1] * u[1];
  e[2] += g[2] * u[2];
  e[3] += g[1] * u[0] + g[0] * u[1];
  e[4] += g[2] * u[0] + g[0] * u[2];
  e[5] += g[2] * u[1] + g[1] * u[2];
}

/// f += w B^T s.
SETKA_HD inline void add_force(const double* g, const double* s, double w, double* f) {
  f[0] += w * (g[0] * s[0] + g[1] * s[3] + g[2] * s[4]);
  f[1] += w * (g[0] * s[3] + g[1] * s[1] + g[2] * s[5]);
  f[2] += w * (g[0] * s[4] + g[1] * s[5] + g[2] * s[2]);
}

/// K += w B^T D B for all pairs of n nodes; g: [n, 3]; k: [3 n, 3 n], the upper triangle of blocks alone.
template <int n>
SETKA_HD inline void add_stiffness(const double* g, const double* d, double w, double* k) {
  for (int j = 0; j < n; ++j) {
    const double* h = row<3>(g, j);
    double s[3][6];  // w D B of node j, column by column
    for (int a = 0; a < 6; ++a) {
      const double* c = row<6>(d, a);
      s[0][a] = w * (c[0] * h[0] + c[3] * h[1] + c[4] * h[2]);
      s[1][a] = w * (c[3] * h[0] + c[1] * h[1] + c[5] * h[2]);
      s[2][a] = w * (c[4] * h[0] + c[5] * h[1] + c[2] * h[2]);
    }
    for (int i = 0; i <= j; ++i) {
      for (int c = 0; c < 3; ++c) {
        double f[3] = {0, 0, 0};
        add_force(row<3>(g, i), s[c], 1, f);
        for (int a = 0; a < 3; ++a) k[(3 * i + a) * 3 * n + 3 * j + c] += f[a];
      }
    }
  }
}

/// Copies the upper triangle of blocks to the lower one; blocks on the diagonal are whole.
template <int n>
SETKA_HD inline void mirror_blocks(double* k) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      for (int a = 0; a < 3; ++a) {
        for (int c = 0; c < 3; ++c) k[(3 * i + a) * 3 * n + 3 * j + c] = k[(3 * j + c) * 3 * n + 3 * i + a];
      }
    }
  }
}

/// d: [points, 36]; k: [3 n, 3 n]. About 3 n^2 (points) x 9 multiplications.
template <class Functions, class Points>
SETKA_HD inline void stiffness(const double* x, const double* d, double* k) {
  constexpr int n = Functions::nodes;
  for (int i = 0; i < 9 * n * n; ++i) k[i] = 0;
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double g[3 * n];
    const double weight = Points::at(p, r);
    const double determinant = space_gradients<Functions>(x, r, g);
    add_stiffness<n>(g, row<36>(d, p), weight * determinant, k);
  }
  mirror_blocks<n>(k);
}

template <class Functions, class Points>
SETKA_HD inline void mass(const double* x, double density, double* m) {
  constexpr int n = Functions::nodes;
  for (int i = 0; i < 9 * n * n; ++i) m[i] = 0;
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double values[n];
    const double weight = Points::at(p, r);
    const double w = density * weight * determinant_at<Functions>(x, r);
    Functions::values(r, values);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const double a = w * values[i] * values[j];
        for (int c = 0; c < 3; ++c) m[(3 * i + c) * 3 * n + 3 * j + c] += a;
      }
    }
  }
}

/// e: [points, 6]
template <class Functions, class Points>
SETKA_HD inline void strains(const double* x, const double* u, double* e) {
  constexpr int n = Functions::nodes;
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double g[3 * n];
    Points::at(p, r);
    space_gradients<Functions>(x, r, g);
    for (int a = 0; a < 6; ++a) e[6 * p + a] = 0;
    for (int i = 0; i < n; ++i) add_strain(row<3>(g, i), row<3>(u, i), row<6>(e, p));
  }
}

/// stress: [points, 6]; f: [n, 3]
template <class Functions, class Points>
SETKA_HD inline void internal_force(const double* x, const double* stress, double* f) {
  constexpr int n = Functions::nodes;
  for (int i = 0; i < 3 * n; ++i) f[i] = 0;
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double g[3 * n];
    const double weight = Points::at(p, r);
    const double w = weight * space_gradients<Functions>(x, r, g);
    for (int i = 0; i < n; ++i) add_force(row<3>(g, i), row<6>(stress, p), w, row<3>(f, i));
  }
}

/// force: [points, 3] per volume; f: [n, 3]
template <class Functions, class Points>
SETKA_HD inline void body_force(const double* x, const double* force, double* f) {
  constexpr int n = Functions::nodes;
  for (int i = 0; i < 3 * n; ++i) f[i] = 0;
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double values[n];
    const double weight = Points::at(p, r);
    const double w = weight * determinant_at<Functions>(x, r);
    Functions::values(r, values);
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) f[3 * i + c] += w * values[i] * force[3 * p + c];
    }
  }
}

/// The normal of a face at the reference point r, as long as the face is stretched there. x: [nodes, 3],
/// turning so that the normal points into the element.
template <class Functions>
SETKA_HD inline void face_normal(const double* x, const double* r, double* normal) {
  constexpr int n = Functions::nodes;
  double dn[2 * n];
  Functions::gradients(r, dn);
  double a[3] = {0, 0, 0};
  double b[3] = {0, 0, 0};
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < 3; ++c) {
      a[c] += dn[2 * i] * x[3 * i + c];
      b[c] += dn[2 * i + 1] * x[3 * i + c];
    }
  }
  normal[0] = a[1] * b[2] - a[2] * b[1];
  normal[1] = a[2] * b[0] - a[0] * b[2];
  normal[2] = a[0] * b[1] - a[1] * b[0];
}

/// Of a face: x: [nodes, 3], turning so that the normal points into the element; f: [nodes, 3].
template <class Functions, class Points>
SETKA_HD inline void pressure_force(const double* x, double pressure, double* f) {
  constexpr int n = Functions::nodes;
  for (int i = 0; i < 3 * n; ++i) f[i] = 0;
  for (int p = 0; p < Points::points; ++p) {
    double r[2];
    double values[n];
    double normal[3];
    const double w = pressure * Points::at(p, r);
    Functions::values(r, values);
    face_normal<Functions>(x, r, normal);
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) f[3 * i + c] += w * values[i] * normal[c];
    }
  }
}

/// Whether a normal has one component alone; what is left of the others is rounding.
SETKA_HD inline bool along_an_axis(const double* normal) {
  constexpr double rounding = 1e-9;
  double most = 0;
  double sum = 0;
  for (int c = 0; c < 3; ++c) {
    const double size = normal[c] < 0 ? -normal[c] : normal[c];
    most = size > most ? size : most;
    sum += size;
  }
  return sum - most <= rounding * most;
}

/// Minus the derivative of pressure_force() by the places of the face's nodes, k: [3 nodes, 3 nodes]: a
/// pressure turns with its face and grows with its area. It is symmetric only together with the faces around
/// it. As in CalculiX 2.20, half of it where the normal was along a global axis before the nodes moved; rest,
/// x: [nodes, 3] places before and after.
template <class Functions, class Points>
SETKA_HD inline void pressure_stiffness(const double* rest, const double* x, double pressure, double* k) {
  constexpr int n = Functions::nodes;
  for (int i = 0; i < 9 * n * n; ++i) k[i] = 0;
  for (int p = 0; p < Points::points; ++p) {
    double r[2];
    double values[n];
    double dn[2 * n];
    const double weight = Points::at(p, r);
    double normal[3];
    face_normal<Functions>(rest, r, normal);
    const double w = weight * (along_an_axis(normal) ? pressure / 2 : pressure);
    Functions::values(r, values);
    Functions::gradients(r, dn);
    double a[3] = {0, 0, 0};
    double b[3] = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < 3; ++c) {
        a[c] += dn[2 * i] * x[3 * i + c];
        b[c] += dn[2 * i + 1] * x[3 * i + c];
      }
    }
    for (int j = 0; j < n; ++j) {
      // The normal a x b changes by t x du, where t is this.
      double t[3];
      for (int c = 0; c < 3; ++c) t[c] = dn[2 * j + 1] * a[c] - dn[2 * j] * b[c];
      const double cross[9] = {0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0};
      for (int i = 0; i < n; ++i) {
        for (int c = 0; c < 9; ++c) k[(3 * i + c / 3) * 3 * n + 3 * j + c % 3] -= w * values[i] * cross[c];
      }
    }
  }
}

/// at: [points, 3]
template <class Functions, class Points>
SETKA_HD inline void point_coordinates(const double* x, double* at) {
  constexpr int n = Functions::nodes;
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double values[n];
    Points::at(p, r);
    Functions::values(r, values);
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += values[i] * x[3 * i + c];
      at[3 * p + c] = sum;
    }
  }
}

template <class Functions, class Points>
SETKA_HD inline void point_volumes(const double* x, double* w) {
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    const double weight = Points::at(p, r);
    w[p] = weight * determinant_at<Functions>(x, r);
  }
}

/// nodal: [nodes]; at: [points]
template <class Functions, class Points>
SETKA_HD inline void interpolate(const double* nodal, double* at) {
  for (int p = 0; p < Points::points; ++p) {
    double r[3];
    double values[Functions::nodes];
    Points::at(p, r);
    Functions::values(r, values);
    at[p] = 0;
    for (int i = 0; i < Functions::nodes; ++i) at[p] += values[i] * nodal[i];
  }
}

template <int nodes, int points>
SETKA_HD inline void mean_to_points(const double* nodal, double* at) {
  double sum = 0;
  for (int i = 0; i < nodes; ++i) sum += nodal[i];
  for (int p = 0; p < points; ++p) at[p] = sum / nodes;
}

/// From the 20 nodes of a hexahedron to Points by way of the 2 x 2 x 2 points: the trilinear field through
/// the latter has, at each corner, 2/3 of the sum over its three edges' nodes less 1/3 of that over the
/// corners at their other ends.
template <class Points>
SETKA_HD inline void trilinear_to_points(const double* nodal, double* at) {
  using mesh::detail::corner_x;
  using mesh::detail::corner_y;
  using mesh::detail::corner_z;
  using Functions = mesh::ShapeFunctions<mesh::Cell::hex20>;
  double corner[8];
  for (int i = 0; i < 8; ++i) {
    corner[i] = 0;
    for (int j = 0; j < 20; ++j) {
      const int apart = std::abs(corner_x(i) - Functions::x(j)) + std::abs(corner_y(i) - Functions::y(j)) +
                        std::abs(corner_z(i) - Functions::z(j));
      if (apart == 1) corner[i] += nodal[j] * 2 / 3;
      if (apart == 2 && j < 8) corner[i] -= nodal[j] / 3;
    }
  }
  interpolate<mesh::ShapeFunctions<mesh::Cell::hex8>, Points>(corner, at);
}

}  // namespace setka::fem::kernel
