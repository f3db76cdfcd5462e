// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/truss.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "setka/analysis/small_vectors.hpp"

namespace setka::analysis {
namespace {

using Vector = Vector3;

/// The directions of the bar: along, and along both sides of the section. The second one lies nearest to the
/// global axis that follows the first one in which the truss extends: so CalculiX numbers the integration
/// points.
std::array<Vector, 3> directions(const Vector& from, const Vector& to) {
  constexpr double nothing = 1e-10;  // of the length
  const Vector along = unit({to[0] - from[0], to[1] - from[1], to[2] - from[2]});
  std::size_t first = 0;
  while (first < 2 && std::abs(along[first]) < nothing) ++first;
  Vector near{};
  near[(first + 1) % 3] = 1;
  const Vector third = unit(cross(along, near));
  return {along, cross(third, along), third};
}

/// Multiples of the eight v of an end, in global components: the deformation of its section, linear and
/// bilinear in the place over it.
std::array<std::vector<fem::Term>, 3> deformation(const std::array<Vector, 3>& axes, std::int32_t v, double s,
                                                  double t) {
  std::array<std::vector<fem::Term>, 3> rows;
  for (std::size_t i = 0; i < 3; ++i) {
    rows[i] = {{v, s * axes[0][i]},      // leaning over the second direction
               {v + 1, s * axes[1][i]},  // widening along it
               {v + 2, t * axes[0][i]},  // the same of the third
               {v + 3, t * axes[2][i]},
               {v + 4, s * axes[2][i] + t * axes[1][i]},  // shear; the other combination would be the twist
               {v + 5 + static_cast<std::int32_t>(i), s * t}};
    std::erase_if(rows[i], [](const fem::Term& term) { return term.coefficient == 0; });
  }
  return rows;
}

Vector place_of(const Solids& solids, std::int32_t node) {
  const double* x = solids.coordinates.data() + 3 * static_cast<std::size_t>(node);
  return {x[0], x[1], x[2]};
}

}  // namespace

void add_truss(std::span<const std::int32_t> ends, double area, Solids& solids) {
  const std::array<Vector, 3> axes = directions(place_of(solids, ends[0]), place_of(solids, ends[1]));
  const double half_side = std::sqrt(area) / 2;
  std::array<std::array<std::int32_t, 4>, 2> corner{};  // of each end, round the section
  static constexpr std::array<std::array<double, 2>, 4> signs{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  for (std::size_t end = 0; end < 2; ++end) {
    const std::int32_t v = solids.user_dofs;
    solids.user_dofs += 8;
    for (std::size_t c = 0; c < 4; ++c) {
      const auto [s, t] = signs[c];
      Vector x = place_of(solids, ends[end]);
      for (std::size_t i = 0; i < 3; ++i) x[i] += half_side * (s * axes[1][i] + t * axes[2][i]);
      std::array<std::vector<fem::Term>, 3> rows = deformation(axes, v, s, t);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::vector<fem::Term>& of_node = solids.rows[3 * static_cast<std::size_t>(ends[end]) + i];
        rows[i].insert(rows[i].begin(), of_node.begin(), of_node.end());
      }
      corner[end][c] = solids.add_copy(ends[end], x, std::move(rows));
      solids.turning_copies.push_back(corner[end][c]);
    }
  }
  const auto& [near, far] = corner;
  solids.node.insert(solids.node.end(), {near[0], far[0], far[1], near[1], near[3], far[3], far[2], near[2]});
}

}  // namespace setka::analysis
