// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "setka/deck/detail/example_model.hpp"

namespace setka::deck::detail {
namespace {

constexpr double length = 1, width = 0.04, height = 0.03;  // m
constexpr double youngs_modulus = 2.1e11;
constexpr double force = 1e4;  // N

mesh::BlockGrid grid(double size, mesh::Cell) {
  // A row of single C3D20R is a mechanism by its integration.
  return {{{{cell_count(length, size)}, {cell_count(width, size, 2)}, {cell_count(height, size, 2)}}}, {}};
}

std::array<double, 3> position(double s, double t, double r) {
  return {length * s, width * t, height * r};
}

std::string comment() {
  const auto euler = [](double wide, double high) {
    const double inertia = wide * high * high * high / 12;
    return std::numbers::pi * std::numbers::pi * youngs_modulus * inertia / (4 * length * length) / force;
  };
  return fmt::format(
      "A column of steel, {} m long (x), {} m wide (y), {} m high (z); x = 0 is fixed, x = {} m is free.\n"
      "{} N press on its end along -x.\n"
      "Units: m, kg, s, N, Pa.\n"
      "Euler: it buckles along z at {:.5g} times this load, along y at {:.5g} times.\n",
      length, width, height, length, force, euler(width, height), euler(height, width));
}

auto pressed_faces(const mesh::Mesh& mesh) {
  return mesh::faces_of_nodes(mesh, nodes_at(mesh, 0, length));
}

void body(DeckText& text, const mesh::BlockMesh& made) {
  const mesh::Mesh& mesh = made.mesh;
  text.elements(made, 0, "ALL");
  text.node_set("FIX", mesh, nodes_at(mesh, 0, 0));
  text.node_set("TIP", mesh, nodes_at(mesh, 0, length));
  text.set("NSET", "PROBE", std::vector<std::int32_t>{nearest_node(mesh, {length, width / 2, height / 2})});
  text.face_sets("PRESS", mesh, pressed_faces(mesh));
  text.print(
      "*MATERIAL, NAME=STEEL\n*ELASTIC\n{:g}, 0.3\n*DENSITY\n7850\n"
      "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n"
      "*BOUNDARY\nFIX, 1, 3\n",
      youngs_modulus);
}

void step(DeckText& text, const mesh::BlockMesh& made) {
  text.print("*STEP\n*BUCKLE\n2\n");
  text.face_pressure("PRESS", pressed_faces(made.mesh), force / (width * height));
  text.print("*NODE FILE\nU\n*NODE PRINT, NSET=PROBE\nU\n*END STEP\n");
}

}  // namespace

const ExampleModel& column_example() {
  static const ExampleModel model{
      {"column", "buckling of a slender column of one block, pressed at its free end", solid_elements()},
      length / 4,
      grid,
      position,
      comment,
      body,
      step};
  return model;
}

}  // namespace setka::deck::detail
