// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "setka/deck/detail/example_model.hpp"

namespace setka::deck::detail {
namespace {

// The roof of Scordelis and Lo in feet and pounds of force, as everyone has it (MacNeal and Harder 1985).
constexpr double radius = 25, half_length = 25, thickness = 0.25;
constexpr double half_angle = 40 * std::numbers::pi / 180;
constexpr double youngs_modulus = 4.32e8;
constexpr double load = 90;         // a square foot
constexpr double gravity = 32.174;  // ft/s2
constexpr double sinks = 0.3024;    // the middle of the free edge, published

mesh::BlockGrid grid(double size, mesh::Cell) {
  return {{{{cell_count(half_length, size)}, {cell_count(radius * half_angle, size)}, {}}}, {}};
}

/// x along the roof from its end to its middle, z up; the angle goes from the crown to the free edge.
std::array<double, 3> position(double s, double t, double) {
  return {half_length * s, radius * std::sin(half_angle * t), radius * std::cos(half_angle * t)};
}

std::string comment() {
  return fmt::format(
      "A quarter of the roof of Scordelis and Lo: a shell, {} ft thick, of a cylinder of {} ft radius,\n"
      "{} ft long (x), 40 degrees to each side of its crown; own weight of {} lbf/ft2 along -z.\n"
      "The end x = 0 moves along x alone, as on a stiff wall; x = {} ft and y = 0 are planes of symmetry.\n"
      "Units: ft, slug, s, lbf, lbf/ft2.\n"
      "Published: the middle of the free edge sinks by {} ft.\n",
      thickness, radius, 2 * half_length, load, half_length, sinks);
}

void body(DeckText& text, const mesh::BlockMesh& made) {
  const mesh::Mesh& mesh = made.mesh;
  text.elements(made, 0, "ALL");
  text.node_set("WALL", mesh, nodes_at(mesh, 0, 0));
  text.node_set("MIDDLE", mesh, nodes_at(mesh, 0, half_length));
  text.node_set("CROWN", mesh, nodes_at(mesh, 1, 0));
  const auto edge = position(1, 1, 0);
  text.set("NSET", "PROBE", std::vector<std::int32_t>{nearest_node(mesh, edge)});
  text.print(
      "*MATERIAL, NAME=CONCRETE\n*ELASTIC\n{:g}, 0\n*DENSITY\n{:.12g}\n"
      "*SHELL SECTION, ELSET=ALL, MATERIAL=CONCRETE\n{:g}\n"
      "*BOUNDARY\nWALL, 2, 3\nMIDDLE, 1\nMIDDLE, 5\nCROWN, 2\nCROWN, 4\n",
      youngs_modulus, load / (thickness * gravity), thickness);
}

void loads(DeckText& text, const mesh::BlockMesh&) {
  text.print("*DLOAD\nALL, GRAV, {}, 0, 0, -1\n", gravity);
}

}  // namespace

const ExampleModel& roof_example() {
  static const ExampleModel model{
      {"roof",
       "quarter of a cylindrical roof (Scordelis and Lo), a shell under its own weight",
       {"S8R", "S8", "S6", "S4", "S4R", "S3"}},
      half_length / 2,
      grid,
      position,
      comment,
      body,
      static_step<loads>};
  return model;
}

}  // namespace setka::deck::detail
