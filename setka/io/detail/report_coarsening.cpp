// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/report_coarsening.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <unordered_map>

namespace setka::io::detail {
namespace {

using Triangle = std::array<std::int32_t, 3>;

/// Edges of all boxes are this long; the first of them begins at `low`.
struct Boxes {
  std::array<double, 3> low;
  double edge;

  std::array<double, 3> place(std::span<const double, 3> x) const {
    std::array<double, 3> at{};
    for (std::size_t i = 0; i < 3; ++i) at[i] = (x[i] - low[i]) / edge;
    return at;
  }
  std::uint64_t number(std::span<const double, 3> x) const {
    std::uint64_t number = 0;
    for (const double at : place(x)) number = (number << 21) | static_cast<std::uint64_t>(std::max(0.0, at));
    return number;
  }
  double from_middle(std::span<const double, 3> x) const {
    double sum = 0;
    for (const double at : place(x)) sum += (at - std::floor(at) - 0.5) * (at - std::floor(at) - 0.5);
    return sum;
  }
};

/// Those that are left, each beginning with its lowest node.
std::vector<Triangle> left_of(const std::vector<std::int32_t>& nodes,
                              const std::vector<std::int32_t>& became) {
  std::vector<Triangle> left;
  for (std::size_t i = 0; i + 2 < nodes.size(); i += 3) {
    Triangle own{};
    for (std::size_t k = 0; k < 3; ++k) own[k] = became[static_cast<std::size_t>(nodes[i + k])];
    if (own[0] == own[1] || own[1] == own[2] || own[2] == own[0]) continue;
    std::rotate(own.begin(), std::ranges::min_element(own), own.end());
    left.push_back(own);
  }
  std::ranges::sort(left);
  left.erase(std::unique(left.begin(), left.end()), left.end());
  return left;
}

std::vector<std::int32_t> merged_nodes(const mesh::Mesh& mesh, const std::vector<std::int32_t>& used,
                                       const Boxes& boxes) {
  struct Nearest {
    std::int32_t node;
    double distance;
  };
  std::unordered_map<std::uint64_t, Nearest> in_box;
  for (const std::int32_t node : used) {
    const double distance = boxes.from_middle(mesh.coordinates(node));
    const auto [at, fresh] =
        in_box.try_emplace(boxes.number(mesh.coordinates(node)), Nearest{node, distance});
    if (!fresh && distance < at->second.distance) at->second = {node, distance};
  }
  std::vector<std::int32_t> became(static_cast<std::size_t>(mesh.node_count()));
  for (std::size_t node = 0; node < became.size(); ++node) became[node] = static_cast<std::int32_t>(node);
  for (const std::int32_t node : used)
    became[static_cast<std::size_t>(node)] = in_box.at(boxes.number(mesh.coordinates(node))).node;
  return became;
}

}  // namespace

std::vector<std::int32_t> coarsen_triangles(const mesh::Mesh& mesh,
                                            std::span<std::vector<std::int32_t>* const> lists,
                                            std::int64_t most_triangles) {
  std::vector<std::int32_t> used;
  double area = 0;
  Boxes boxes{{}, 1};
  boxes.low.fill(std::numeric_limits<double>::infinity());
  std::array<double, 3> high;
  high.fill(-std::numeric_limits<double>::infinity());
  for (const std::vector<std::int32_t>* list : lists) {
    used.insert(used.end(), list->begin(), list->end());
    for (std::size_t i = 0; i + 2 < list->size(); i += 3) {
      const auto a = mesh.coordinates((*list)[i]);
      const auto b = mesh.coordinates((*list)[i + 1]);
      const auto c = mesh.coordinates((*list)[i + 2]);
      std::array<double, 3> normal{};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3;
        const std::size_t m = (k + 2) % 3;
        normal[k] = (b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]);
      }
      area += 0.5 * std::hypot(normal[0], normal[1], normal[2]);
    }
  }
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (const std::int32_t node : used) {
    for (std::size_t i = 0; i < 3; ++i) {
      boxes.low[i] = std::min(boxes.low[i], mesh.coordinates(node)[i]);
      high[i] = std::max(high[i], mesh.coordinates(node)[i]);
    }
  }
  const double longest = std::max({high[0] - boxes.low[0], high[1] - boxes.low[1], high[2] - boxes.low[2]});
  // Two triangles a box where the surface crosses it; no more boxes than their number has bits for.
  boxes.edge = std::max(std::sqrt(2 * area / static_cast<double>(most_triangles)), longest / 2e6);
  if (!(boxes.edge > 0)) boxes.edge = 1;
  for (int k = 0; k < 3; ++k) boxes.low[static_cast<std::size_t>(k)] -= 1e-3 * boxes.edge;
  for (;;) {
    std::vector<std::int32_t> became = merged_nodes(mesh, used, boxes);
    std::vector<std::vector<Triangle>> left;
    std::int64_t count = 0;
    for (const std::vector<std::int32_t>* list : lists) {
      left.push_back(left_of(*list, became));
      count += static_cast<std::int64_t>(left.back().size());
    }
    if (count > most_triangles) {
      boxes.edge *=
          std::max(1.1, std::sqrt(static_cast<double>(count) / static_cast<double>(most_triangles)));
      continue;
    }
    for (std::size_t l = 0; l < lists.size(); ++l) {
      lists[l]->clear();
      for (const Triangle& triangle : left[l])
        lists[l]->insert(lists[l]->end(), triangle.begin(), triangle.end());
    }
    return became;
  }
}

}  // namespace setka::io::detail
