// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/element_moments_kernel.hpp"
#include "setka/fem/solid_kernel.hpp"

namespace setka::fem::kernel {

enum class MatrixKind { stiffness, mass };

/// One element by the functions of its type, whatever its formulation; for loops over the elements of a
/// group.
template <Element type, MatrixKind kind>
struct IntegrateWhole {
  ElementGroupView group;
  double* out;  // [blocks, entries, 32]

  SETKA_HD void operator()(std::int64_t e) const {
    using Own = Solid<type>;
    constexpr int rows = 3 * Own::nodes;
    const std::int64_t block = e / block_lanes;
    const int lane = static_cast<int>(e % block_lanes);
    double x[rows];
    const NodeCoordinates from{group.node + interleaved(block, Own::nodes, 0, lane), group.coordinates};
    for (int i = 0; i < rows; ++i) x[i] = from[i];
    const int rows_of_material = group.varies ? Own::points : 1;
    const auto material = [&](int p) {
      return std::int64_t{group.material[interleaved(block, rows_of_material, group.varies ? p : 0, lane)]};
    };
    double d[36 * Own::points];
    for (int i = 0; i < 36 * Own::points; ++i)
      d[i] = group.d != nullptr ? group.d[36 * material(i / 36) + i % 36] : 0.0;
    double k[rows * rows];
    if constexpr (kind == MatrixKind::stiffness) {
      Own::stiffness(x, d, k);
    } else {
      Own::mass(x, group.density[material(0)], d, k);
    }
    for (int i = 0; i < rows; ++i) {
      for (int j = i; j < rows; ++j) {
        out[interleaved(block, triangle_size(rows), triangle_entry(rows, i, j), lane)] = k[i * rows + j];
      }
    }
  }
};

/// Where the block of nodes (a, b) goes in the triangle: calls put(entry, i, j) for each of its entries that
/// is stored. m: directions a node.
template <int m, class Put>
SETKA_HD inline void for_block_entries(int nodes, NodePair pair, const Put& put) {
  SETKA_UNROLL
  for (int i = 0; i < m; ++i) {
    SETKA_UNROLL
    for (int j = 0; j < m; ++j) {
      if (pair.a == pair.b && j < i) continue;
      put(triangle_entry(m * nodes, m * pair.a + i, m * pair.b + j), i, j);
    }
  }
}

/// g: [nodes, 2] in the plane, of a quadrilateral; x: [nodes, 2]; returns det(dx/dr).
template <int nodes, class Real>
SETKA_HD inline Real map_plane_gradients(const Real* x, const double* dn, Real* g) {
  Real j[4] = {0, 0, 0, 0};
  for (int i = 0; i < nodes; ++i) {
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) j[2 * a + b] += dn[2 * i + a] * x[2 * i + b];
    }
  }
  const Real determinant = j[0] * j[3] - j[1] * j[2];
  const Real s = 1 / determinant;
  for (int i = 0; i < nodes; ++i) {
    const double* const at = row<2>(dn, i);
    Real* const to = row<2>(g, i);
    to[0] = (j[3] * at[0] - j[1] * at[1]) * s;
    to[1] = (j[0] * at[1] - j[2] * at[0]) * s;
  }
  return determinant;
}

/// k: [36], the triangle of a plane quadrilateral; x: [4, 2]; d: [36].
template <class D, class Real>
SETKA_HD inline void quad_stiffness(const Real* x, const D& d, const ReferenceView& reference, Real* k) {
  constexpr int nodes = PlaneQuad::nodes;
  constexpr int rows = 2 * nodes;
  Real moments[triangle_size(rows)] = {};
  for (int p = 0; p < PlaneQuad::points; ++p) {
    Real g[rows];
    const Real w = reference.weights[p] * map_plane_gradients<nodes>(x, row<rows>(reference.gradients, p), g);
    SETKA_UNROLL
    for (int i = 0; i < rows; ++i) {
      const Real h = w * g[i];
      SETKA_UNROLL
      for (int j = i; j < rows; ++j) moments[triangle_entry(rows, i, j)] += h * g[j];
    }
  }
  SETKA_UNROLL
  for (int a = 0; a < nodes; ++a) {
    SETKA_UNROLL
    for (int b = a; b < nodes; ++b) {
      Real s[4];
      Real block[4];
      SETKA_UNROLL
      for (int i = 0; i < 2; ++i) {
        SETKA_UNROLL
        for (int j = 0; j < 2; ++j) {
          const int row = 2 * a + i;
          const int column = 2 * b + j;
          s[2 * i + j] =
              moments[row <= column ? triangle_entry(rows, row, column) : triangle_entry(rows, column, row)];
        }
      }
      block_from_moments<2>(s, d, block);
      for_block_entries<2>(nodes, {a, b}, [&](int entry, int i, int j) { k[entry] = block[2 * i + j]; });
    }
  }
}

}  // namespace setka::fem::kernel

namespace setka::fem {

enum class IntegrationLevel;

/// Kernels for elasticity and mass of solids, and elasticity of quad4, with one material an element (one a
/// point where the formulation is the element's own), on the device of the stream: what Form takes where it
/// can. K = sum over points of B^T D B w, as fem::stiffness() has it, and the consistent mass of fem::mass().
void integrate_stiffness(const exec::Stream& stream, Element element, const ElementGroupView& group,
                         IntegrationLevel level, double* k);
void integrate_mass(const exec::Stream& stream, Element element, const ElementGroupView& group, double* m);

}  // namespace setka::fem

namespace setka::fem::cuda {

// Defined in the .cu files.
void integrate_stiffness(const exec::Stream& stream, Element element, const ElementGroupView& group,
                         double* k);
void integrate_mass(const exec::Stream& stream, Element element, const ElementGroupView& group, double* m);

/// Level I: a thread computes a whole hex8.
void integrate_hexa_by_elements(const exec::Stream& stream, const ElementGroupView& group, double* k);
void integrate_quads(const exec::Stream& stream, const ElementGroupView& group, double* k);

/// Levels II and IIa: so many elements a block.
void integrate_hexa_by_points(const exec::Stream& stream, const ElementGroupView& group,
                              int elements_per_block, double* k);
void integrate_quads_by_points(const exec::Stream& stream, const ElementGroupView& group,
                               int elements_per_block, double* k);

}  // namespace setka::fem::cuda
