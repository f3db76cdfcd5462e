// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/annotations.hpp"
#include "setka/fem/solid_kernel.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"

/// Weights that carry values from integration points to nodes, measured from CalculiX 2.20 by stresses of 1
/// at one point. Its weights are decimals of four or five places, so that a row sums to 1 within 5e-5; they
/// are kept, since its results are the reference.
namespace setka::fem::kernel {

/// Mean of two corners for a node amid an edge, the corner itself otherwise.
struct EdgeEnds {
  int first;
  int second;
};

SETKA_HD constexpr EdgeEnds hex20_ends(int node) {
  if (node < 8) return {node, node};
  if (node < 12) return {node - 8, (node - 7) % 4};
  if (node < 16) return {node - 8, 4 + (node - 11) % 4};
  return {node - 16, node - 12};
}
SETKA_HD constexpr EdgeEnds tet10_ends(int node) {
  if (node < 4) return {node, node};
  return {mesh::detail::Tet10Edges::first(node), mesh::detail::Tet10Edges::second(node)};
}
SETKA_HD constexpr EdgeEnds wedge15_ends(int node) {
  if (node < 6) return {node, node};
  if (node < 9) return {node - 6, (node - 5) % 3};
  if (node < 12) return {node - 6, 3 + (node - 8) % 3};
  return {node - 12, node - 9};
}

/// 2 x 2 x 2 points to a corner: trilinear.
SETKA_HD inline double hex8_weight(int corner, int point) {
  const int away = ((point % 2 == 1) != (mesh::detail::corner_x(corner) > 0)) +
                   ((point / 2 % 2 == 1) != (mesh::detail::corner_y(corner) > 0)) +
                   ((point / 4 == 1) != (mesh::detail::corner_z(corner) > 0));
  if (away == 0) return 2.549;
  if (away == 1) return -0.683;
  return away == 2 ? 0.183 : -0.04904;
}

/// 3 x 3 x 3 points to the 20 nodes: the field of the 20 shape functions nearest to the values in the sense
/// of least squares. It depends on how many coordinates of the point lie on the node's side, amid, or
/// opposite.
SETKA_HD inline double hex27_weight(int node, int point) {
  using Functions = mesh::ShapeFunctions<mesh::Cell::hex20>;
  const int at_node[3] = {Functions::x(node), Functions::y(node), Functions::z(node)};
  const int at_point[3] = {point % 3 - 1, point / 3 % 3 - 1, point / 9 - 1};
  int near = 0;
  int far = 0;
  bool amid_edge = false;
  for (int c = 0; c < 3; ++c) {
    if (at_node[c] == 0) {
      amid_edge = at_point[c] == 0;
    } else {
      near += at_node[c] == at_point[c] ? 1 : 0;
      far += at_node[c] == -at_point[c] ? 1 : 0;
    }
  }
  if (node < 8) {
    switch (4 * near + far) {
      case 12:
        return 2.37499;
      case 8:
        return -0.31246;
      case 9:
        return -0.12559;
      case 4:
        return -0.48824;
      case 5:
        return 0.31481;
      case 6:
        return -0.16145;
      case 0:
        return -0.2963;
      case 1:
        return 0.22898;
      case 2:
        return -0.16902;
      default:
        return 0.11575;
    }
  }
  switch (4 * near + far) {
    case 8:
      return amid_edge ? 1.28439 : 0.32628;
    case 4:
      return amid_edge ? 0.05556 : -0.27072;
    case 5:
      return amid_edge ? -0.19444 : 0.11111;
    case 0:
      return amid_edge ? -0.11111 : -0.22222;
    case 1:
      return amid_edge ? 0.05556 : 0.15961;
    default:
      return amid_edge ? -0.00661 : -0.10405;
  }
}

/// 3 x 3 points of a wedge to a corner: linear in the triangle, the straight line of least squares along the
/// axis.
SETKA_HD inline double wedge9_weight(int corner, int point) {
  const bool same = corner % 3 == point % 3;
  const int level = point / 3;
  if (level == 1) return same ? 0.55556 : -0.11111;
  if ((level == 0) == (corner < 3)) return same ? 1.63138 : -0.32628;
  return same ? -0.52027 : 0.10405;
}

/// 3 x 2 points of a wedge to a corner: linear.
SETKA_HD inline double wedge6_weight(int corner, int point) {
  const double in_triangle = corner % 3 == point % 3 ? 5.0 / 3 : -1.0 / 3;
  return in_triangle * ((point < 3) == (corner < 3) ? 1.3660254037844386 : -0.3660254037844386);
}

/// 2 points of a wedge. Every second node takes the first point, not the nodes of the level below: so it is
/// in CalculiX 2.20.
SETKA_HD inline double wedge2_weight(int node, int point) {
  return node % 2 == point ? 1.1455 : -0.1455;
}

/// 2 points along a fibre: linear.
SETKA_HD inline double fibre_weight(int corner, int point) {
  return (point == 1) == (mesh::detail::corner_x(corner) > 0) ? 1.3660254037844386 : -0.3660254037844386;
}

SETKA_HD inline double tet4_weight(int corner, int point) {
  return corner == point ? 1.92705 : -0.30902;
}

/// The weight of a point's value in a node's: by the cell and its number of points.
template <Element element>
SETKA_HD inline double extrapolation_weight(int node, int point) {
  using mesh::Cell;
  constexpr Cell cell = Solid<element>::cell;
  constexpr int points = Solid<element>::points;
  if constexpr (points == 1) {
    return 1;
  } else if constexpr (cell == Cell::hex8 && points == 8) {
    return hex8_weight(node, point);
  } else if constexpr (element == Element::hex20_fibre) {
    const EdgeEnds ends = hex20_ends(node);
    return (fibre_weight(ends.first, point) + fibre_weight(ends.second, point)) / 2;
  } else if constexpr (cell == Cell::hex20 && (points == 8 || element == Element::hex20_kronrod)) {
    if (point >= 8) return 0;  // beside those of Gauss
    const EdgeEnds ends = hex20_ends(node);
    return (hex8_weight(ends.first, point) + hex8_weight(ends.second, point)) / 2;
  } else if constexpr (cell == Cell::hex20 && points == 27) {
    return hex27_weight(node, point);
  } else if constexpr (cell == Cell::tet10 && points == 4) {
    const EdgeEnds ends = tet10_ends(node);
    return (tet4_weight(ends.first, point) + tet4_weight(ends.second, point)) / 2;
  } else if constexpr (cell == Cell::wedge15 && points == 6) {
    const EdgeEnds ends = wedge15_ends(node);
    return (wedge6_weight(ends.first, point) + wedge6_weight(ends.second, point)) / 2;
  } else if constexpr (cell == Cell::wedge15 && points == 9) {
    const EdgeEnds ends = wedge15_ends(node);
    return (wedge9_weight(ends.first, point) + wedge9_weight(ends.second, point)) / 2;
  } else {
    static_assert(cell == Cell::wedge6 && points == 2, "these points have no weights yet");
    return wedge2_weight(node, point);
  }
}

}  // namespace setka::fem::kernel
