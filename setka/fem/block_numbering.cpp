// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/block_numbering.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace setka::fem {
namespace {

struct Box {
  std::array<double, 3> low{};
  std::array<double, 3> high{};
};

Box box_of(const Solids& solids) {
  Box box;
  for (std::size_t i = 0; i < solids.coordinates.size(); ++i) {
    const double x = solids.coordinates[i];
    box.low[i % 3] = i < 3 ? x : std::min(box.low[i % 3], x);
    box.high[i % 3] = i < 3 ? x : std::max(box.high[i % 3], x);
  }
  return box;
}

}  // namespace

std::vector<double> BlockNumbering::spread(std::span<const double> q) const {
  std::vector<double> blocked(static_cast<std::size_t>(size()), 0.0);
  for (std::size_t i = 0; i < place.size(); ++i) blocked[static_cast<std::size_t>(place[i])] = q[i];
  return blocked;
}

std::vector<double> BlockNumbering::collect(std::span<const double> blocked) const {
  std::vector<double> q(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) q[i] = blocked[static_cast<std::size_t>(place[i])];
  return q;
}

BlockNumbering number_blocks(const Constraints& constraints, std::span<const std::int32_t> order) {
  const std::span<const std::int32_t> dofs = constraints.unknown_dofs();
  BlockNumbering numbering;
  std::vector<std::int32_t> nodes;  // of the blocks
  for (const std::int32_t dof : dofs) {
    if (nodes.empty() || nodes.back() != dof / 3) nodes.push_back(dof / 3);
  }
  numbering.blocks = static_cast<std::int32_t>(nodes.size());
  std::vector<std::int32_t> block(nodes.size());  // of each of them
  std::iota(block.begin(), block.end(), 0);
  if (!order.empty()) {
    std::vector<std::int32_t> sorted = block;
    std::ranges::stable_sort(sorted, {}, [&](std::int32_t b) {
      const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(b)]);
      return node < order.size() ? order[node] : std::numeric_limits<std::int32_t>::max();
    });
    for (std::size_t i = 0; i < sorted.size(); ++i)
      block[static_cast<std::size_t>(sorted[i])] = static_cast<std::int32_t>(i);
  }
  numbering.place.reserve(dofs.size());
  std::size_t at = 0;
  for (const std::int32_t dof : dofs) {
    if (nodes[at] != dof / 3) ++at;
    numbering.place.push_back(3 * block[at] + dof % 3);
  }
  return numbering;
}

double size_of(const Solids& solids) {
  const Box box = box_of(solids);
  double size = 0;
  for (std::size_t i = 0; i < 3; ++i) size = std::max(size, (box.high[i] - box.low[i]) / 2);
  return size == 0 ? 1 : size;
}

RigidModes rigid_modes(const Solids& solids, const Constraints& constraints,
                       const BlockNumbering& numbering) {
  const Box box = box_of(solids);
  const double size = size_of(solids);

  // The unknowns q that come nearest to a motion u, each by itself: q_j = sum T_dj u_d / sum T_dj^2.
  std::vector<double> modes(static_cast<std::size_t>(numbering.size()) * 6, 0.0);
  std::vector<double> coordinates(static_cast<std::size_t>(numbering.size()), 0.0);
  std::vector<double> met(static_cast<std::size_t>(numbering.blocks), 0.0);  // how often a block was met
  std::vector<double> weight(static_cast<std::size_t>(numbering.size()), 0.0);
  for (std::int32_t node = 0; node < solids.node_count(); ++node) {
    double at[3];
    for (std::size_t i = 0; i < 3; ++i) {
      at[i] = (solids.coordinates[3 * static_cast<std::size_t>(node) + i] - (box.low[i] + box.high[i]) / 2) /
              size;
    }
    const double motion[3][6] = {
        {1, 0, 0, 0, at[2], -at[1]}, {0, 1, 0, -at[2], 0, at[0]}, {0, 0, 1, at[1], -at[0], 0}};
    for (std::int32_t i = 0; i < 3; ++i) {
      for (const Term& term : constraints.row(3 * node + i)) {
        const auto place = static_cast<std::size_t>(numbering.place[static_cast<std::size_t>(term.index)]);
        weight[place] += term.coefficient * term.coefficient;
        met[place / 3] += 1;
        for (std::size_t x = 0; x < 3; ++x)
          coordinates[place / 3 * 3 + x] += solids.coordinates[3 * static_cast<std::size_t>(node) + x];
        for (std::size_t m = 0; m < 6; ++m) modes[6 * place + m] += term.coefficient * motion[i][m];
      }
    }
  }
  for (std::size_t place = 0; place < weight.size(); ++place) {
    if (weight[place] == 0) continue;
    for (std::size_t m = 0; m < 6; ++m) modes[6 * place + m] /= weight[place];
  }
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (met[i / 3] > 0) coordinates[i] /= met[i / 3];
  }
  return {std::move(modes), std::move(coordinates)};
}

}  // namespace setka::fem
