// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "setka/mesh/cell.hpp"
#include "setka/mesh/mesh.hpp"

namespace setka::mesh {

/// A face by itself: three, four, six or eight nodes of a mesh.
struct SurfaceFace {
  Cell cell;
  std::int32_t node_count;
  std::array<std::int32_t, 8> nodes;  // as many as the cell has
};

/// A face of a solid element, from 0.
SurfaceFace surface_face(const Mesh& mesh, std::int32_t element, int face);

/// The mean length of its edges, from corner to corner.
double mean_edge(const Mesh& mesh, const SurfaceFace& face);

/// A point of a face: where it is, and the shape functions of the face's nodes there, whose sum is one.
struct FacePlace {
  std::int32_t face;  // into those of the search
  std::array<double, 8> weight;
  std::array<double, 3> place;
  double distance;  // from the point that was asked for
};

/// Finds the nearest point of a surface. Faces lie in a tree of boxes, so that a point costs the logarithm of
/// the number of faces; curved faces are met where they curve. The mesh must outlive it.
class FaceSearch {
 public:
  FaceSearch(const Mesh& mesh, std::vector<SurfaceFace> faces);

  const SurfaceFace& face(std::int32_t position) const { return faces_[static_cast<std::size_t>(position)]; }

  /// None where all faces are farther away than `within`.
  std::optional<FacePlace> nearest(std::span<const double, 3> point, double within) const;

 private:
  struct Box {
    std::array<double, 3> least;
    std::array<double, 3> most;
    double distance(std::span<const double, 3> point) const;
  };
  struct Branch {
    Box box;
    std::int32_t first;      // into order_
    std::int32_t last;       // one past
    std::int32_t other = 0;  // the second child, after the first one and all below it; 0: a leaf
  };
  std::int32_t add_branch(std::span<const Box> boxes, std::int32_t first, std::int32_t last);

  const Mesh& mesh_;
  std::vector<SurfaceFace> faces_;
  std::vector<std::int32_t> order_;  // faces, those of a branch together
  std::vector<Branch> branches_;     // the first one is the root
};

}  // namespace setka::mesh
