// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "setka/deck/detail/example_model.hpp"

namespace setka::deck::detail {
namespace {

// Lengths in m. x along the pump, y across, z up from the floor; the frame is made of square bars.
constexpr double bar = 0.04;
constexpr double radius = 0.35, saddle = 0.03;  // the saddle's height under the middle of the pump
constexpr double flat = 0.25;                   // half the width of the saddle where it stands on its bar
constexpr std::array<double, 10> x_lines{0, 0.04, 0.545, 0.885, 0.925, 1.845, 1.885, 2.225, 2.73, 2.77};
constexpr std::array<double, 6> y_lines{-0.59, -0.55, -flat, flat, 0.55, 0.59};
constexpr std::array<double, 5> z_lines{0, 0.16, 0.2, 0.76, 0.8};
constexpr double top = z_lines.back(), axis = top + saddle + radius;
constexpr double pump_length = x_lines[7] - x_lines[2];
constexpr double pump_density = 2600, steel_density = 7850;  // kg/m3

enum Part : std::int8_t { none = -1, frame = 0, pump = 1 };
constexpr int foot = 0, tie = 1, leg = 2, deck = 3, saddles = 4, cylinder = 5;  // blocks along z

/// Which bar, if any, fills a block.
Part part(int i, int j, int k) {
  const bool cross = i == 0 || i == 3 || i == 5 || i == 8;  // x of the bars across and of the legs
  const bool end = i == 0 || i == 8;
  const bool side = j == 0 || j == 4;  // y of the bars along and of the legs
  switch (k) {
    case foot:
    case leg:
      return cross && side ? frame : none;
    case tie:
      return side || end ? frame : none;
    case deck:
      return side || cross ? frame : none;
    case saddles:
      return (i == 3 || i == 5) && j == 2 ? frame : none;
    default:
      return i >= 2 && i <= 6 && j == 2 ? pump : none;
  }
}

mesh::BlockGrid grid(double size, mesh::Cell) {
  mesh::BlockGrid grid;
  const auto divide = [&](std::size_t along, double length) {
    grid.cells[along].push_back(cell_count(length, size, length < 1.01 * bar ? 2 : 1));
  };
  for (std::size_t i = 1; i < x_lines.size(); ++i) divide(0, x_lines[i] - x_lines[i - 1]);
  for (std::size_t i = 1; i < y_lines.size(); ++i) divide(1, y_lines[i] - y_lines[i - 1]);
  for (std::size_t i = 1; i < z_lines.size(); ++i) divide(2, z_lines[i] - z_lines[i - 1]);
  // The saddle grows from its middle to its sides; the cylinder is as many cells high as wide.
  grid.cells[2].push_back(cell_count(2 * saddle, size));
  grid.cells[2].push_back(grid.cells[1][2]);
  for (int i = 0; i < static_cast<int>(grid.cells[0].size()); ++i) {
    for (int j = 0; j < static_cast<int>(grid.cells[1].size()); ++j) {
      for (int k = 0; k <= cylinder; ++k) grid.part.push_back(part(i, j, k));
    }
  }
  return grid;
}

template <std::size_t n>
double along(const std::array<double, n>& lines, double s) {
  const std::size_t i = std::min(static_cast<std::size_t>(s), n - 2);
  const double f = s - static_cast<double>(i);
  return (1 - f) * lines[i] + f * lines[i + 1];
}

/// The square [-1, 1]^2 made a disc of radius 1. Squares about the middle become circles little by little
/// outwards, so that only the four cells at the corners of the outermost ring are nearly flat there.
std::array<double, 2> disc(double u, double v) {
  const double ring = std::max(std::abs(u), std::abs(v));
  if (ring == 0) return {0, 0};
  const bool sideways = std::abs(u) >= std::abs(v);
  const double angle = (sideways ? v / u : u / v) * std::numbers::pi / 4;
  const double sign = sideways ? std::copysign(1, u) : std::copysign(1, v);
  const double far = ring * sign * std::cos(angle), near = ring * sign * std::sin(angle);
  const double round = ring * ring;
  const double half_side = std::numbers::sqrt2 / 2;
  return {(1 - round) * half_side * u + round * (sideways ? far : near),
          (1 - round) * half_side * v + round * (sideways ? near : far)};
}

std::array<double, 3> position(double s, double t, double r) {
  const double x = along(x_lines, s);
  if (r <= saddles) return {x, along(y_lines, t), along(z_lines, r)};
  const double across = 2 * (t - 2) - 1;
  if (r >= cylinder) {
    const auto at = disc(across, 2 * (r - cylinder) - 1);
    return {x, radius * at[0], axis + radius * at[1]};
  }
  const auto arc = disc(across, -1);
  const double up = r - saddles;
  return {x, (1 - up) * along(y_lines, t) + up * radius * arc[0],
          (1 - up) * top + up * (axis + radius * arc[1])};
}

/// Volume of the bars and saddles.
double frame_volume() {
  double volume = 0;
  for (int i = 0; i + 1 < static_cast<int>(x_lines.size()); ++i) {
    for (int j = 0; j + 1 < static_cast<int>(y_lines.size()); ++j) {
      for (int k = 0; k + 1 < static_cast<int>(z_lines.size()); ++k) {
        const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j),
                   c = static_cast<std::size_t>(k);
        if (part(i, j, k) == frame) {
          volume +=
              (x_lines[a + 1] - x_lines[a]) * (y_lines[b + 1] - y_lines[b]) * (z_lines[c + 1] - z_lines[c]);
        }
      }
    }
  }
  // A saddle's section: a trapezium up to the ends of the arc, less the segment of the circle above.
  const double half_chord = radius * std::numbers::sqrt2 / 2;
  const double segment = radius * radius * (std::numbers::pi / 4 - 0.5);
  return volume + 2 * bar * ((flat + half_chord) * (axis - half_chord - top) - segment);
}

std::string comment() {
  const double volume = std::numbers::pi * radius * radius * pump_length;
  return fmt::format(
      "A pump unit on a welded frame: a solid cylinder as heavy and as stiff as the pump, on a much softer "
      "frame.\n"
      "Cylinder along x, {:.4g} m long, {:.4g} m in diameter, its axis {:.4g} m above the floor; volume "
      "{:.4f} m3, mass "
      "{:.0f} kg.\n"
      "Frame of steel bars {} m square, {} m long, {} m wide, {} m high; volume {:.4f} m3, mass {:.0f} kg.\n"
      "Its eight feet are fixed; own weight acts along -z. About 27 natural frequencies lie below 200 Hz.\n"
      "Bars few cells thick are too stiff as C3D8, which lacks bending: C3D8I is better in small models.\n"
      "Units: m, kg, s, N, Pa.\n",
      pump_length, 2 * radius, axis, volume, volume * pump_density, bar, x_lines.back(), 2 * y_lines.back(),
      top, frame_volume(), frame_volume() * steel_density);
}

void body(DeckText& text, const mesh::BlockMesh& made) {
  const mesh::Mesh& mesh = made.mesh;
  text.elements(made, frame, "FRAME");
  text.elements(made, pump, "PUMP");
  text.print("*ELSET, ELSET=ALL\nFRAME, PUMP\n");
  text.node_set("FIX", mesh, nodes_at(mesh, 2, 0));
  const double middle = (x_lines[2] + x_lines[7]) / 2;
  text.set("NSET", "PROBE",
           std::vector<std::int32_t>{nearest_node(mesh, {middle, 0, axis + radius}),
                                     nearest_node(mesh, {middle, y_lines[0], top})});
  text.print(
      "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n{:g}\n"
      "*MATERIAL, NAME=EQUIVALENT\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n{:g}\n"
      "*SOLID SECTION, ELSET=FRAME, MATERIAL=STEEL\n"
      "*SOLID SECTION, ELSET=PUMP, MATERIAL=EQUIVALENT\n"
      "*BOUNDARY\nFIX, 1, 3\n",
      steel_density, pump_density);
}

void loads(DeckText& text, const mesh::BlockMesh&) {
  text.print("*DLOAD\nALL, GRAV, 9.81, 0, 0, -1\n");
}

}  // namespace

const ExampleModel& pump_example() {
  static const ExampleModel model{{"pump",
                                   "pump unit, a heavy cylinder, on a soft welded frame under its own weight",
                                   {"C3D8", "C3D8I", "C3D8R"}},
                                  0.15,
                                  grid,
                                  position,
                                  comment,
                                  body,
                                  static_step<loads>};
  return model;
}

}  // namespace setka::deck::detail
