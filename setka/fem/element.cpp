// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "setka/base/error.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/extrapolation_kernel.hpp"
#include "setka/fem/solid_kernel.hpp"

namespace setka::fem {
namespace {

using mesh::Cell;

template <Element type>
void expect(std::string_view what, std::string_view argument, std::size_t found, int right) {
  require(found == static_cast<std::size_t>(right), [&] {
    return fmt::format("{}: {} has {} values for {}, which needs {}", what, argument, found, name(type),
                       right);
  });
}

/// An argument that may be left out.
template <Element type>
const double* optional(std::string_view what, std::string_view argument, std::span<const double> values,
                       int right) {
  if (values.empty()) return nullptr;
  expect<type>(what, argument, values.size(), right);
  return values.data();
}

template <Element type>
constexpr int corner_count = [] {
  constexpr int nodes = kernel::Solid<type>::nodes;
  return nodes == 10 ? 4 : (nodes == 15 ? 6 : (nodes == 20 ? 8 : nodes));
}();

/// The edges' directions at a corner in the reference element, of length one along its axes: [3, 3], one a
/// row. Whatever the corner, they span the volume 1, so that det(dx/dr) is the volume of their images.
template <Element type>
std::array<double, 9> edge_directions(int corner) {
  using Functions = typename kernel::Solid<type>::Functions;
  constexpr int corners = corner_count<type>;
  if constexpr (corners == 8) return {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 9> directions{};
  std::array<double, 3> from{};
  std::array<double, 3> to{};
  Functions::node(corner, from.data());
  std::size_t filled = 0;
  for (int other = 0; other < corners; ++other) {
    if (other == corner || (corners == 6 && other / 3 != corner / 3)) continue;  // across a wedge: last
    Functions::node(other, to.data());
    for (std::size_t c = 0; c < 3; ++c) directions[filled++] = to[c] - from[c];
  }
  if constexpr (corners == 6) directions[8] = 1;
  return directions;
}

/// What elements of a type have in common, found once.
template <Element type>
struct Table {
  using Solid = kernel::Solid<type>;
  using Functions = typename Solid::Functions;
  static constexpr std::size_t size = 3 * static_cast<std::size_t>(Solid::nodes);

  std::array<double, size * Solid::points> at_points{};  // gradients: [points, n, 3]
  std::array<double, size* static_cast<std::size_t>(corner_count<type>)> at_corners{};  // [corners, n, 3]
  std::array<std::array<double, 9>, static_cast<std::size_t>(corner_count<type>)> directions{};
  std::array<double, static_cast<std::size_t>(Solid::nodes) * Solid::points> weight{};  // of extrapolation

  Table() {
    std::array<double, 3> r{};
    for (int p = 0; p < Solid::points; ++p) {
      Solid::Points::at(p, r.data());
      Functions::gradients(r.data(), at_points.data() + static_cast<std::ptrdiff_t>(size) * p);
    }
    for (int i = 0; i < corner_count<type>; ++i) {
      Functions::node(i, r.data());
      Functions::gradients(r.data(), at_corners.data() + static_cast<std::ptrdiff_t>(size) * i);
      directions[static_cast<std::size_t>(i)] = edge_directions<type>(i);
    }
    for (int i = 0; i < Solid::nodes; ++i) {
      for (int p = 0; p < Solid::points; ++p) weight[place(i, p)] = kernel::extrapolation_weight<type>(i, p);
    }
  }

  /// Of the weight of a point at a node.
  static constexpr std::size_t place(int node, int point) {
    return static_cast<std::size_t>(node) * Solid::points + static_cast<std::size_t>(point);
  }

  static const Table& get() {
    static const Table made;
    return made;
  }
};

/// The volume of the edges' directions at a corner, over that of the ideal shape. j: dx/dr there
template <Element type>
double scaled_determinant(const std::array<double, 9>& directions, const std::array<double, 9>& j,
                          double determinant) {
  constexpr int corners = corner_count<type>;
  double lengths = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    double square = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      double edge = 0;
      for (std::size_t a = 0; a < 3; ++a) edge += directions[3 * k + a] * j[3 * a + b];
      square += edge * edge;
    }
    lengths *= std::sqrt(square);
  }
  constexpr double ideal = corners == 4   ? std::numbers::sqrt2 / 2
                           : corners == 6 ? std::numbers::sqrt3 / 2
                                          : 1;  // of edges that meet as in the ideal shape
  return lengths > 0 ? determinant / lengths / ideal : 0;
}

struct FaceNodes {
  std::span<const std::int8_t> nodes;  // of the element
  std::array<double, 24> x{};          // [nodes, 3]
};

/// Calls body.operator()<Functions, Points>(nodes) with the shape functions and the integration points of a
/// face.
template <class Body>
void with_face(std::string_view what, Element type, int face, std::span<const double> x, Body&& body) {
  with_solid(what, type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>(what, "x", x.size(), 3 * Solid::nodes);
    require(face >= 0 && face < mesh::face_count(Solid::cell), [&] {
      return fmt::format("{}: {} has the faces 0 to {}, not {}", what, name(t),
                         mesh::face_count(Solid::cell) - 1, face);
    });
    FaceNodes own{mesh::face_nodes(Solid::cell, face)};
    for (std::size_t i = 0; i < own.nodes.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        own.x[3 * i + c] = x[3 * static_cast<std::size_t>(own.nodes[i]) + c];
    }
    const auto on = [&]<Cell cell, class Points>() {
      if constexpr (!std::is_void_v<Points>)
        body.template operator()<mesh::ShapeFunctions<cell>, Points>(own);
    };
    switch (mesh::face_cell(Solid::cell, face)) {
      case Cell::tri3:
        on.template operator()<Cell::tri3, typename Solid::TrianglePoints>();
        break;
      case Cell::tri6:
        on.template operator()<Cell::tri6, typename Solid::TrianglePoints>();
        break;
      case Cell::quad4:
        on.template operator()<Cell::quad4, typename Solid::QuadPoints>();
        break;
      default:
        on.template operator()<Cell::quad8, typename Solid::QuadPoints>();
        break;
    }
  });
}

}  // namespace

bool is_plain(Element type) {
  return with_solid("is_plain", type, []<Element t>() { return kernel::Solid<t>::plain; });
}

int point_count(Element type) {
  if (type == Element::spring) return 0;
  return with_solid("point_count", type, []<Element t>() { return kernel::Solid<t>::points; });
}

void stiffness(Element type, std::span<const double> x, std::span<const double> d, std::span<double> k) {
  with_solid("stiffness", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("stiffness", "x", x.size(), 3 * Solid::nodes);
    expect<t>("stiffness", "d", d.size(), 36 * Solid::points);
    expect<t>("stiffness", "k", k.size(), 9 * Solid::nodes * Solid::nodes);
    Solid::stiffness(x.data(), d.data(), k.data());
  });
}

void mass(Element type, std::span<const double> x, double density, std::span<double> m,
          std::span<const double> d) {
  with_solid("mass", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("mass", "x", x.size(), 3 * Solid::nodes);
    expect<t>("mass", "m", m.size(), 9 * Solid::nodes * Solid::nodes);
    Solid::mass(x.data(), density, optional<t>("mass", "d", d, 36 * Solid::points), m.data());
  });
}

void strains(Element type, std::span<const double> x, std::span<const double> u, std::span<const double> d,
             std::span<double> e, std::span<const double> initial_stress) {
  with_solid("strains", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("strains", "x", x.size(), 3 * Solid::nodes);
    expect<t>("strains", "u", u.size(), 3 * Solid::nodes);
    if (t == Element::hex8_incompatible) expect<t>("strains", "d", d.size(), 36 * Solid::points);
    expect<t>("strains", "e", e.size(), 6 * Solid::points);
    if constexpr (kernel::is_standard<t>) {
      const Table<t>& table = Table<t>::get();
      std::array<double, Table<t>::size> g{};
      std::ranges::fill(e, 0.0);
      for (int p = 0; p < Solid::points; ++p) {
        kernel::map_gradients<Solid::nodes>(
            x.data(), table.at_points.data() + static_cast<std::ptrdiff_t>(g.size()) * p, g.data());
        for (int i = 0; i < Solid::nodes; ++i)
          kernel::add_strain(mesh::row<3>(g.data(), i), mesh::row<3>(u.data(), i), mesh::row<6>(e.data(), p));
      }
    } else {
      Solid::strains(x.data(), u.data(), d.data(),
                     optional<t>("strains", "initial_stress", initial_stress, 6 * Solid::points), e.data());
    }
  });
}

void internal_force(Element type, std::span<const double> x, std::span<const double> stress,
                    std::span<double> f, std::span<const double> d) {
  with_solid("internal_force", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("internal_force", "x", x.size(), 3 * Solid::nodes);
    expect<t>("internal_force", "stress", stress.size(), 6 * Solid::points);
    expect<t>("internal_force", "f", f.size(), 3 * Solid::nodes);
    Solid::internal_force(x.data(), stress.data(), optional<t>("internal_force", "d", d, 36 * Solid::points),
                          f.data());
  });
}

void body_force(Element type, std::span<const double> x, std::span<const double> force, std::span<double> f) {
  with_solid("body_force", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("body_force", "x", x.size(), 3 * Solid::nodes);
    expect<t>("body_force", "force", force.size(), 3 * Solid::points);
    expect<t>("body_force", "f", f.size(), 3 * Solid::nodes);
    Solid::body_force(x.data(), force.data(), f.data());
  });
}

void face_pressure(Element type, int face, std::span<const double> x, double pressure, std::span<double> f) {
  with_face("face_pressure", type, face, x, [&]<class Functions, class Points>(const FaceNodes& own) {
    require(f.size() == x.size(), "face_pressure: f and x differ in size");
    std::array<double, 24> face_f{};
    kernel::pressure_force<Functions, Points>(own.x.data(), pressure, face_f.data());
    std::ranges::fill(f, 0.0);
    for (std::size_t i = 0; i < own.nodes.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        f[3 * static_cast<std::size_t>(own.nodes[i]) + c] = face_f[3 * i + c];
    }
  });
}

void add_pressure_stiffness(Element type, int face, std::span<const double> x, std::span<const double> u,
                            double pressure, std::span<double> k) {
  with_face(
      "add_pressure_stiffness", type, face, x, [&]<class Functions, class Points>(const FaceNodes& own) {
        require(k.size() == x.size() * x.size() && u.size() == x.size(),
                "add_pressure_stiffness: k or u does not fit x");
        constexpr std::size_t n = 3 * static_cast<std::size_t>(Functions::nodes);
        const auto place = [&](std::size_t i) {
          return 3 * static_cast<std::size_t>(own.nodes[i / 3]) + i % 3;
        };
        std::array<double, n> moved{};
        for (std::size_t i = 0; i < n; ++i) moved[i] = own.x[i] + u[place(i)];
        std::array<double, n * n> of_face{};
        kernel::pressure_stiffness<Functions, Points>(own.x.data(), moved.data(), pressure, of_face.data());
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j)
            k[place(i) * x.size() + place(j)] += of_face[n * i + j] + of_face[n * j + i];
        }
      });
}

std::vector<FacePoint> face_points(Element type, int face, std::span<const double> x) {
  std::vector<FacePoint> points;
  with_face("face_points", type, face, x, [&]<class Functions, class Points>(const FaceNodes& own) {
    for (int p = 0; p < Points::points; ++p) {
      FacePoint& point = points.emplace_back();
      point.nodes = own.nodes;
      std::array<double, 2> r{};
      const double weight = Points::at(p, r.data());
      Functions::values(r.data(), point.shape.data());
      kernel::face_normal<Functions>(own.x.data(), r.data(), point.area.data());
      for (double& component : point.area) component *= -weight;
    }
  });
  return points;
}

void point_coordinates(Element type, std::span<const double> x, std::span<double> at) {
  with_solid("point_coordinates", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("point_coordinates", "x", x.size(), 3 * Solid::nodes);
    expect<t>("point_coordinates", "at", at.size(), 3 * Solid::points);
    Solid::point_coordinates(x.data(), at.data());
  });
}

void point_volumes(Element type, std::span<const double> x, std::span<double> w) {
  with_solid("point_volumes", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("point_volumes", "x", x.size(), 3 * Solid::nodes);
    expect<t>("point_volumes", "w", w.size(), Solid::points);
    Solid::point_volumes(x.data(), w.data());
  });
}

void point_shape_values(Element type, std::span<double> values) {
  with_solid("point_shape_values", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("point_shape_values", "values", values.size(), Solid::points * Solid::nodes);
    for (int p = 0; p < Solid::points; ++p) {
      std::array<double, 3> r{};
      Solid::Points::at(p, r.data());
      Solid::Functions::values(r.data(), values.data() + p * Solid::nodes);
    }
  });
}

void point_temperatures(Element type, std::span<const double> nodal, std::span<double> at) {
  with_solid("point_temperatures", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("point_temperatures", "nodal", nodal.size(), Solid::nodes);
    expect<t>("point_temperatures", "at", at.size(), Solid::points);
    Solid::point_temperatures(nodal.data(), at.data());
  });
}

void extrapolate(Element type, int components, std::span<const double> at_points,
                 std::span<double> at_nodes) {
  with_solid("extrapolate", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    require(components > 0, "extrapolate: the number of components is not positive");
    expect<t>("extrapolate", "at_points", at_points.size(), components * Solid::points);
    expect<t>("extrapolate", "at_nodes", at_nodes.size(), components * Solid::nodes);
    const auto count = static_cast<std::size_t>(components);
    const Table<t>& table = Table<t>::get();
    std::ranges::fill(at_nodes, 0.0);
    for (int i = 0; i < Solid::nodes; ++i) {
      const auto node = at_nodes.subspan(static_cast<std::size_t>(i) * count, count);
      for (int p = 0; p < Solid::points; ++p) {
        const double weight = table.weight[Table<t>::place(i, p)];
        const auto point = at_points.subspan(static_cast<std::size_t>(p) * count, count);
        for (std::size_t c = 0; c < count; ++c) node[c] += weight * point[c];
      }
    }
  });
}

JacobianRange jacobian_range(Element type, std::span<const double> x) {
  return with_solid("jacobian_range", type, [&]<Element t>() {
    using Solid = kernel::Solid<t>;
    expect<t>("jacobian_range", "x", x.size(), 3 * Solid::nodes);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    JacobianRange range{infinity, -infinity, infinity};
    const Table<t>& table = Table<t>::get();
    std::array<double, 9> j{};
    const auto take = [&](const auto& gradients, int at) {
      kernel::jacobian<Solid::nodes>(
          x.data(), gradients.data() + static_cast<std::ptrdiff_t>(Table<t>::size) * at, j.data());
      const double determinant = kernel::determinant3(j.data());
      range.least = std::min(range.least, determinant);
      range.most = std::max(range.most, determinant);
      return determinant;
    };
    for (int p = 0; p < Solid::points; ++p) take(table.at_points, p);
    for (int i = 0; i < corner_count<t>; ++i) {
      const double determinant = take(table.at_corners, i);
      range.scaled = std::min(
          range.scaled, scaled_determinant<t>(table.directions[static_cast<std::size_t>(i)], j, determinant));
    }
    return range;
  });
}

double least_jacobian(Element type, std::span<const double> x) {
  return jacobian_range(type, x).least;
}

}  // namespace setka::fem
