// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/surface_normals.hpp"

#include <array>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"

namespace setka::mesh {
namespace {

template <Cell cell>
void normals_of(std::span<const double> x, std::span<double> normals) {
  using Shape = ShapeFunctions<cell>;
  std::array<double, 2> r{};
  std::array<double, 2 * Shape::nodes> slope{};
  for (int node = 0; node < Shape::nodes; ++node) {
    Shape::node(node, r.data());
    Shape::gradients(r.data(), slope.data());
    std::array<std::array<double, 3>, 2> tangent{};
    for (std::size_t i = 0; i < Shape::nodes; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        tangent[0][k] += slope[2 * i] * x[3 * i + k];
        tangent[1][k] += slope[2 * i + 1] * x[3 * i + k];
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const std::size_t m = (k + 2) % 3;
      normals[3 * static_cast<std::size_t>(node) + k] =
          tangent[0][l] * tangent[1][m] - tangent[0][m] * tangent[1][l];
    }
  }
}

}  // namespace

void surface_normals(Cell cell, std::span<const double> x, std::span<double> normals) {
  switch (cell) {
    case Cell::tri3:
      return normals_of<Cell::tri3>(x, normals);
    case Cell::tri6:
      return normals_of<Cell::tri6>(x, normals);
    case Cell::quad4:
      return normals_of<Cell::quad4>(x, normals);
    case Cell::quad8:
      return normals_of<Cell::quad8>(x, normals);
    default:
      throw Error(Fault::usage, fmt::format("surface_normals: a {} is no surface", name(cell)),
                  "surfaces are tri3, tri6, quad4 and quad8");
  }
}

}  // namespace setka::mesh
