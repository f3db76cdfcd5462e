// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include "setka/domains/detail/partitioners.hpp"

namespace setka::domains::detail {
namespace {

class Bisection {
 public:
  Bisection(const Graph& graph, std::span<const double> shares, std::vector<std::int32_t>& part)
      : graph_(graph), shares_(shares), part_(part) {}

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
    const int lower = parts / 2;
    const std::size_t cut = cut_of(vertices, before, first, lower, parts);
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

  double share_of(int first, int parts) const {
    const auto some = shares_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(parts));
    return std::accumulate(some.begin(), some.end(), 0.0);
  }

  /// How many vertices have the weight of the lower parts; as many at least on each side as there are parts.
  /// Puts those first, in any order: sorting all of them would take most of the time.
  template <class Before>
  std::size_t cut_of(std::span<std::int32_t> vertices, const Before& before, int first, int lower,
                     int parts) const {
    const double wanted =
        static_cast<double>(weight_of(vertices)) * share_of(first, lower) / share_of(first, parts);
    std::size_t begin = 0;
    std::size_t end = vertices.size();
    std::int64_t below = 0;  // the weight of [0, begin)
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      const auto at = vertices.begin() + static_cast<std::ptrdiff_t>(middle);
      std::nth_element(vertices.begin() + static_cast<std::ptrdiff_t>(begin), at,
                       vertices.begin() + static_cast<std::ptrdiff_t>(end), before);
      const std::int64_t before_middle = below + weight_of(vertices.subspan(begin, middle - begin));
      const std::int64_t own = weight_of(vertices.subspan(middle, 1));
      if (static_cast<double>(2 * before_middle + own) > 2 * wanted) {  // nearer without it
        end = middle;
      } else {
        begin = middle + 1;
        below = before_middle + own;
      }
    }
    const std::size_t cut = std::clamp(begin, static_cast<std::size_t>(lower),
                                       vertices.size() - static_cast<std::size_t>(parts - lower));
    if (cut != begin)
      std::ranges::nth_element(vertices, vertices.begin() + static_cast<std::ptrdiff_t>(cut), before);
    return cut;
  }

  std::int64_t weight_of(std::span<const std::int32_t> vertices) const {
    std::int64_t weight = 0;
    for (const std::int32_t v : vertices) weight += graph_.vertex_weight[static_cast<std::size_t>(v)];
    return weight;
  }

  const Graph& graph_;
  std::span<const double> shares_;
  std::vector<std::int32_t>& part_;
};

}  // namespace

std::vector<std::int32_t> by_bisection(const Graph& graph, std::span<const double> shares) {
  std::vector<std::int32_t> part(static_cast<std::size_t>(graph.size()), 0);
  std::vector<std::int32_t> vertices(part.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  Bisection(graph, shares, part).share_out(vertices, 0, static_cast<int>(shares.size()));
  return part;
}

}  // namespace setka::domains::detail
