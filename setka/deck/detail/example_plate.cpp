// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "setka/deck/detail/example_model.hpp"

namespace setka::deck::detail {
namespace {

constexpr double radius = 0.01, half_length = 0.1, half_width = 0.05, half_thickness = 0.002;  // m
constexpr double tension = 1e8;                                                                // Pa

/// Grows the cells with the distance from the hole so that they stay about as long as wide.
constexpr double growth = 2.2;

/// `size`: 1 / number of cells from the hole outwards. The first axis goes outwards, the second around, in
/// two blocks that meet at the corner of the plate, the third through the thickness.
mesh::BlockGrid grid(double size, mesh::Cell cell) {
  mesh::BlockGrid grid{{{{cell_count(1, size)}, {cell_count(0.45, size), cell_count(0.55, size)}, {}}}, {}};
  if (mesh::dimension(cell) == 3) grid.cells[2] = {cell_count(1.0 / 12, size)};
  return grid;
}

std::array<double, 3> position(double s, double t, double r) {
  const double out = std::expm1(growth * s) / std::expm1(growth);
  const double angle = t * std::numbers::pi / 4;
  const double at_hole_x = t == 2 ? 0 : radius * std::cos(angle);
  const double at_hole_y = radius * std::sin(angle);
  const double at_edge_x = t <= 1 ? half_length : half_length * (2 - t);
  const double at_edge_y = t <= 1 ? half_width * t : half_width;
  return {(1 - out) * at_hole_x + out * at_edge_x, (1 - out) * at_hole_y + out * at_edge_y,
          half_thickness * r};
}

std::string comment() {
  const double ratio = radius / half_width;
  const double heywood = (2 + std::pow(1 - ratio, 3)) / (1 - ratio);
  return fmt::format(
      "A quarter of a plate of steel with a round hole, pulled along x with {:g} Pa.\n"
      "Plate {} m by {} m, {} m thick; hole of {} m diameter at the origin.\n"
      "Symmetry: x = 0 does not move along x, y = 0 not along y; solids are the upper half of the thickness, "
      "whose\n"
      "face z = 0 does not move along z.\n"
      "Units: m, kg, s, N, Pa.\n"
      "Largest stress Sxx at (0, {}): 3 times the tension in an endless plate (Kirsch), {:.4g} times in this "
      "one\n"
      "(Heywood's formula for its width).\n",
      tension, 2 * half_length, 2 * half_width, 2 * half_thickness, 2 * radius, radius, heywood);
}

auto pulled_faces(const mesh::Mesh& mesh) {
  return mesh::faces_of_nodes(mesh, nodes_at(mesh, 0, half_length));
}

void body(DeckText& text, const mesh::BlockMesh& made) {
  const mesh::Mesh& mesh = made.mesh;
  const bool solid = mesh::dimension(mesh.cell(0)) == 3;
  text.elements(made, 0, "ALL");
  text.node_set("SYMX", mesh, nodes_at(mesh, 0, 0));
  text.node_set("SYMY", mesh, nodes_at(mesh, 1, 0));
  if (solid) text.node_set("SYMZ", mesh, nodes_at(mesh, 2, 0));
  text.node_set("END", mesh, nodes_at(mesh, 0, half_length));
  text.set("NSET", "PROBE",
           std::vector<std::int32_t>{nearest_node(mesh, {0, radius, 0}), nearest_node(mesh, {radius, 0, 0}),
                                     nearest_node(mesh, {half_length, 0, 0})});
  text.face_sets("PULL", mesh, pulled_faces(mesh));
  text.print("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850\n");
  text.print("*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n");
  if (!solid) text.print("{}\n", 2 * half_thickness);
  text.print("*BOUNDARY\nSYMX, 1\nSYMY, 2\n");
  if (solid) text.print("SYMZ, 3\n");
}

void loads(DeckText& text, const mesh::BlockMesh& made) {
  text.face_pressure("PULL", pulled_faces(made.mesh), -tension);
}

}  // namespace

const ExampleModel& plate_example() {
  static const ExampleModel model{{"plate-with-hole",
                                   "quarter of a plate with a hole under tension, finer towards the hole",
                                   {"C3D20R", "C3D20", "C3D8", "C3D8I", "C3D8R", "C3D10", "C3D4", "C3D15",
                                    "C3D6", "CPS8R", "CPS8", "CPS6", "CPS4", "CPS3"}},
                                  1.0 / 4,
                                  grid,
                                  position,
                                  comment,
                                  body,
                                  static_step<loads>};
  return model;
}

}  // namespace setka::deck::detail
