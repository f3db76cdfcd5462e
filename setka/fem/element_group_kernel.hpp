// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/mesh/quadrature_kernel.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"

/// How kernels see a group of elements of one type and its element matrices.
///
/// Elements lie in blocks of 32, the elements of a block side by side in the innermost index: a warp that
/// takes a block, or a vector register that takes a part of it, reads neighbouring words. The last block is
/// filled up with copies of the last element.
namespace setka::fem {

inline constexpr int block_lanes = 32;

/// Of a set, at most: kernels that look through all groups get them by value. All solids with three laws.
inline constexpr int max_groups = 27;

/// Shape functions at the integration points of the reference element.
struct ReferenceView {
  const double* gradients;  // [points, nodes, dimension]
  const double* values;     // [points, nodes]
  const double* weights;    // [points]
};

/// Elements of one type. Those of a set have no materials: a form adds them.
struct ElementGroupView {
  std::int64_t blocks;
  const std::int32_t* node;   // [blocks, nodes, 32]
  const double* coordinates;  // [mesh nodes, 3]
  ReferenceView reference;
  const std::int32_t* material = nullptr;  // [blocks, 32], or [blocks, points, 32]
  const double* d = nullptr;               // [materials, 36]
  const double* lame = nullptr;     // [materials, 2], lambda and mu; null unless all materials are isotropic
  const double* density = nullptr;  // [materials]
  bool varies = false;              // whether each point has a material
};

/// Entry (i, j), i <= j, of the upper triangle of a matrix of that many rows, stored row by row.
SETKA_HD constexpr int triangle_entry(int rows, int i, int j) {
  return i * (2 * rows - i - 1) / 2 + j;
}
SETKA_HD constexpr int triangle_size(int rows) {
  return rows * (rows + 1) / 2;
}

/// Where value number `entry` of an element is, of so many an element: [blocks, entries, 32].
SETKA_HD constexpr std::int64_t interleaved(std::int64_t block, int entries, int entry, int lane) {
  return (block * entries + entry) * block_lanes + lane;
}

/// Numbers of components of the fields that elements compute with: one, and as many as an element has
/// dimensions. Kernels are made for each of them.
#define SETKA_FIELD_COMPONENTS(X) X(1) X(2) X(3)

/// Element vectors have a value for each component of each node of each element, [blocks, nodes, components,
/// 32] a group. A slot is the place of a node of an element in one of a single component.
SETKA_HD constexpr std::int64_t slot_row(std::int64_t slot, int components, int component) {
  return (slot / block_lanes * components + component) * block_lanes + slot % block_lanes;
}

namespace kernel {

/// The plane quadrilateral with four nodes and 2 x 2 points, two directions a node, of unit
/// thickness. D acts through its rows and columns xx, yy and xy.
struct PlaneQuad {
  using Functions = mesh::ShapeFunctions<mesh::Cell::quad4>;
  using Points = mesh::GaussQuad<2>;
  static constexpr int nodes = 4;
  static constexpr int points = 4;
};

/// The coordinates of an element's nodes, [nodes, dimension], where they are.
struct NodeCoordinates {
  const std::int32_t* node;  // of this element, each 32 after the other
  const double* coordinates;

  SETKA_HD double operator[](int k) const {
    return coordinates[3 * std::int64_t{*mesh::row<block_lanes>(node, k / 3)} + k % 3];
  }
};

/// Values of which one element's are `stride` apart.
struct Strided {
  double* data;
  int stride;
  SETKA_HD double& operator[](int i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

}  // namespace kernel
}  // namespace setka::fem
