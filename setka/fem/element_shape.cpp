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
#include "setka/mesh/surface_normals.hpp"
#include "setka/model/element_type.hpp"

namespace setka::fem {
namespace {

using mesh::Cell;
using model::Family;
using model::is_plane;

constexpr std::size_t most_nodes = 20;

/// Half the thickness of a surface whose shape is looked at, over the longest side of its box: thin enough
/// for curved ones.
constexpr double thin = 1e-3;

/// An element's nodes, [n, 3]; of a plane element those of a layer from z = -1 to z = 1, whose det(dx/dr) is
/// that of the plane; of a shell or membrane those of a thin one along its normals.
class Coordinates {
 public:
  Coordinates(const mesh::Mesh& mesh, std::int32_t element) {
    const auto nodes = mesh.nodes(element);
    const Family family = model::family(mesh, element);
    const bool surface = model::is_surface(family);
    if (!is_plane(family) && !surface) {
      for (const std::int32_t node : nodes) add(mesh, node, mesh.coordinates(node)[2]);
      return;
    }
    if (surface) set_normals(mesh, element);
    const auto corners = static_cast<std::size_t>(mesh::face_count(mesh.cell(element)));
    const auto level = [&](std::size_t first, std::size_t last, double z) {
      for (std::size_t i = first; i < last; ++i) {
        if (surface)
          add_along_normal(mesh, nodes[i], i, z);
        else
          add(mesh, nodes[i], z);
      }
    };
    level(0, corners, -1);
    level(0, corners, 1);
    if (nodes.size() == corners) return;
    level(corners, nodes.size(), -1);
    level(corners, nodes.size(), 1);
    level(0, corners, 0);
  }

  std::span<const double> values() const { return {values_.data(), size_}; }

  /// det(dx/dr) over that of the plane or the surface.
  double scale() const { return half_thickness_; }

 private:
  void set_normals(const mesh::Mesh& mesh, std::int32_t element) {
    const auto nodes = mesh.nodes(element);
    std::array<double, 24> places{};
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::array<double, 3> least{infinity, infinity, infinity};
    std::array<double, 3> most{-infinity, -infinity, -infinity};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto x = mesh.coordinates(nodes[i]);
      for (std::size_t k = 0; k < 3; ++k) {
        places[3 * i + k] = x[k];
        least[k] = std::min(least[k], x[k]);
        most[k] = std::max(most[k], x[k]);
      }
    }
    half_thickness_ = thin * std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2]});
    mesh::surface_normals(mesh.cell(element), std::span(places).first(3 * nodes.size()), normals_);
    // A node whose normal looks the other way than the element's shows a fold.
    std::array<double, 3> mean{};
    for (std::size_t i = 0; i < 3 * nodes.size(); ++i) mean[i % 3] += normals_[i];
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      double* n = normals_.data() + 3 * i;
      const double length = std::hypot(n[0], n[1], n[2]);
      const double along = n[0] * mean[0] + n[1] * mean[1] + n[2] * mean[2];
      for (std::size_t k = 0; k < 3 && length > 0; ++k) n[k] *= (along < 0 ? -1 : 1) / length;
    }
  }

  void add_along_normal(const mesh::Mesh& mesh, std::int32_t node, std::size_t i, double height) {
    const auto x = mesh.coordinates(node);
    for (std::size_t k = 0; k < 3; ++k)
      values_[size_++] = x[k] + height * half_thickness_ * normals_[3 * i + k];
  }

  void add(const mesh::Mesh& mesh, std::int32_t node, double z) {
    const auto x = mesh.coordinates(node);
    values_[size_++] = x[0];
    values_[size_++] = x[1];
    values_[size_++] = z;
  }

  std::array<double, 3 * most_nodes> values_{};
  std::size_t size_ = 0;
  std::array<double, 24> normals_{};
  double half_thickness_ = 1;
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
  return family == Family::truss || family == Family::beam || model::is_spring(family);
}

double length_of(const mesh::Mesh& mesh, std::int32_t element) {
  const auto nodes = mesh.nodes(element);
  const auto between = [&](std::int32_t from, std::int32_t to) {
    const auto a = mesh.coordinates(from);
    const auto b = mesh.coordinates(to);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  if (mesh.cell(element) == Cell::line3) return between(nodes[0], nodes[2]) + between(nodes[2], nodes[1]);
  return between(nodes.front(), nodes.back());
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
    if (type.family != Family::spring && type.family != Family::mass && length_of(mesh, element) == 0)
      bar.fault = ShapeFault::no_length;
    return bar;
  }
  const Coordinates x(mesh, element);
  JacobianRange range = jacobian_range(element_of(type), x.values());
  if (model::is_surface(type.family)) {
    range.least /= x.scale();
    range.most /= x.scale();
  }
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
    } else if (model::is_surface(family)) {
      volume *= thickness / (2 * x.scale());
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
