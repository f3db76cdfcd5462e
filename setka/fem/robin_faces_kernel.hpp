// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::fem {

/// What a face gives off an area: h (u - sink) + r ((u - zero)^4 - far^4).
struct RobinValues {
  double h = 0;
  double sink = 0;
  double r = 0;
  double far = 0;
};

namespace kernel {

SETKA_HD inline double given_off(const RobinValues& at, double u, double zero) {
  const double warm = (u - zero) * (u - zero);
  const double cold = at.far * at.far;
  return at.h * (u - at.sink) + (at.r != 0 ? at.r * (warm * warm - cold * cold) : 0.0);
}
/// Its change with u.
SETKA_HD inline double slope_of(const RobinValues& at, double u, double zero) {
  const double warm = u - zero;
  return at.h + (at.r != 0 ? 4 * at.r * warm * warm * warm : 0.0);
}

/// Faces one after the other: their nodes, and the area and the shape functions of their points.
struct RobinFacesView {
  const std::int64_t* first_node;   // [faces + 1]
  const std::int64_t* first_point;  // [faces + 1]
  const std::int64_t* first_shape;  // [faces]
  const std::int32_t* face;         // [points]
  const std::int32_t* node;
  const double* area;   // [points]
  const double* shape;  // of each face [points, nodes]

  SETKA_HD std::int64_t nodes(std::int32_t f) const { return first_node[f + 1] - first_node[f]; }
  /// The shape functions of a point of a face.
  SETKA_HD const double* shapes(std::int32_t f, std::int64_t point) const {
    return shape + first_shape[f] + (point - first_point[f]) * nodes(f);
  }
};

/// What each point gives off, or its change with u, times its area.
template <bool slope>
struct RobinPoints {
  RobinFacesView faces;
  const RobinValues* at;  // [faces]
  const double* u;        // [nodes]
  double zero;
  double* value;  // [points]

  SETKA_HD void operator()(std::int64_t point) const {
    const std::int32_t f = faces.face[point];
    const double* const shape = faces.shapes(f, point);
    double here = 0;
    for (std::int64_t i = 0; i < faces.nodes(f); ++i)
      here += shape[i] * u[faces.node[faces.first_node[f] + i]];
    value[point] = faces.area[point] * (slope ? slope_of(at[f], here, zero) : given_off(at[f], here, zero));
  }
};

/// A node of a face.
struct NodeOfFace {
  std::int32_t face;
  std::int32_t at;  // of its nodes
};

/// Sums of points by nodes of faces, in the order of the faces.
struct RobinNodes {
  RobinFacesView faces;
  const std::int32_t* node;    // that have faces
  const std::int64_t* first;   // [those + 1]
  const NodeOfFace* of_faces;  // of each
  const double* value;         // [points]
  double* given;               // [nodes]

  SETKA_HD void operator()(std::int64_t n) const {
    double sum = 0;
    for (std::int64_t i = first[n]; i < first[n + 1]; ++i) {
      const std::int32_t f = of_faces[i].face;
      for (std::int64_t point = faces.first_point[f]; point < faces.first_point[f + 1]; ++point)
        sum += value[point] * faces.shapes(f, point)[of_faces[i].at];
    }
    given[node[n]] = sum;
  }
};

/// What a product of two shape functions of a face adds to an entry of a matrix.
struct RobinShare {
  std::int32_t face;
  std::int16_t a;  // of its nodes
  std::int16_t b;
  double coefficient;
};

/// Entries of the matrix that is the change with u.
struct RobinEntries {
  RobinFacesView faces;
  const std::int64_t* first;  // [entries + 1]
  const RobinShare* share;
  const double* slope;  // [points]
  double* entry;

  SETKA_HD void operator()(std::int64_t e) const {
    double sum = 0;
    for (std::int64_t i = first[e]; i < first[e + 1]; ++i) {
      const RobinShare& own = share[i];
      double product = 0;
      for (std::int64_t point = faces.first_point[own.face]; point < faces.first_point[own.face + 1];
           ++point) {
        const double* const shape = faces.shapes(own.face, point);
        product += slope[point] * shape[own.a] * shape[own.b];
      }
      sum += own.coefficient * product;
    }
    entry[e] = sum;
  }
};

}  // namespace kernel
}  // namespace setka::fem
