// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/membrane_twist.hpp"

#include <cstddef>
#include <span>

#include "setka/analysis/small_vectors.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

std::vector<Vector3> places_of(const mesh::Mesh& mesh, std::int32_t element) {
  std::vector<Vector3> places;
  for (const std::int32_t node : mesh.nodes(element)) {
    const auto x = mesh.coordinates(node);
    places.push_back({x[0], x[1], x[2]});
  }
  return places;
}

/// A rotation about the normal at the centre.
std::vector<Vector3> spin(std::span<const Vector3> x) {
  const Vector3 normal = unit(cross(plus(x[1], -1, x[0]), plus(x[2], -1, x[0])));
  Vector3 center{};
  for (const Vector3& place : x) center = plus(center, 1.0 / static_cast<double>(x.size()), place);
  std::vector<Vector3> moved;
  for (const Vector3& place : x) moved.push_back(cross(normal, plus(place, -1, center)));
  return moved;
}

/// n x x_s r (s^2 - 1/3) + n x x_r s (r^2 - 1/3), with the tangents x_r and x_s at the centre: zero at the
/// points r, s = -1/sqrt 3, 1/sqrt 3, and without strain there.
std::vector<Vector3> hourglass(std::span<const Vector3> x) {
  const Vector3 along_r = plus(x[5], -1, x[7]);
  const Vector3 along_s = plus(x[6], -1, x[4]);
  const Vector3 normal = unit(cross(along_r, along_s));
  const Vector3 of_r = cross(normal, along_s);
  const Vector3 of_s = cross(normal, along_r);
  static constexpr std::array<std::array<double, 2>, 8> place{
      {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
  std::vector<Vector3> moved;
  for (const auto& [r, s] : place) {
    const Vector3 first = plus({}, r * (s * s - 1.0 / 3), of_r);
    moved.push_back(plus(first, s * (r * r - 1.0 / 3), of_s));
  }
  return moved;
}

}  // namespace

std::vector<Vector3> membrane_twist(const mesh::Mesh& mesh, std::int32_t element) {
  const model::ElementType type = model::element_type(mesh, element);
  if (type.family != model::Family::membrane) return {};
  if (type.cell == mesh::Cell::tri3) return spin(places_of(mesh, element));
  if (type.cell == mesh::Cell::quad8 && type.integration == model::Integration::reduced)
    return hourglass(places_of(mesh, element));
  return {};
}

}  // namespace setka::analysis
