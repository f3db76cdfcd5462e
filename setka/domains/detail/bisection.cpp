// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>

#include "setka/domains/detail/partitioners.hpp"

namespace setka::domains::detail {
namespace {

class Bisection {
 public:
  Bisection(const Graph& graph, std::vector<std::int32_t>& part) : graph_(graph), part_(part) {}

  /// Parts [first, first + parts) to some vertices, which are put in another order.
  void share_out(std::span<std::int32_t> vertices, int first, int parts) {
    if (parts == 1) {
      for (const std::int32_t v : vertices) part_[static_cast<std::size_t>(v)] = first;
      return;
    }
    const std::size_t axis = longest_side(vertices);
    const auto before = [&](std::int32_t a, std::int32_t b) {
      const double at_a = coordinate(a, axis);
      const double at_b = coordinate(b, axis);
      return at_a != at_b ? at_a < at_b : a < b;
    };
    std::ranges::sort(vertices, before);
    const int lower = parts / 2;
    const std::size_t cut = cut_of(vertices, lower, parts);
    share_out(vertices.first(cut), first, lower);
    share_out(vertices.subspan(cut), first + lower, parts - lower);
  }

 private:
  double coordinate(std::int32_t vertex, std::size_t axis) const {
    return graph_.place[3 * static_cast<std::size_t>(vertex) + axis];
  }

  std::size_t longest_side(std::span<const std::int32_t> vertices) const {
    std::array<double, 3> side{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [least, most] =
          std::ranges::minmax(vertices, {}, [&](std::int32_t v) { return coordinate(v, axis); });
      side[axis] = coordinate(most, axis) - coordinate(least, axis);
    }
    return static_cast<std::size_t>(std::ranges::max_element(side) - side.begin());
  }

  /// How many vertices have the weight of the lower parts; as many at least on each side as there are parts.
  std::size_t cut_of(std::span<const std::int32_t> vertices, int lower, int parts) const {
    std::int64_t all = 0;
    for (const std::int32_t v : vertices) all += graph_.vertex_weight[static_cast<std::size_t>(v)];
    std::int64_t below = 0;
    std::size_t cut = 0;
    while (cut < vertices.size()) {
      const std::int64_t next = graph_.vertex_weight[static_cast<std::size_t>(vertices[cut])];
      if ((2 * below + next) * parts > 2 * all * lower) break;  // nearer without it
      below += next;
      ++cut;
    }
    return std::clamp(cut, static_cast<std::size_t>(lower),
                      vertices.size() - static_cast<std::size_t>(parts - lower));
  }

  const Graph& graph_;
  std::vector<std::int32_t>& part_;
};

}  // namespace

std::vector<std::int32_t> by_bisection(const Graph& graph, int parts) {
  std::vector<std::int32_t> part(static_cast<std::size_t>(graph.size()), 0);
  std::vector<std::int32_t> vertices(part.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  Bisection(graph, part).share_out(vertices, 0, parts);
  return part;
}

}  // namespace setka::domains::detail
