// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>

#include "setka/fem/element.hpp"
#include "setka/fem/elements.hpp"
#include "setka/model/element_type.hpp"

namespace setka::fem {
namespace {

using mesh::Cell;
using model::Family;
using model::is_plane;

constexpr std::size_t most_nodes = 20;

/// An element's nodes, [n, 3]; of a plane element those of a layer from z = -1 to z = 1, whose det(dx/dr) is
/// that of the plane.
class Coordinates {
 public:
  Coordinates(const mesh::Mesh& mesh, std::int32_t element) {
    const auto nodes = mesh.nodes(element);
    if (!is_plane(model::family(mesh, element))) {
      for (const std::int32_t node : nodes) add(mesh, node, mesh.coordinates(node)[2]);
      return;
    }
    const auto corners = static_cast<std::size_t>(mesh::face_count(mesh.cell(element)));
    const auto level = [&](std::size_t first, std::size_t last, double z) {
      for (std::size_t i = first; i < last; ++i) add(mesh, nodes[i], z);
    };
    level(0, corners, -1);
    level(0, corners, 1);
    if (nodes.size() == corners) return;
    level(corners, nodes.size(), -1);
    level(corners, nodes.size(), 1);
    level(0, corners, 0);
  }

  std::span<const double> values() const { return {values_.data(), size_}; }

 private:
  void add(const mesh::Mesh& mesh, std::int32_t node, double z) {
    const auto x = mesh.coordinates(node);
    values_[size_++] = x[0];
    values_[size_++] = x[1];
    values_[size_++] = z;
  }

  std::array<double, 3 * most_nodes> values_{};
  std::size_t size_ = 0;
};

struct Edges {
  double shortest = std::numeric_limits<double>::infinity();
  double longest = 0;
};

Edges edges_of(const mesh::Mesh& mesh, std::int32_t element) {
  const Cell cell = mesh.cell(element);
  const auto nodes = mesh.nodes(element);
  Edges edges;
  for (int f = 0; f < mesh::face_count(cell); ++f) {
    const Cell face = mesh::face_cell(cell, f);
    const auto around = mesh::face_nodes(cell, f);
    // A face of a plane element is an edge; the corners of a face come first in it.
    const std::size_t corners =
        mesh::dimension(face) == 1 ? 2 : static_cast<std::size_t>(mesh::face_count(face));
    for (std::size_t i = 0; i < corners; ++i) {
      const auto a = mesh.coordinates(nodes[static_cast<std::size_t>(around[i])]);
      const auto b = mesh.coordinates(nodes[static_cast<std::size_t>(around[(i + 1) % corners])]);
      const double length = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      edges.shortest = std::min(edges.shortest, length);
      edges.longest = std::max(edges.longest, length);
    }
  }
  return edges;
}

bool is_bar(Family family) {
  return family == Family::truss || model::is_spring(family);
}

double length_of(const mesh::Mesh& mesh, std::int32_t element) {
  const auto nodes = mesh.nodes(element);
  const auto a = mesh.coordinates(nodes.front());
  const auto b = mesh.coordinates(nodes.back());
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

bool beyond_axis(const mesh::Mesh& mesh, std::int32_t element, double rounding) {
  if (model::family(mesh, element) != Family::axisymmetric) return false;
  return std::ranges::any_of(mesh.nodes(element),
                             [&](std::int32_t node) { return mesh.coordinates(node)[0] < -rounding; });
}

ShapeFault fault_of(const JacobianRange& range, double rounding) {
  if (range.least > 0) return range.most > rounding ? ShapeFault::none : ShapeFault::flat;
  if (range.most > rounding) return range.least < -rounding ? ShapeFault::folded : ShapeFault::pinched;
  return range.least < -rounding ? ShapeFault::inside_out : ShapeFault::flat;
}

/// The type with the same nodes whose points integrate the volume exactly, where there is one.
Element fully_integrated(Element type) {
  return find_solid(cell_of(type), model::Integration::full).value_or(type);
}

}  // namespace

std::string_view in_words(ShapeFault fault) {
  switch (fault) {
    case ShapeFault::inside_out:
      return "inside out";
    case ShapeFault::folded:
      return "folded";
    case ShapeFault::flat:
      return "flat";
    case ShapeFault::pinched:
      return "flat at a corner";
    case ShapeFault::beyond_axis:
      return "beyond the axis, at a negative radius";
    case ShapeFault::no_length:
      return "without length";
    case ShapeFault::none:
      break;
  }
  return "";
}

ElementShape element_shape(const mesh::Mesh& mesh, std::int32_t element) {
  const model::ElementType type = model::element_type(mesh, element);
  if (is_bar(type.family)) {
    ElementShape bar;
    if (type.family != Family::spring && length_of(mesh, element) == 0) bar.fault = ShapeFault::no_length;
    return bar;
  }
  const Coordinates x(mesh, element);
  const JacobianRange range = jacobian_range(element_of(type), x.values());
  const Edges edges = edges_of(mesh, element);
  const double size = std::pow(edges.longest, mesh::dimension(type.cell));
  ElementShape shape;
  shape.fault = beyond_axis(mesh, element, flat_share * edges.longest) ? ShapeFault::beyond_axis
                                                                       : fault_of(range, flat_share * size);
  shape.least_jacobian = range.least;
  shape.jacobian_ratio = range.most > 0 ? range.least / range.most : 0;
  shape.scaled_jacobian = range.scaled;
  shape.aspect_ratio =
      edges.shortest > 0 ? edges.longest / edges.shortest : std::numeric_limits<double>::infinity();
  return shape;
}

ElementMeasure element_measure(const mesh::Mesh& mesh, std::int32_t element, double thickness) {
  const Family family = model::family(mesh, element);
  if (is_bar(family)) {
    ElementMeasure bar;
    if (model::is_spring(family)) return bar;
    bar.volume = thickness * length_of(mesh, element);
    for (const std::int32_t node : mesh.nodes(element)) {
      for (std::size_t c = 0; c < 3; ++c) bar.moment[c] += bar.volume * mesh.coordinates(node)[c] / 2;
    }
    return bar;
  }
  const Element type = fully_integrated(element_of(model::element_type(mesh, element)));
  const Coordinates x(mesh, element);
  const auto points = static_cast<std::size_t>(point_count(type));
  constexpr std::size_t most_points = 27;
  std::array<double, most_points> volumes{};
  std::array<double, 3 * most_points> places{};
  point_volumes(type, x.values(), std::span(volumes).first(points));
  point_coordinates(type, x.values(), std::span(places).first(3 * points));
  ElementMeasure measure;
  for (std::size_t p = 0; p < points; ++p) {
    std::array<double, 3> at{places[3 * p], places[3 * p + 1], places[3 * p + 2]};
    double volume = volumes[p];
    if (family == Family::axisymmetric) {
      volume *= std::numbers::pi * at[0];  // half the layer, times the way round
      at = {0, at[1], 0};
    } else if (is_plane(family)) {
      volume *= thickness / 2;
      at[2] = mesh.coordinates(mesh.nodes(element)[0])[2];
    }
    measure.volume += volume;
    for (std::size_t c = 0; c < 3; ++c) measure.moment[c] += volume * at[c];
  }
  return measure;
}

}  // namespace setka::fem
