// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/fem/element_shape.hpp"
#include "setka/mesh/mesh.hpp"

namespace setka::analysis {

/// An element and a number that says how bad it is.
struct RatedElement {
  std::int32_t element;
  double value;
};

/// Elements that can be computed, but beyond a limit where results near them suffer.
struct PoorElements {
  std::string_view measure;  // "aspect ratio"
  bool above = false;        // whether poor is above the limit, or below it
  double limit = 0;
  std::int64_t count = 0;
  std::vector<RatedElement> worst;  // the worst few, the worst first
};

/// Aspect ratio and ratio of Jacobians are those at which Ansys warns; a scaled Jacobian of 0.1 is a corner
/// of about 6 degrees.
inline constexpr double most_aspect_ratio = 20;
inline constexpr double least_jacobian_ratio = 1.0 / 30;
inline constexpr double least_scaled_jacobian = 0.1;

struct ShapeSurvey {
  std::vector<fem::RatedShape> bad;  // elements that cannot be computed, in the order of the mesh
  std::array<PoorElements, 3> poor;  // by aspect ratio, ratio of Jacobians, scaled Jacobian; without the bad
};

/// The shapes of all elements.
ShapeSurvey survey_shapes(const mesh::Mesh& mesh, Monitor& monitor);

/// Elements that cannot be computed: what a run refuses a model for.
class BadElements : public Error {
 public:
  BadElements(const mesh::Mesh& mesh, std::vector<fem::RatedShape> elements);
  const std::vector<fem::RatedShape>& elements() const { return elements_; }

 private:
  std::vector<fem::RatedShape> elements_;
};

/// "element 5 (C3D8) is inside out", "3 elements have no proper shape: 5 (C3D8) is inside out, 7 ..."
std::string bad_elements_text(const mesh::Mesh& mesh, const std::vector<fem::RatedShape>& bad);

/// "aspect ratio: 4 elements above 20, the worst first: 17 (31.2), ..."
std::string poor_elements_text(const mesh::Mesh& mesh, const PoorElements& poor);

}  // namespace setka::analysis
