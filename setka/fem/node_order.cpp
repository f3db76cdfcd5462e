// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/node_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>

namespace setka::fem {
namespace {

constexpr int bits = 20;  // of a coordinate in the key of a node

/// By how many doublings the nodes of an element have to come nearer to each other.
constexpr double least_gain = 2;

/// The mean over the elements of the binary logarithm of how far apart their nodes lie. place: empty: as the
/// nodes are numbered.
double mean_spread(const Region& region, std::span<const std::int32_t> place) {
  double sum = 0;
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    std::int32_t least = region.node_count();
    std::int32_t most = 0;
    for (const std::int32_t node : region.nodes(e)) {
      const std::int32_t at = place.empty() ? node : place[static_cast<std::size_t>(node)];
      least = std::min(least, at);
      most = std::max(most, at);
    }
    sum += std::log2(std::max(1, most - least));
  }
  return sum / std::max(1, region.element_count());
}

/// Every third bit of the result, from the last on, is one of x.
std::uint64_t every_third(std::uint64_t x) {
  std::uint64_t spread = 0;
  for (int bit = 0; bit < bits; ++bit) spread |= (x >> bit & 1U) << (3 * bit);
  return spread;
}

}  // namespace

std::vector<std::int32_t> order_along_curve(const Region& region) {
  const auto nodes = static_cast<std::size_t>(region.node_count());
  if (nodes == 0) return {};
  std::array<double, 3> low{region.coordinates[0], region.coordinates[1], region.coordinates[2]};
  double size = 0;  // one for all directions, so that boxes of the curve are cubes
  for (std::size_t i = 0; i < region.coordinates.size(); ++i)
    low[i % 3] = std::min(low[i % 3], region.coordinates[i]);
  for (std::size_t i = 0; i < region.coordinates.size(); ++i)
    size = std::max(size, region.coordinates[i] - low[i % 3]);
  if (!(size > 0)) return {};
  std::vector<std::uint64_t> key(nodes, 0);
  const double scale = static_cast<double>((std::uint64_t{1} << bits) - 1) / size;
  for (std::size_t i = 0; i < region.coordinates.size(); ++i) {
    const double at = scale * (region.coordinates[i] - low[i % 3]);
    key[i / 3] |= every_third(static_cast<std::uint64_t>(at)) << (i % 3);
  }
  std::vector<std::int32_t> sorted(nodes);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::stable_sort(sorted, {},
                           [&](std::int32_t node) { return key[static_cast<std::size_t>(node)]; });
  std::vector<std::int32_t> place(nodes);
  for (std::size_t i = 0; i < nodes; ++i)
    place[static_cast<std::size_t>(sorted[i])] = static_cast<std::int32_t>(i);
  if (mean_spread(region, place) > mean_spread(region, {}) - least_gain) return {};
  return place;
}

}  // namespace setka::fem
