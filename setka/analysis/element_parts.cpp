// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/element_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>

#include "setka/base/error.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"

namespace setka::analysis {
namespace {

using mesh::Cell;
using model::Profile;
using model::ProfileShape;

/// A place of a beam's section along the solid's second and third reference coordinates, -axis 2 and axis 1,
/// and its share of the square from -1 to 1.
struct Fibre {
  double eta;
  double zeta;
  double area;
};

/// Eight round the circle whose points have the ring's second moment of area.
std::vector<Fibre> fibres_of_pipe(const Profile& profile) {
  constexpr int count = 8;
  const double inner = 1 - 2 * profile.wall[0] / profile.size[0];  // over the outer radius
  const double radius = std::sqrt((1 + inner * inner) / 2);
  std::vector<Fibre> fibres;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    fibres.push_back(
        {radius * std::cos(angle), radius * std::sin(angle), std::numbers::pi * (1 - inner * inner) / count});
  }
  return fibres;
}

/// Five along the middle of each wall, weighted as Simpson has it; corners are of two walls.
std::vector<Fibre> fibres_of_box(const Profile& profile) {
  const auto thickness = [&](std::size_t wall) { return profile.wall[wall] / profile.size[wall % 2]; };
  const double along_zeta[2] = {thickness(2) - 1, 1 - thickness(0)};  // of walls -1 and 1
  const double along_eta[2] = {thickness(1) - 1, 1 - thickness(3)};   // of walls 2 and -2
  const std::array<std::array<double, 2>, 4> corner{{{along_eta[1], along_zeta[1]},
                                                     {along_eta[0], along_zeta[1]},
                                                     {along_eta[0], along_zeta[0]},
                                                     {along_eta[1], along_zeta[0]}}};
  constexpr std::array<double, 5> simpson{1.0 / 12, 4.0 / 12, 2.0 / 12, 4.0 / 12, 1.0 / 12};
  std::vector<Fibre> fibres(16);
  for (std::size_t wall = 0; wall < 4; ++wall) {
    const auto& from = corner[wall];
    const auto& to = corner[(wall + 1) % 4];
    const double length = std::abs(to[0] - from[0]) + std::abs(to[1] - from[1]);
    for (std::size_t i = 0; i < 5; ++i) {
      Fibre& fibre = fibres[(4 * wall + i) % 16];
      const double t = static_cast<double>(i) / 4;
      fibre.eta = from[0] + t * (to[0] - from[0]);
      fibre.zeta = from[1] + t * (to[1] - from[1]);
      fibre.area += 2 * thickness(wall) * length * simpson[i];
    }
  }
  return fibres;
}

template <Cell cell>
void add_nodes(const Whole& whole, const Part& part, Solids& solids) {
  using Functions = mesh::ShapeFunctions<cell>;
  constexpr auto nodes = static_cast<std::size_t>(Functions::nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    std::array<double, 3> r{};
    std::array<double, nodes> share{};
    Functions::node(static_cast<int>(n), r.data());
    for (std::size_t k = 0; k < 3; ++k)
      r[k] = (part.low[k] + part.high[k]) / 2 + r[k] * (part.high[k] - part.low[k]) / 2;
    Functions::values(r.data(), share.data());
    std::array<double, 3> place{};
    std::array<std::vector<fem::Term>, 3> rows;
    PartNode own;
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
      constexpr double rounding = 1e-14;
      if (std::abs(share[i]) < rounding) continue;
      if (share[i] > share[nearest]) nearest = i;
      own.share.push_back({whole.nodes[i], share[i]});
      const auto of = 3 * static_cast<std::size_t>(whole.nodes[i]);
      for (std::size_t k = 0; k < 3; ++k) {
        place[k] += share[i] * solids.coordinates[of + k];
        for (const fem::Term& term : solids.rows[of + k])
          rows[k].push_back({term.index, share[i] * term.coefficient});
      }
    }
    for (std::vector<fem::Term>& row : rows) add_up(row);
    const std::int32_t copy = solids.add_copy(solids.origin_of(whole.nodes[nearest]), place, std::move(rows));
    solids.turning_copies.push_back(copy);
    solids.node.push_back(copy);
    own.node = copy;
    solids.part_nodes.push_back(std::move(own));
  }
}

}  // namespace

void add_up(std::vector<fem::Term>& row) {
  std::ranges::sort(row, {}, &fem::Term::index);
  std::vector<fem::Term> sums;
  for (const fem::Term& term : row) {
    if (!sums.empty() && sums.back().index == term.index)
      sums.back().coefficient += term.coefficient;
    else
      sums.push_back(term);
  }
  constexpr double rounding = 1e-14;  // displacements are near 1 of v
  std::erase_if(sums, [](const fem::Term& term) { return std::abs(term.coefficient) < rounding; });
  row = std::move(sums);
}

std::vector<Part> parts_of(const model::Model& model, fem::Element type, std::int32_t section) {
  std::vector<Part> parts;
  if (section < 0) return parts;
  const model::Section& own = model.sections[static_cast<std::size_t>(section)];
  if (!own.profile) return parts;
  if (own.layer_above >= 0) {
    for (std::int32_t s = section; s >= 0;) {
      const model::Section& layer = model.sections[static_cast<std::size_t>(s)];
      // As CalculiX has it, two points over a layer: those that C3D20R has anyway.
      Part& part =
          parts.emplace_back(Part{type == fem::Element::wedge15 ? fem::Element::wedge15_layer : type, s});
      part.low[2] = layer.layer[0];
      part.high[2] = layer.layer[1];
      s = layer.layer_above;
    }
    return parts;
  }
  const bool pipe = own.profile->shape == ProfileShape::pipe;
  if (!pipe && own.profile->shape != ProfileShape::box) return parts;
  for (const Fibre& fibre : pipe ? fibres_of_pipe(*own.profile) : fibres_of_box(*own.profile)) {
    if (fibre.area == 0) continue;  // between walls that are left out
    const double half = std::sqrt(fibre.area) / 2;
    parts.push_back({fem::Element::hex20_fibre,
                     section,
                     {-1, fibre.eta - half, fibre.zeta - half},
                     {1, fibre.eta + half, fibre.zeta + half}});
  }
  return parts;
}

void add_part_nodes(const Whole& whole, const Part& part, Solids& solids) {
  const Cell cell = fem::cell_of(part.type);
  require(cell == Cell::wedge15 || cell == Cell::hex20, "parts are wedge15 or hex20");
  if (cell == Cell::wedge15)
    add_nodes<Cell::wedge15>(whole, part, solids);
  else
    add_nodes<Cell::hex20>(whole, part, solids);
}

}  // namespace setka::analysis
