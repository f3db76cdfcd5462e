// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/beam_section_forces.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// The middle of an end of the beam, and directions of axis 1, axis 2 and its line there.
struct Section {
  Vector center{};
  Vector first{};
  Vector second{};
  Vector along{};
};

Section section_at(const Setup& setup, std::int32_t element, const End& end) {
  const auto nodes = setup.solids.loaded_nodes(element);
  Section section;
  constexpr std::array<double, 4> along_first{-1, -1, 1, 1};
  constexpr std::array<double, 4> along_second{1, -1, -1, 1};
  for (std::size_t c = 0; c < 4; ++c) {
    const double* const x =
        setup.solids.coordinates.data() + 3 * static_cast<std::size_t>(nodes[end.corner[c]]);
    const Vector at{x[0], x[1], x[2]};
    section.center = plus(section.center, 0.25, at);
    section.first = plus(section.first, along_first[c], at);
    section.second = plus(section.second, along_second[c], at);
  }
  section.first = unit(section.first);
  section.along = unit(cross(section.first, section.second));
  section.second = cross(section.along, section.first);
  return section;
}

/// What one solid, the whole of the beam or a fibre of it, takes through its end.
void add_solid(const Setup& setup, const std::vector<double>& stress, std::int32_t solid, const End& end,
               const Section& section, std::array<double, 6>& sum) {
  std::vector<double> x;
  element_coordinates(setup.solids, solid, x);
  const auto nodes = setup.solids.nodes(solid);
  for (const fem::FacePoint& point :
       fem::face_points(setup.solids.type[static_cast<std::size_t>(solid)], end.face, x)) {
    Vector arm = plus({}, -1, section.center);
    std::array<double, 6> s{};
    for (std::size_t i = 0; i < point.nodes.size(); ++i) {
      const std::size_t local = static_cast<std::uint8_t>(point.nodes[i]);
      arm = plus(arm, point.shape[i], {x[3 * local], x[3 * local + 1], x[3 * local + 2]});
      for (std::size_t k = 0; k < 6; ++k)
        s[k] += point.shape[i] * stress[6 * static_cast<std::size_t>(nodes[local]) + k];
    }
    const Vector force = plus({}, length(point.area), times(s, section.along));
    const double at_first = dot(arm, section.first);
    const double at_second = dot(arm, section.second);
    sum[0] += dot(force, section.first);
    sum[1] += dot(force, section.second);
    sum[2] += dot(force, section.along);
    sum[3] += at_first * dot(force, section.second) - at_second * dot(force, section.first);
    sum[4] -= at_first * dot(force, section.along);
    sum[5] += at_second * dot(force, section.along);
  }
}

std::array<double, 6> through_end(const Setup& setup, const std::vector<double>& stress, std::int32_t element,
                                  const End& end) {
  const Section section = section_at(setup, element, end);
  std::array<double, 6> sum{};
  add_solid(setup, stress, element, end, section, sum);
  const auto [first, last] = setup.solids.further_parts(element);
  for (std::int32_t part = first; part < last; ++part) add_solid(setup, stress, part, end, section, sum);
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
