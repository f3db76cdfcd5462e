// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "setka/deck/detail/example_model.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/elements.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

constexpr double length = 1, width = 0.08, height = 0.12;  // m
constexpr double youngs_modulus = 2.1e11, poissons_ratio = 0.3;
constexpr double force = 1000;  // N, downwards

mesh::BlockGrid grid(double size, mesh::Cell) {
  // A row of single C3D20R, with its eight points of integration each, is a mechanism: two over the height.
  return {{{{cell_count(length, size)}, {cell_count(width, size)}, {cell_count(height, size, 2)}}}, {}};
}

std::array<double, 3> position(double s, double t, double r) {
  return {length * s, width * t, height * r};
}

std::string comment() {
  const double inertia = width * height * height * height / 12;
  const double bending = force * length * length * length / (3 * youngs_modulus * inertia);
  const double shear_modulus = youngs_modulus / (2 * (1 + poissons_ratio));
  const double shear = force * length / (5.0 / 6.0 * shear_modulus * width * height);
  return fmt::format(
      "Cantilever of steel, {} m long (x), {} m wide (y), {} m high (z); x = 0 is fixed.\n"
      "{} N downwards over the end x = {} m, as the nodal forces of an even shear stress.\n"
      "Units: m, kg, s, N, Pa.\n"
      "Beam theory (Timoshenko): the end sinks by {:.5g} m, of which bending {:.5g} m; largest stress {:.4g} "
      "Pa.\n",
      length, width, height, force, length, bending + shear, bending,
      force * length * (height / 2) / inertia);
}

/// The forces on the nodes of the end that do the work of an even stress: those of a unit pressure, which
/// push along x, turned downwards.
std::vector<double> end_forces(const mesh::Mesh& mesh, const std::vector<bool>& end) {
  std::vector<double> forces(static_cast<std::size_t>(mesh.node_count()));
  std::vector<double> x, f;
  for (const mesh::MeshFace& face : mesh::faces_of_nodes(mesh, end)) {
    const auto nodes = mesh.nodes(face.element);
    x.clear();
    for (const std::int32_t node : nodes) {
      const auto at = mesh.coordinates(node);
      x.insert(x.end(), at.begin(), at.end());
    }
    f.assign(x.size(), 0);
    fem::face_pressure(fem::element_of(model::element_type(mesh, face.element)), face.face, x,
                       force / (width * height), f);
    for (std::size_t i = 0; i < nodes.size(); ++i) forces[static_cast<std::size_t>(nodes[i])] += f[3 * i];
  }
  return forces;
}

void body(DeckText& text, const mesh::BlockMesh& made) {
  const mesh::Mesh& mesh = made.mesh;
  text.elements(made, 0, "ALL");
  text.node_set("FIX", mesh, nodes_at(mesh, 0, 0));
  text.node_set("TIP", mesh, nodes_at(mesh, 0, length));
  const std::int32_t probe = nearest_node(mesh, {length, width / 2, height / 2});
  text.set("NSET", "PROBE", std::vector<std::int32_t>{probe});
  text.print(
      "*MATERIAL, NAME=STEEL\n*ELASTIC\n{:g}, {}\n*DENSITY\n7850\n"
      "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n"
      "*BOUNDARY\nFIX, 1, 3\n",
      youngs_modulus, poissons_ratio);
}

void loads(DeckText& text, const mesh::BlockMesh& made) {
  const mesh::Mesh& mesh = made.mesh;
  text.print("*CLOAD\n");
  const std::vector<double> forces = end_forces(mesh, nodes_at(mesh, 0, length));
  for (std::int32_t node = 0; node < mesh.node_count(); ++node) {
    const double f = forces[static_cast<std::size_t>(node)];
    // Corners of some second-order faces carry nothing but rounding.
    if (std::abs(f) > 1e-12 * force) text.print("{}, 3, {:.12g}\n", mesh.node_label(node), f);
  }
}

}  // namespace

const ExampleModel& block_example() {
  static const ExampleModel model{{"block", "cantilever of one block, a force at its end", solid_elements()},
                                  length / 4,
                                  grid,
                                  position,
                                  comment,
                                  body,
                                  static_step<loads>};
  return model;
}

}  // namespace setka::deck::detail
