// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "setka/exec/annotations.hpp"
#include "setka/mesh/cell.hpp"

/// Shape functions of lines, triangles, quadrilaterals, tetrahedra, wedges and hexahedra, in the node order
/// of CalculiX. Lines, quadrilaterals and hexahedra live in [-1, 1]^d; triangles and tetrahedra in the unit
/// simplex with node 0 at the origin; a wedge is that triangle times [-1, 1].
namespace setka::mesh {

/// Row i of an array of rows of that width.
template <int width, class T>
SETKA_HD constexpr T* row(T* array, int i) {
  return array + static_cast<std::ptrdiff_t>(width) * i;
}

/// values(r, n): n: [nodes]; gradients(r, dn): dn: [nodes, dimension], derivatives to the reference
/// coordinates r: [dimension]; node(i, r): the place of a node in the reference element.
template <Cell>
struct ShapeFunctions;

namespace detail {

/// Corner i of [-1, 1]^2 or [-1, 1]^3, counted round each level.
SETKA_HD constexpr int corner_x(int i) {
  return ((i + 1) >> 1) % 2 == 1 ? 1 : -1;
}
SETKA_HD constexpr int corner_y(int i) {
  return (i >> 1) % 2 == 1 ? 1 : -1;
}
SETKA_HD constexpr int corner_z(int i) {
  return i >= 4 ? 1 : -1;
}

/// The node amid edge i of [-1, 1]^2, counted round: on the edge from corner i to the next one.
SETKA_HD constexpr int edge_x(int i) {
  return i % 2 == 0 ? 0 : corner_x(i);
}
SETKA_HD constexpr int edge_y(int i) {
  return i % 2 == 0 ? corner_y(i) : 0;
}

/// One factor of a quadratic hexahedron or quadrilateral: 1 - t^2 where the node is amid an edge along t,
/// else 1 + at t; and its derivative.
SETKA_HD inline double factor(int at, double t) {
  return at == 0 ? 1 - t * t : 1 + at * t;
}
SETKA_HD inline double factor_slope(int at, double t) {
  return at == 0 ? -2 * t : at;
}

}  // namespace detail

template <>
struct ShapeFunctions<Cell::line2> {
  static constexpr int nodes = 2;
  static constexpr int dimension = 1;
  SETKA_HD static void node(int i, double* r) { r[0] = i == 0 ? -1 : 1; }
  SETKA_HD static void values(const double* r, double* n) {
    n[0] = (1 - r[0]) / 2;
    n[1] = (1 + r[0]) / 2;
  }
  SETKA_HD static void gradients(const double* /*r*/, double* dn) {
    dn[0] = -0.5;
    dn[1] = 0.5;
  }
};

template <>
struct ShapeFunctions<Cell::line3> {
  static constexpr int nodes = 3;
  static constexpr int dimension = 1;
  SETKA_HD static void node(int i, double* r) { r[0] = i == 2 ? 0 : 2 * i - 1; }
  SETKA_HD static void values(const double* r, double* n) {
    n[0] = r[0] * (r[0] - 1) / 2;
    n[1] = r[0] * (r[0] + 1) / 2;
    n[2] = 1 - r[0] * r[0];
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    dn[0] = r[0] - 0.5;
    dn[1] = r[0] + 0.5;
    dn[2] = -2 * r[0];
  }
};

template <>
struct ShapeFunctions<Cell::tri3> {
  static constexpr int nodes = 3;
  static constexpr int dimension = 2;
  SETKA_HD static void node(int i, double* r) {
    r[0] = i == 1 ? 1 : 0;
    r[1] = i == 2 ? 1 : 0;
  }
  SETKA_HD static void values(const double* r, double* n) {
    n[0] = 1 - r[0] - r[1];
    n[1] = r[0];
    n[2] = r[1];
  }
  SETKA_HD static void gradients(const double* /*r*/, double* dn) {
    for (int d = 0; d < 2; ++d) {
      dn[d] = -1;
      dn[2 + d] = d == 0 ? 1 : 0;
      dn[4 + d] = d == 1 ? 1 : 0;
    }
  }
};

template <>
struct ShapeFunctions<Cell::tet4> {
  static constexpr int nodes = 4;
  static constexpr int dimension = 3;
  SETKA_HD static void node(int i, double* r) {
    for (int d = 0; d < 3; ++d) r[d] = i == d + 1 ? 1 : 0;
  }
  SETKA_HD static void values(const double* r, double* n) {
    n[0] = 1 - r[0] - r[1] - r[2];
    for (int d = 0; d < 3; ++d) n[d + 1] = r[d];
  }
  SETKA_HD static void gradients(const double* /*r*/, double* dn) {
    for (int d = 0; d < 3; ++d) {
      dn[d] = -1;
      for (int i = 1; i < 4; ++i) dn[3 * i + d] = i == d + 1 ? 1 : 0;
    }
  }
};

/// Quadratic triangle and tetrahedron: l (2 l - 1) at the corners, 4 l l' amid the edges, l the linear shape
/// functions.
namespace detail {

template <class Linear, class Quadratic>
struct QuadraticSimplex {
  static constexpr int dimension = Linear::dimension;
  static constexpr int corners = Linear::nodes;
  static constexpr int nodes = corners * (corners + 1) / 2;

  SETKA_HD static void node(int i, double* r) {
    if (i < corners) return Linear::node(i, r);
    double a[dimension];
    double b[dimension];
    Linear::node(Quadratic::first(i), a);
    Linear::node(Quadratic::second(i), b);
    for (int d = 0; d < dimension; ++d) r[d] = (a[d] + b[d]) / 2;
  }
  SETKA_HD static void values(const double* r, double* n) {
    double l[corners];
    Linear::values(r, l);
    for (int i = 0; i < corners; ++i) n[i] = l[i] * (2 * l[i] - 1);
    for (int i = corners; i < nodes; ++i) n[i] = 4 * l[Quadratic::first(i)] * l[Quadratic::second(i)];
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    double l[corners];
    double dl[corners * dimension];
    Linear::values(r, l);
    Linear::gradients(r, dl);
    for (int d = 0; d < dimension; ++d) {
      for (int i = 0; i < corners; ++i) dn[i * dimension + d] = (4 * l[i] - 1) * dl[i * dimension + d];
      for (int i = corners; i < nodes; ++i) {
        const int a = Quadratic::first(i);
        const int b = Quadratic::second(i);
        dn[i * dimension + d] = 4 * (l[a] * dl[b * dimension + d] + l[b] * dl[a * dimension + d]);
      }
    }
  }
};

struct Tri6Edges {
  SETKA_HD static constexpr int first(int i) { return i - 3; }
  SETKA_HD static constexpr int second(int i) { return (i - 2) % 3; }
};

struct Tet10Edges {
  SETKA_HD static constexpr int first(int i) { return i < 7 ? i - 4 : i - 7; }
  SETKA_HD static constexpr int second(int i) { return i < 7 ? (i - 3) % 3 : 3; }
};

}  // namespace detail

template <>
struct ShapeFunctions<Cell::tri6> : detail::QuadraticSimplex<ShapeFunctions<Cell::tri3>, detail::Tri6Edges> {
};

template <>
struct ShapeFunctions<Cell::tet10>
    : detail::QuadraticSimplex<ShapeFunctions<Cell::tet4>, detail::Tet10Edges> {};

template <>
struct ShapeFunctions<Cell::quad4> {
  static constexpr int nodes = 4;
  static constexpr int dimension = 2;
  SETKA_HD static void node(int i, double* r) {
    r[0] = detail::corner_x(i);
    r[1] = detail::corner_y(i);
  }
  SETKA_HD static void values(const double* r, double* n) {
    for (int i = 0; i < 4; ++i)
      n[i] = (1 + detail::corner_x(i) * r[0]) * (1 + detail::corner_y(i) * r[1]) / 4;
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    for (int i = 0; i < 4; ++i) {
      const int x = detail::corner_x(i);
      const int y = detail::corner_y(i);
      double* at = row<2>(dn, i);
      at[0] = x * (1 + y * r[1]) / 4;
      at[1] = y * (1 + x * r[0]) / 4;
    }
  }
};

template <>
struct ShapeFunctions<Cell::quad8> {
  static constexpr int nodes = 8;
  static constexpr int dimension = 2;
  SETKA_HD static void node(int i, double* r) {
    r[0] = i < 4 ? detail::corner_x(i) : detail::edge_x(i - 4);
    r[1] = i < 4 ? detail::corner_y(i) : detail::edge_y(i - 4);
  }
  SETKA_HD static void values(const double* r, double* n) {
    for (int i = 0; i < 4; ++i) {
      const double a = detail::corner_x(i) * r[0];
      const double b = detail::corner_y(i) * r[1];
      n[i] = (1 + a) * (1 + b) * (a + b - 1) / 4;
      n[4 + i] = detail::factor(detail::edge_x(i), r[0]) * detail::factor(detail::edge_y(i), r[1]) / 2;
    }
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    for (int i = 0; i < 4; ++i) {
      const int x = detail::corner_x(i);
      const int y = detail::corner_y(i);
      const double a = x * r[0];
      const double b = y * r[1];
      double* corner = row<2>(dn, i);
      corner[0] = x * (1 + b) * (2 * a + b) / 4;
      corner[1] = y * (1 + a) * (2 * b + a) / 4;
      const int ex = detail::edge_x(i);
      const int ey = detail::edge_y(i);
      double* edge = row<2>(dn, 4 + i);
      edge[0] = detail::factor_slope(ex, r[0]) * detail::factor(ey, r[1]) / 2;
      edge[1] = detail::factor(ex, r[0]) * detail::factor_slope(ey, r[1]) / 2;
    }
  }
};

template <>
struct ShapeFunctions<Cell::wedge6> {
  static constexpr int nodes = 6;
  static constexpr int dimension = 3;
  using Triangle = ShapeFunctions<Cell::tri3>;
  SETKA_HD static void node(int i, double* r) {
    Triangle::node(i % 3, r);
    r[2] = i < 3 ? -1 : 1;
  }
  SETKA_HD static void values(const double* r, double* n) {
    double l[3];
    Triangle::values(r, l);
    for (int i = 0; i < 3; ++i) {
      n[i] = l[i] * (1 - r[2]) / 2;
      n[3 + i] = l[i] * (1 + r[2]) / 2;
    }
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    double l[3];
    double dl[6];
    Triangle::values(r, l);
    Triangle::gradients(r, dl);
    for (int i = 0; i < 3; ++i) {
      for (int d = 0; d < 2; ++d) {
        dn[3 * i + d] = dl[2 * i + d] * (1 - r[2]) / 2;
        dn[3 * (3 + i) + d] = dl[2 * i + d] * (1 + r[2]) / 2;
      }
      dn[3 * i + 2] = -l[i] / 2;
      dn[3 * (3 + i) + 2] = l[i] / 2;
    }
  }
};

/// Corners: l ((2 l - 1) (1 + s z) - (1 - z^2)) / 2 with s = -1 below and 1 above; then the edges of both
/// triangles, 2 l l' (1 + s z), and the upright ones, l (1 - z^2).
template <>
struct ShapeFunctions<Cell::wedge15> {
  static constexpr int nodes = 15;
  static constexpr int dimension = 3;
  using Triangle = ShapeFunctions<Cell::tri3>;
  SETKA_HD static void node(int i, double* r) {
    if (i < 6) {
      Triangle::node(i % 3, r);
      r[2] = i < 3 ? -1 : 1;
    } else {
      ShapeFunctions<Cell::tri6>::node(i < 12 ? 3 + i % 3 : i - 12, r);
      r[2] = i >= 12 ? 0 : (i < 9 ? -1 : 1);
    }
  }
  SETKA_HD static void values(const double* r, double* n) {
    double l[3];
    Triangle::values(r, l);
    const double z = r[2];
    for (int i = 0; i < 3; ++i) {
      const double edge = 2 * l[i] * l[(i + 1) % 3];
      for (int above = 0; above < 2; ++above) {
        const double s = above == 0 ? 1 - z : 1 + z;
        n[3 * above + i] = l[i] * ((2 * l[i] - 1) * s - (1 - z * z)) / 2;
        n[6 + 3 * above + i] = edge * s;
      }
      n[12 + i] = l[i] * (1 - z * z);
    }
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    double l[3];
    double dl[6];
    Triangle::values(r, l);
    Triangle::gradients(r, dl);
    const double z = r[2];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      for (int above = 0; above < 2; ++above) {
        const double s = above == 0 ? 1 - z : 1 + z;
        const double ds = above == 0 ? -1 : 1;
        double* corner = row<3>(dn, 3 * above + i);
        double* edge = row<3>(dn, 6 + 3 * above + i);
        for (int d = 0; d < 2; ++d) {
          corner[d] = dl[2 * i + d] * ((4 * l[i] - 1) * s - (1 - z * z)) / 2;
          edge[d] = 2 * (dl[2 * i + d] * l[j] + l[i] * dl[2 * j + d]) * s;
        }
        corner[2] = l[i] * ((2 * l[i] - 1) * ds + 2 * z) / 2;
        edge[2] = 2 * l[i] * l[j] * ds;
      }
      double* upright = row<3>(dn, 12 + i);
      for (int d = 0; d < 2; ++d) upright[d] = dl[2 * i + d] * (1 - z * z);
      upright[2] = -2 * l[i] * z;
    }
  }
};

template <>
struct ShapeFunctions<Cell::hex8> {
  static constexpr int nodes = 8;
  static constexpr int dimension = 3;
  SETKA_HD static void node(int i, double* r) {
    r[0] = detail::corner_x(i);
    r[1] = detail::corner_y(i);
    r[2] = detail::corner_z(i);
  }
  SETKA_HD static void values(const double* r, double* n) {
    for (int i = 0; i < 8; ++i) {
      n[i] = (1 + detail::corner_x(i) * r[0]) * (1 + detail::corner_y(i) * r[1]) *
             (1 + detail::corner_z(i) * r[2]) / 8;
    }
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    for (int i = 0; i < 8; ++i) {
      const int x = detail::corner_x(i);
      const int y = detail::corner_y(i);
      const int z = detail::corner_z(i);
      double* at = row<3>(dn, i);
      at[0] = x * (1 + y * r[1]) * (1 + z * r[2]) / 8;
      at[1] = y * (1 + x * r[0]) * (1 + z * r[2]) / 8;
      at[2] = z * (1 + x * r[0]) * (1 + y * r[1]) / 8;
    }
  }
};

template <>
struct ShapeFunctions<Cell::hex20> {
  static constexpr int nodes = 20;
  static constexpr int dimension = 3;
  SETKA_HD static constexpr int x(int i) {
    return i < 8 ? detail::corner_x(i) : (i < 16 ? detail::edge_x((i - 8) % 4) : detail::corner_x(i - 16));
  }
  SETKA_HD static constexpr int y(int i) {
    return i < 8 ? detail::corner_y(i) : (i < 16 ? detail::edge_y((i - 8) % 4) : detail::corner_y(i - 16));
  }
  SETKA_HD static constexpr int z(int i) {
    return i < 8 ? detail::corner_z(i) : (i < 16 ? (i < 12 ? -1 : 1) : 0);
  }
  SETKA_HD static void node(int i, double* r) {
    r[0] = x(i);
    r[1] = y(i);
    r[2] = z(i);
  }
  SETKA_HD static void values(const double* r, double* n) {
    for (int i = 0; i < 8; ++i) {
      const double a = x(i) * r[0];
      const double b = y(i) * r[1];
      const double c = z(i) * r[2];
      n[i] = (1 + a) * (1 + b) * (1 + c) * (a + b + c - 2) / 8;
    }
    for (int i = 8; i < 20; ++i) {
      n[i] = detail::factor(x(i), r[0]) * detail::factor(y(i), r[1]) * detail::factor(z(i), r[2]) / 4;
    }
  }
  SETKA_HD static void gradients(const double* r, double* dn) {
    for (int i = 0; i < 8; ++i) {
      const double a = x(i) * r[0];
      const double b = y(i) * r[1];
      const double c = z(i) * r[2];
      double* at = row<3>(dn, i);
      at[0] = x(i) * (1 + b) * (1 + c) * (2 * a + b + c - 1) / 8;
      at[1] = y(i) * (1 + a) * (1 + c) * (a + 2 * b + c - 1) / 8;
      at[2] = z(i) * (1 + a) * (1 + b) * (a + b + 2 * c - 1) / 8;
    }
    for (int i = 8; i < 20; ++i) {
      const double a = detail::factor(x(i), r[0]);
      const double b = detail::factor(y(i), r[1]);
      const double c = detail::factor(z(i), r[2]);
      double* at = row<3>(dn, i);
      at[0] = detail::factor_slope(x(i), r[0]) * b * c / 4;
      at[1] = a * detail::factor_slope(y(i), r[1]) * c / 4;
      at[2] = a * b * detail::factor_slope(z(i), r[2]) / 4;
    }
  }
};

}  // namespace setka::mesh
