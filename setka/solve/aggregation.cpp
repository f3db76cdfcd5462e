// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/aggregation.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "setka/exec/parallel.hpp"

namespace setka::solve {
namespace {

/// Of each stored block: how far its two rows are apart, squared, in units of the reach of the one that
/// reaches farther; more than 1: not strong. The diagonal and blocks of zeros count as far.
std::vector<float> distances(const sparse::BlockCsr<double>& matrix, const std::vector<double>& coordinates,
                             double reach) {
  const sparse::BlockCsrView<double> a = matrix.view();
  const int threads = matrix.device().threads();
  constexpr float far = std::numeric_limits<float>::infinity();
  const int height = matrix.height();
  const int width = matrix.width();
  std::vector<float> distance(static_cast<std::size_t>(matrix.blocks()));
  std::vector<float> nearest(static_cast<std::size_t>(a.rows), 0.0F);
  exec::host::for_each(threads, a.rows, 256, [&](std::int64_t i) {
    const std::int32_t begin = a.offset[i];
    const std::int64_t n = std::int64_t{a.offset[i + 1] - begin} * width;
    const double* const values = a.value + std::int64_t{begin} * height * width;
    float least = far;
    for (std::int32_t k = begin; k < a.offset[i + 1]; ++k) {
      const std::int32_t j = a.column[k];
      bool coupled = false;
      for (int r = 0; r < height && !coupled; ++r) {
        for (int c = 0; c < width; ++c)
          coupled = coupled || values[r * n + std::int64_t{k - begin} * width + c] != 0;
      }
      double sum = coordinates.empty() ? 1.0 : 0.0;
      for (std::size_t x = 0; x < 3 && !coordinates.empty(); ++x) {
        const double apart = coordinates[3 * static_cast<std::size_t>(i) + x] -
                             coordinates[3 * static_cast<std::size_t>(j) + x];
        sum += apart * apart;
      }
      const float squared = j == i || !coupled ? far : static_cast<float>(sum);
      distance[static_cast<std::size_t>(k)] = squared;
      least = std::min(least, squared);
    }
    nearest[static_cast<std::size_t>(i)] = least;
  });
  const auto stretch = static_cast<float>(reach * reach);
  exec::host::for_each(threads, a.rows, 256, [&](std::int64_t i) {
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      float& d = distance[static_cast<std::size_t>(k)];
      if (d == far) continue;
      const float most = stretch * std::max(nearest[static_cast<std::size_t>(i)],
                                            nearest[static_cast<std::size_t>(a.column[k])]);
      d = most > 0 ? d / most : 1.0F;  // nodes in one place are neighbours
    }
  });
  return distance;
}

constexpr std::int32_t free_row = -2;
constexpr std::int32_t isolated = -1;

/// Rows that an aggregate should have: fewer of three unknowns each are hardly fewer unknowns when they
/// become six. Chains of nodes across a thin part make such small ones.
constexpr std::int32_t least_members = 4;

/// Joins aggregates that are too small to the nearest one, and numbers what is left anew.
template <class Strong>
void merge_small(const sparse::BlockCsrView<double>& a, const std::vector<float>& distance,
                 const Strong& strong, Aggregates& aggregates) {
  std::vector<std::int32_t> size(static_cast<std::size_t>(aggregates.count), 0);
  for (const std::int32_t g : aggregates.of) {
    if (g >= 0) ++size[static_cast<std::size_t>(g)];
  }
  std::vector<std::int32_t> target(size.size());
  std::vector<float> best(size.size(), std::numeric_limits<float>::infinity());
  std::iota(target.begin(), target.end(), 0);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const std::int32_t own = aggregates.of[static_cast<std::size_t>(i)];
    if (own < 0 || size[static_cast<std::size_t>(own)] >= least_members) continue;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      const std::int32_t other = aggregates.of[static_cast<std::size_t>(a.column[k])];
      const float d = distance[static_cast<std::size_t>(k)];
      if (other >= 0 && other != own && strong(k) && d < best[static_cast<std::size_t>(own)]) {
        best[static_cast<std::size_t>(own)] = d;
        target[static_cast<std::size_t>(own)] = other;
      }
    }
  }
  // In turn: what has grown by another's joining stays.
  for (std::size_t g = 0; g < target.size(); ++g) {
    if (size[g] >= least_members || size[g] == 0 || target[g] == static_cast<std::int32_t>(g)) continue;
    auto to = static_cast<std::size_t>(target[g]);
    while (size[to] == 0) to = static_cast<std::size_t>(target[to]);  // it has joined another itself
    if (to == g) continue;
    size[to] += size[g];
    size[g] = 0;
    target[g] = static_cast<std::int32_t>(to);
  }
  std::vector<std::int32_t> number(target.size());
  std::int32_t count = 0;
  for (std::size_t g = 0; g < number.size(); ++g) number[g] = size[g] > 0 ? count++ : -1;
  for (std::int32_t& g : aggregates.of) {
    if (g < 0) continue;
    auto at = static_cast<std::size_t>(g);
    while (size[at] == 0) at = static_cast<std::size_t>(target[at]);
    g = number[at];
  }
  aggregates.count = count;
}

}  // namespace

Aggregates aggregate(const sparse::BlockCsr<double>& host_matrix, const std::vector<double>& coordinates,
                     double reach) {
  const sparse::BlockCsrView<double> a = host_matrix.view();
  const std::vector<float> distance = distances(host_matrix, coordinates, reach);
  const auto strong = [&](std::int32_t k) { return distance[static_cast<std::size_t>(k)] <= 1; };
  Aggregates result;
  result.of.assign(static_cast<std::size_t>(a.rows), free_row);
  auto& of = result.of;
  const auto owner = [&](std::int32_t k) { return of[static_cast<std::size_t>(a.column[k])]; };

  for (std::int32_t i = 0; i < a.rows; ++i) {
    if (of[static_cast<std::size_t>(i)] != free_row) continue;
    bool alone = true;
    bool all_free = true;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1] && all_free; ++k) {
      if (!strong(k)) continue;
      alone = false;
      all_free = owner(k) == free_row;
    }
    if (alone) {
      of[static_cast<std::size_t>(i)] = isolated;
    } else if (all_free) {
      of[static_cast<std::size_t>(i)] = result.count;
      for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
        if (strong(k)) of[static_cast<std::size_t>(a.column[k])] = result.count;
      }
      ++result.count;
    }
  }

  // What is left joins an aggregate of the first pass; decided for all before any joins, so that no tail
  // grows.
  std::vector<std::int32_t> joins(of.size(), free_row);
  for (std::int32_t i = 0; i < a.rows; ++i) {
    if (of[static_cast<std::size_t>(i)] != free_row) continue;
    float best = 2;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      if (strong(k) && owner(k) >= 0 && distance[static_cast<std::size_t>(k)] < best) {
        best = distance[static_cast<std::size_t>(k)];
        joins[static_cast<std::size_t>(i)] = owner(k);
      }
    }
  }
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (joins[i] != free_row) of[i] = joins[i];
  }

  // Rows without such a neighbour make aggregates among themselves.
  for (std::int32_t i = 0; i < a.rows; ++i) {
    if (of[static_cast<std::size_t>(i)] != free_row) continue;
    of[static_cast<std::size_t>(i)] = result.count;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      if (strong(k) && owner(k) == free_row) of[static_cast<std::size_t>(a.column[k])] = result.count;
    }
    ++result.count;
  }
  merge_small(a, distance, strong, result);
  return result;
}

std::vector<double> aggregate_coordinates(const Aggregates& aggregates,
                                          const std::vector<double>& coordinates) {
  if (coordinates.empty()) return {};
  std::vector<double> means(3 * static_cast<std::size_t>(aggregates.count), 0.0);
  std::vector<double> count(static_cast<std::size_t>(aggregates.count), 0.0);
  for (std::size_t i = 0; i < aggregates.of.size(); ++i) {
    if (aggregates.of[i] < 0) continue;
    const auto g = static_cast<std::size_t>(aggregates.of[i]);
    count[g] += 1;
    for (std::size_t x = 0; x < 3; ++x) means[3 * g + x] += coordinates[3 * i + x];
  }
  for (std::size_t m = 0; m < means.size(); ++m) means[m] /= count[m / 3];
  return means;
}

}  // namespace setka::solve
