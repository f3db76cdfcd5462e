// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/products.hpp"

#include <array>
#include <functional>

#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/elements.hpp"

namespace setka::bench {
namespace {

using exec::Device;
using fem::Element;

struct PaperRow {
  const char* elements;
  Element type;
  std::array<int, 3> cells;
  std::int64_t paper_elements;  // 0: not in the paper
  PaperSolve assembled;
  PaperSolve by_elements;
};

constexpr std::array<PaperRow, 12> paper{
    {{"triangles", Element::tri3, {1000, 100, 1}, 200000, {180, 1.1}, {160, 6.1}},
     {"triangles", Element::tri3, {1410, 140, 1}, 394800, {508, 2.6}, {460, 15.5}},
     {"triangles", Element::tri3, {2450, 244, 1}, 1195600, {2758, 11.6}, {2423, 60.7}},
     {"quads", Element::quad4, {1000, 100, 1}, 100000, {134, 1.2}, {106, 3.2}},
     {"quads", Element::quad4, {1410, 140, 1}, 197400, {346, 3.1}, {286, 9.1}},
     {"quads", Element::quad4, {2450, 244, 1}, 597800, {1876, 13.8}, {1675, 39.1}},
     {"tetrahedra", Element::tet4, {118, 13, 13}, 119360, {19, 0.3}, {72, 3.4}},
     {"tetrahedra", Element::tet4, {144, 16, 16}, 221184, {40, 0.5}, {209, 3.9}},
     {"tetrahedra", Element::tet4, {223, 22, 22}, 647731, {126, 1.3}, {471, 12.1}},
     {"hexahedra", Element::hex8, {130, 13, 13}, 21970, {10, 0.3}, {21, 0.6}},
     {"hexahedra", Element::hex8, {170, 17, 17}, 49130, {30, 0.6}, {62, 1.3}},
     {"hexahedra", Element::hex8, {220, 22, 22}, 106480, {83, 1.4}, {175, 1.4}}}};

constexpr std::array<PaperRow, 4> small{{{"triangles", Element::tri3, {40, 4, 1}, 0, {}, {}},
                                         {"quads", Element::quad4, {40, 4, 1}, 0, {}, {}},
                                         {"tetrahedra", Element::tet4, {10, 2, 2}, 0, {}, {}},
                                         {"hexahedra", Element::hex8, {20, 3, 3}, 0, {}, {}}}};

std::int64_t elements_in_a_cell(Element type) {
  return type == Element::tet4 ? 6 : type == Element::tri3 ? 2 : 1;
}

/// While a system is made: K, M and a copy of the sum, the mesh, and the assembled matrix with its structure.
double bytes_needed(const PaperRow& row) {
  const double cells = static_cast<double>(row.cells[0]) * row.cells[1] * row.cells[2];
  const double elements = cells * static_cast<double>(elements_in_a_cell(row.type));
  const int rows = fem::dimension_of(row.type) * mesh::node_count(fem::cell_of(row.type));
  return elements * (24.0 * fem::triangle_size(rows) + 400) + 3500 * cells;
}

using Solve = std::function<SolveTime(const Device&)>;

void measure(const char* how, const Solve& solve, const Device& cpu, const std::optional<Device>& gpu,
             double bytes, ProductTimes& times, std::vector<std::string>& skipped) {
  const auto on = [&](const Device& device, std::optional<SolveTime>& time) {
    std::string lack = lack_of_memory(device, bytes);
    if (lack.empty()) lack = unless_out_of_memory([&] { time = solve(device); });
    if (!lack.empty()) skipped.push_back(fmt::format("{} on {}: {}", how, device.label(), lack));
  };
  on(cpu, times.cpu);
  if (gpu) on(*gpu, times.gpu);
}

ProductsRow measure(const PaperRow& row, const Device& cpu, const std::optional<Device>& gpu,
                    double max_seconds, Monitor& monitor) {
  ProductsRow measured;
  measured.elements = row.elements;
  measured.computed_as = label(row.type, PlaneState::strain);
  measured.element_count =
      std::int64_t{row.cells[0]} * row.cells[1] * row.cells[2] * elements_in_a_cell(row.type);
  measured.paper_elements = row.paper_elements;
  if (row.paper_elements > 0) {
    measured.assembled.paper = row.assembled;
    measured.by_elements.paper = row.by_elements;
  }
  const double bytes = bytes_needed(row);
  if (const std::string lack = lack_of_memory(cpu, bytes); !lack.empty()) {
    measured.skipped.push_back(lack);
    return measured;
  }
  const TimeStep step = time_step(row.type, row.cells);
  measured.nodes = step.model.nodes();
  measured.unknowns = step.constraints.unknown_count();
  measure(
      "assembled", [&](const Device& device) { return solve_assembled(step, device, max_seconds, monitor); },
      cpu, gpu, bytes, measured.assembled, measured.skipped);
  measure(
      "element by element",
      [&](const Device& device) { return solve_by_elements(step, device, max_seconds, monitor); }, cpu, gpu,
      bytes, measured.by_elements, measured.skipped);
  return measured;
}

}  // namespace

std::vector<ProductsRow> products_table(const Device& cpu, const std::optional<Device>& gpu, bool quick,
                                        double max_seconds,
                                        const std::function<void(const ProductsRow&)>& show,
                                        Monitor& monitor) {
  std::vector<PaperRow> wanted(paper.begin(), paper.end());
  if (quick) wanted.assign(small.begin(), small.end());
  std::vector<ProductsRow> table;
  Stage stage = monitor.stage("products", static_cast<std::int64_t>(wanted.size()), "meshes");
  for (const PaperRow& row : wanted) {
    {
      const Stage mesh_stage = monitor.stage(row.elements);
      table.push_back(measure(row, cpu, gpu, max_seconds, monitor));
    }
    show(table.back());  // no bar stands now that the inner stage is over
    stage.advance();
  }
  return table;
}

}  // namespace setka::bench
