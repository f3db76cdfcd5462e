// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/shell_axes.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "setka/mesh/shape_functions_kernel.hpp"

namespace setka::model {
namespace {

using mesh::Cell;
using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector unit(const Vector& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

struct Centre {
  Vector place{};
  Vector normal{};  // of unit length
};

template <Cell cell>
Centre centre_of(const mesh::Mesh& mesh, std::int32_t element) {
  using Functions = mesh::ShapeFunctions<cell>;
  constexpr bool triangle = cell == Cell::tri3 || cell == Cell::tri6;
  constexpr auto nodes = static_cast<std::size_t>(Functions::nodes);
  const std::array<double, 2> r{triangle ? 1.0 / 3 : 0.0, triangle ? 1.0 / 3 : 0.0};
  std::array<double, nodes> value{};
  std::array<double, 2 * nodes> slope{};
  Functions::values(r.data(), value.data());
  Functions::gradients(r.data(), slope.data());
  Centre centre;
  std::array<Vector, 2> tangent{};
  const auto own = mesh.nodes(element);
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto x = mesh.coordinates(own[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      centre.place[k] += value[i] * x[k];
      tangent[0][k] += slope[2 * i] * x[k];
      tangent[1][k] += slope[2 * i + 1] * x[k];
    }
  }
  centre.normal = unit(cross(tangent[0], tangent[1]));
  return centre;
}

Centre centre_of(const mesh::Mesh& mesh, std::int32_t element) {
  switch (mesh.cell(element)) {
    case Cell::tri3:
      return centre_of<Cell::tri3>(mesh, element);
    case Cell::tri6:
      return centre_of<Cell::tri6>(mesh, element);
    case Cell::quad4:
      return centre_of<Cell::quad4>(mesh, element);
    default:
      return centre_of<Cell::quad8>(mesh, element);
  }
}

}  // namespace

Axes shell_axes(const mesh::Mesh& mesh, std::int32_t element, const LocalSystem* system) {
  const Centre centre = centre_of(mesh, element);
  const Axes given = system == nullptr ? Axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
                                       : axes_at(*system, std::span<const double, 3>(centre.place));
  constexpr double along = 0.999998;  // cosine of 0.1 degrees
  const bool upright = std::abs(dot(given[0], centre.normal)) > along;
  Vector first = given[upright ? 2 : 0];
  const double across = dot(first, centre.normal);
  for (std::size_t k = 0; k < 3; ++k) first[k] -= across * centre.normal[k];
  first = unit(first);
  return {first, cross(centre.normal, first), centre.normal};
}

}  // namespace setka::model
