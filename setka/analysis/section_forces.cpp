// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/section_forces.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "setka/analysis/small_vectors.hpp"
#include "setka/fem/element.hpp"

namespace setka::analysis {
namespace {

using Vector = Vector3;

void add(Vector& to, const Vector& a, double factor = 1) {
  for (std::size_t i = 0; i < 3; ++i) to[i] += factor * a[i];
}

/// Stress xx yy zz xy xz yz times a vector.
Vector times(const std::array<double, 6>& s, const Vector& n) {
  return {s[0] * n[0] + s[3] * n[1] + s[4] * n[2], s[3] * n[0] + s[1] * n[1] + s[5] * n[2],
          s[4] * n[0] + s[5] * n[1] + s[2] * n[2]};
}

/// What is left of a without its part along n; CalculiX takes n as it is, even where a bent surface makes it
/// shorter than 1.
double size_across(Vector a, const Vector& n, double along) {
  add(a, n, -along);
  return std::sqrt(dot(a, a));
}

void add_face(const Setup& setup, const std::vector<double>& stress, const model::ElementFace& face,
              model::SectionForces& sum) {
  const auto e = static_cast<std::size_t>(face.element);
  std::vector<double> x;
  element_coordinates(setup.solids, face.element, x);
  const auto nodes = setup.solids.nodes(face.element);
  for (const fem::FacePoint& point :
       fem::face_points(setup.solids.type[e], face.face + setup.solids.first_face[e], x)) {
    Vector place{};
    std::array<double, 6> s{};
    for (std::size_t i = 0; i < point.nodes.size(); ++i) {
      const std::size_t local = static_cast<std::uint8_t>(point.nodes[i]);
      const auto node = static_cast<std::size_t>(nodes[local]);
      for (std::size_t k = 0; k < 3; ++k) place[k] += point.shape[i] * x[3 * local + k];
      for (std::size_t k = 0; k < 6; ++k) s[k] += point.shape[i] * stress[6 * node + k];
    }
    const Vector force = times(s, point.area);
    const double area = std::sqrt(dot(point.area, point.area));
    add(sum.force, force);
    add(sum.moment, cross(place, force));
    add(sum.center, place, area);
    add(sum.normal, point.area);
    sum.area += area;
  }
}

}  // namespace

model::SectionForces section_forces(const Setup& setup, const std::vector<double>& stress,
                                    std::int32_t surface) {
  model::SectionForces section;
  section.surface = surface;
  for (const model::ElementFace& face : setup.model->surfaces[static_cast<std::size_t>(surface)].faces)
    add_face(setup, stress, face, section);
  if (section.area == 0) return section;
  for (std::size_t i = 0; i < 3; ++i) {
    section.center[i] /= section.area;
    section.normal[i] /= section.area;
  }
  section.moment_about_center = section.moment;
  add(section.moment_about_center, cross(section.center, section.force), -1);
  section.normal_force = dot(section.force, section.normal);
  section.shear_force = size_across(section.force, section.normal, section.normal_force);
  section.torque = dot(section.moment_about_center, section.normal);
  section.bending_moment = size_across(section.moment_about_center, section.normal, section.torque);
  return section;
}

}  // namespace setka::analysis
