// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "setka/mesh/mesh.hpp"

/// Shapes and sizes of the elements of a mesh. Plane elements are judged in their plane: their thickness is
/// no matter of shape, and neither is the edge that an axisymmetric layer has on the axis. Of trusses and
/// springs only the length counts, and that of SPRING1 and SPRING2 does not.
namespace setka::fem {

/// Why an element cannot be computed.
enum class ShapeFault : std::uint8_t {
  none,
  inside_out,   // its nodes run the wrong way
  folded,       // inside out in one place and not in another
  flat,         // no volume at all
  pinched,      // no volume at a corner or a point
  beyond_axis,  // axisymmetric, with a node at a negative radius
  no_length,    // a truss or a spring whose two nodes are in one place
};

/// "inside out", "flat at a corner"; empty for none.
std::string_view in_words(ShapeFault fault);

struct ElementShape {
  ShapeFault fault = ShapeFault::none;
  double least_jacobian = 0;  // det(dx/dr) at integration points and corners; of plane elements, in the plane
  double jacobian_ratio = 1;  // least over greatest of those; 1: the element is nowhere distorted
  double scaled_jacobian = 1;  // JacobianRange::scaled
  double aspect_ratio = 1;     // longest over shortest edge, from corner to corner
};

/// An element of a mesh with its shape.
struct RatedShape {
  std::int32_t element;
  ElementShape shape;
};

/// Volumes below this share of the longest edge's cube (of plane elements, areas of its square) are rounding.
inline constexpr double flat_share = 1e-12;

ElementShape element_shape(const mesh::Mesh& mesh, std::int32_t element);

/// Volume, and volume times centre. Plane elements have the thickness given, trusses that area, springs
/// nothing; axisymmetric ones are the whole ring. By full integration, whatever the element type; negative
/// where the element is inside out.
struct ElementMeasure {
  double volume = 0;
  std::array<double, 3> moment{};
};
ElementMeasure element_measure(const mesh::Mesh& mesh, std::int32_t element, double thickness);

}  // namespace setka::fem
