// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/beam_section_forces.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "setka/analysis/small_vectors.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/element_type.hpp"

namespace setka::analysis {
namespace {

using Vector = Vector3;

/// An end of the solid that a beam becomes: its face, and its corners at (-1, 1), (-1, -1), (1, -1), (1, 1)
/// along axes 1 and 2.
struct End {
  int face;
  std::array<std::size_t, 4> corner;
};
constexpr std::array<End, 2> ends{End{5, {0, 3, 7, 4}}, End{3, {1, 2, 6, 5}}};

/// Stress xx yy zz xy xz yz times a vector.
Vector times(const std::array<double, 6>& s, const Vector& n) {
  return {s[0] * n[0] + s[3] * n[1] + s[4] * n[2], s[3] * n[0] + s[1] * n[1] + s[5] * n[2],
          s[4] * n[0] + s[5] * n[1] + s[2] * n[2]};
}

std::array<double, 6> through_end(const Setup& setup, const std::vector<double>& stress, std::int32_t element,
                                  const End& end) {
  const auto e = static_cast<std::size_t>(element);
  std::vector<double> x;
  element_coordinates(setup.solids, element, x);
  const auto nodes = setup.solids.nodes(element);
  Vector center{};
  Vector first{};
  Vector second{};
  constexpr std::array<double, 4> along_first{-1, -1, 1, 1};
  constexpr std::array<double, 4> along_second{1, -1, -1, 1};
  for (std::size_t c = 0; c < 4; ++c) {
    const Vector at{x[3 * end.corner[c]], x[3 * end.corner[c] + 1], x[3 * end.corner[c] + 2]};
    center = plus(center, 0.25, at);
    first = plus(first, along_first[c], at);
    second = plus(second, along_second[c], at);
  }
  first = unit(first);
  const Vector along = unit(cross(first, second));
  second = cross(along, first);
  std::array<double, 6> sum{};
  for (const fem::FacePoint& point : fem::face_points(setup.solids.type[e], end.face, x)) {
    Vector arm = plus({}, -1, center);
    std::array<double, 6> s{};
    for (std::size_t i = 0; i < point.nodes.size(); ++i) {
      const std::size_t local = static_cast<std::uint8_t>(point.nodes[i]);
      arm = plus(arm, point.shape[i], {x[3 * local], x[3 * local + 1], x[3 * local + 2]});
      for (std::size_t k = 0; k < 6; ++k)
        s[k] += point.shape[i] * stress[6 * static_cast<std::size_t>(nodes[local]) + k];
    }
    const Vector force = plus({}, length(point.area), times(s, along));
    const double at_first = dot(arm, first);
    const double at_second = dot(arm, second);
    sum[0] += dot(force, first);
    sum[1] += dot(force, second);
    sum[2] += dot(force, along);
    sum[3] += at_first * dot(force, second) - at_second * dot(force, first);
    sum[4] -= at_first * dot(force, along);
    sum[5] += at_second * dot(force, along);
  }
  return sum;
}

}  // namespace

void put_section_forces(const Setup& setup, const std::vector<double>& stress, std::vector<double>& values) {
  const mesh::Mesh& mesh = setup.model->mesh;
  std::vector<double> count(static_cast<std::size_t>(mesh.node_count()), 0.0);
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    if (model::family(mesh, e) != model::Family::beam) continue;
    const std::array<std::array<double, 6>, 2> at_end{through_end(setup, stress, e, ends[0]),
                                                      through_end(setup, stress, e, ends[1])};
    const auto nodes = mesh.nodes(e);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto node = static_cast<std::size_t>(nodes[i]);
      for (std::size_t k = 0; k < 6; ++k) {
        const double own = i < 2 ? at_end[i][k] : (at_end[0][k] + at_end[1][k]) / 2;
        double& value = values[6 * node + k];
        value = (count[node] == 0 ? 0.0 : value) + own;
      }
      count[node] += 1;
    }
  }
  for (std::size_t n = 0; n < count.size(); ++n) {
    for (std::size_t k = 0; k < 6 && count[n] > 1; ++k) values[6 * n + k] /= count[n];
  }
}

}  // namespace setka::analysis
