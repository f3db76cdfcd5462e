// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>
#include <vector>

#include "setka/deck/detail/example_model.hpp"

namespace setka::deck::detail {
namespace {

constexpr double length = 0.1, width = 0.02, height = 0.01;  // m
constexpr double conductivity = 200;                         // W/(m K)
constexpr double film = 50;                                  // W/(m2 K)
constexpr double root = 100, air = 20;                       // degrees

mesh::BlockGrid grid(double size, mesh::Cell) {
  return {{{{cell_count(length, size)}, {cell_count(width, size)}, {cell_count(height, size)}}}, {}};
}

std::array<double, 3> position(double s, double t, double r) {
  return {length * s, width * t, height * r};
}

std::string comment() {
  // Temperatures that are even across: k A T'' = h P (T - air), and the tip gives off h A (T - air).
  const double m = std::sqrt(film * 2 * (width + height) / (conductivity * width * height));
  const double at_tip = film / (m * conductivity);
  const double divisor = std::cosh(m * length) + at_tip * std::sinh(m * length);
  const double flow = conductivity * width * height * m * (root - air) *
                      (std::sinh(m * length) + at_tip * std::cosh(m * length)) / divisor;
  return fmt::format(
      "A cooling fin of aluminium, {} m long (x), {} m wide (y), {} m high (z); x = 0 has {} degrees.\n"
      "All other faces give off heat to air of {} degrees, {} W/m2 a degree.\n"
      "Units: m, kg, s, W, J, degrees Celsius.\n"
      "Theory of fins: the tip has {:.6g} degrees, {:.5g} W pass through the root.\n",
      length, width, height, root, air, film, air + (root - air) / divisor, flow);
}

std::vector<mesh::MeshFace> cooled_faces(const mesh::Mesh& mesh) {
  std::vector<mesh::MeshFace> faces;
  const auto add = [&](int axis, double value) {
    const auto there = mesh::faces_of_nodes(mesh, nodes_at(mesh, axis, value));
    faces.insert(faces.end(), there.begin(), there.end());
  };
  add(0, length);
  add(1, 0);
  add(1, width);
  add(2, 0);
  add(2, height);
  return faces;
}

void body(DeckText& text, const mesh::BlockMesh& made) {
  const mesh::Mesh& mesh = made.mesh;
  text.elements(made, 0, "ALL");
  text.node_set("ROOT", mesh, nodes_at(mesh, 0, 0));
  text.node_set("TIP", mesh, nodes_at(mesh, 0, length));
  text.set("NSET", "PROBE", std::vector<std::int32_t>{nearest_node(mesh, {length, width / 2, height / 2})});
  text.face_sets("COOL", mesh, cooled_faces(mesh));
  text.print(
      "*MATERIAL, NAME=ALUMINIUM\n*CONDUCTIVITY\n{:g}\n*DENSITY\n2700\n*SPECIFIC HEAT\n900\n"
      "*SOLID SECTION, ELSET=ALL, MATERIAL=ALUMINIUM\n"
      "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, {:g}\n",
      conductivity, air);
}

void step(DeckText& text, const mesh::BlockMesh& made) {
  text.print("*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nROOT, 11, 11, {:g}\n", root);
  text.face_film("COOL", cooled_faces(made.mesh), air, film);
  text.print("*NODE FILE\nNT\n*EL FILE\nHFL\n*END STEP\n");
}

}  // namespace

const ExampleModel& fin_example() {
  static const ExampleModel model{
      {"fin", "heat through a cooling fin of one block, steady", solid_elements()},
      length / 4,
      grid,
      position,
      comment,
      body,
      step,
      ExampleField::temperatures};
  return model;
}

}  // namespace setka::deck::detail
