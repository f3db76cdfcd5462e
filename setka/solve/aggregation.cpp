// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/aggregation.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "setka/exec/parallel.hpp"
#include "setka/exec/scan.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/solve/aggregation_kernel.hpp"

namespace setka::solve {
namespace {

constexpr std::int32_t free_row = -2;
constexpr std::int32_t isolated = -1;

/// Rows that an aggregate should have: fewer of three unknowns each are hardly fewer unknowns when they
/// become six. Chains of nodes across a thin part make such small ones.
constexpr std::int32_t least_members = 4;

/// Joins aggregates that are too small to the nearest one, and numbers what is left anew. Of equally near
/// ones the smaller, and one that has grown already only where there is no other: else a chain of small
/// aggregates, a line of nodes across flat elements, would become a single one from end to end.
void merge_small(const StrongNeighbours& neighbours, Aggregates& aggregates) {
  const std::int32_t* const offset = neighbours.offset.data();
  const Members rows = members_of(aggregates);
  const auto count = static_cast<std::size_t>(aggregates.count);
  std::vector<std::int32_t> size(count);
  std::vector<std::int32_t> target(count);
  for (std::size_t g = 0; g < count; ++g) size[g] = rows.first[g + 1] - rows.first[g];
  std::iota(target.begin(), target.end(), 0);
  const auto root = [&](std::int32_t g) {
    while (size[static_cast<std::size_t>(g)] == 0) g = target[static_cast<std::size_t>(g)];  // it has joined
    return g;
  };
  // In turn: what has grown by another's joining stays.
  for (std::int32_t g = 0; g < aggregates.count; ++g) {
    const auto own = static_cast<std::size_t>(g);
    if (size[own] >= least_members || size[own] == 0) continue;
    using Rank = std::tuple<bool, float, std::int32_t>;  // has grown, distance, size
    Rank best{true, std::numeric_limits<float>::infinity(), 0};
    for (std::int32_t at = rows.first[own]; at < rows.first[own + 1]; ++at) {
      const std::int32_t i = rows.member[static_cast<std::size_t>(at)];
      for (std::int32_t k = offset[i]; k < offset[i + 1]; ++k) {
        const std::int32_t of = aggregates.of[static_cast<std::size_t>(neighbours.row.data()[k])];
        const std::int32_t other = of < 0 ? g : root(of);
        if (other == g) continue;
        const std::int32_t others = size[static_cast<std::size_t>(other)];
        const Rank rank{others >= 2 * least_members, neighbours.apart.data()[k], others};
        if (rank >= best) continue;
        best = rank;
        target[own] = other;
      }
    }
    if (target[own] == g) continue;
    size[static_cast<std::size_t>(target[own])] += size[own];
    size[own] = 0;
  }
  std::vector<std::int32_t> number(count);
  std::int32_t left = 0;
  for (std::size_t g = 0; g < count; ++g) number[g] = size[g] > 0 ? left++ : -1;
  for (std::int32_t& g : aggregates.of) {
    if (g >= 0) g = number[static_cast<std::size_t>(root(g))];
  }
  aggregates.count = left;
}

}  // namespace

Members members_of(const Aggregates& aggregates) {
  Members members;
  members.first.assign(static_cast<std::size_t>(aggregates.count) + 1, 0);
  for (const std::int32_t g : aggregates.of) {
    if (g >= 0) ++members.first[static_cast<std::size_t>(g) + 1];
  }
  for (std::size_t g = 0; g + 1 < members.first.size(); ++g) members.first[g + 1] += members.first[g];
  members.member.resize(static_cast<std::size_t>(members.first.back()));
  std::vector<std::int32_t> next(members.first.begin(), members.first.end() - 1);
  for (std::size_t i = 0; i < aggregates.of.size(); ++i) {
    const std::int32_t g = aggregates.of[i];
    if (g >= 0) {
      members.member[static_cast<std::size_t>(next[static_cast<std::size_t>(g)]++)] =
          static_cast<std::int32_t>(i);
    }
  }
  return members;
}

StrongNeighbours strong_neighbours(const sparse::BlockCsr<double>& matrix,
                                   const std::vector<double>& coordinates, double threshold) {
  const exec::Stream stream = matrix.device();
  const exec::Device cpu = matrix.device().is_cuda() ? exec::Device::cpu() : matrix.device();
  const std::int32_t rows = matrix.rows();
  const exec::Array<double> places(matrix.device(), coordinates);
  const exec::Scratch<float> distance(stream, matrix.blocks());
  const exec::Scratch<float> nearest(stream, rows);
  exec::parallel_for(
      stream, rows,
      kernel::MeasureRow{matrix.view(), matrix.height(), matrix.width(),
                         coordinates.empty() ? nullptr : places.data(), distance.data(), nearest.data()});
  const kernel::Strength strength{distance.data(), nearest.data(), static_cast<float>(threshold * threshold)};
  exec::Array<std::int32_t> offset(matrix.device(), std::int64_t{rows} + 1);
  exec::parallel_for(stream, rows, kernel::CountStrong{matrix.view(), strength, offset.data()});
  exec::exclusive_scan<std::int32_t>(stream, offset, offset);
  const std::int32_t count = exec::value_at(stream, offset.view().part(rows, 1));
  exec::Array<std::int32_t> row(matrix.device(), count);
  exec::Array<float> apart(matrix.device(), count);
  exec::parallel_for(stream, rows,
                     kernel::ListStrong{matrix.view(), strength, offset.data(), row.data(), apart.data()});
  return {rows, std::move(offset).to(cpu), std::move(row).to(cpu), std::move(apart).to(cpu)};
}

Aggregates aggregate(const StrongNeighbours& neighbours, int members) {
  const std::int32_t rows = neighbours.rows;
  const std::int32_t* const offset = neighbours.offset.data();
  const std::int32_t* const neighbour = neighbours.row.data();
  Aggregates result;
  result.of.assign(static_cast<std::size_t>(rows), free_row);
  auto& of = result.of;
  const auto owner = [&](std::int32_t k) -> std::int32_t& {
    return of[static_cast<std::size_t>(neighbour[k])];
  };

  // Nearest first where not all are taken; equally near ones in the order of rows.
  std::vector<std::pair<float, std::int32_t>> nearest;
  const auto make = [&](bool half) {
    for (std::int32_t i = 0; i < rows; ++i) {
      auto& own = of[static_cast<std::size_t>(i)];
      if (own != free_row) continue;
      const std::int32_t begin = offset[i];
      const std::int32_t end = offset[i + 1];
      if (begin == end) {
        own = isolated;
        continue;
      }
      nearest.clear();
      for (std::int32_t k = begin; k < end; ++k) {
        if (owner(k) == free_row) {
          nearest.emplace_back(neighbours.apart.data()[k], neighbour[k]);
        } else if (members == any_number) {
          break;  // all are wanted
        }
      }
      const std::int32_t wanted = members == any_number ? end - begin : members - 1;
      const auto found = static_cast<std::int32_t>(nearest.size());
      if (found < (half ? wanted / 2 : wanted)) continue;
      if (found > wanted) std::sort(nearest.begin(), nearest.end());
      own = result.count;
      for (std::int32_t k = 0; k < std::min(found, wanted); ++k)
        of[static_cast<std::size_t>(nearest[static_cast<std::size_t>(k)].second)] = result.count;
      ++result.count;
    }
  };
  make(false);
  if (members != any_number) make(true);

  // What is left joins an aggregate of those passes; decided for all before any joins, so that no tail
  // grows.
  std::vector<std::int32_t> joins(of.size(), free_row);
  for (std::int32_t i = 0; i < rows; ++i) {
    if (of[static_cast<std::size_t>(i)] != free_row) continue;
    float best = 2;
    for (std::int32_t k = offset[i]; k < offset[i + 1]; ++k) {
      if (owner(k) >= 0 && neighbours.apart.data()[k] < best) {
        best = neighbours.apart.data()[k];
        joins[static_cast<std::size_t>(i)] = owner(k);
      }
    }
  }
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (joins[i] != free_row) of[i] = joins[i];
  }

  // Rows without such a neighbour make aggregates among themselves.
  for (std::int32_t i = 0; i < rows; ++i) {
    if (of[static_cast<std::size_t>(i)] != free_row) continue;
    of[static_cast<std::size_t>(i)] = result.count;
    for (std::int32_t k = offset[i]; k < offset[i + 1]; ++k) {
      if (owner(k) == free_row) owner(k) = result.count;
    }
    ++result.count;
  }
  merge_small(neighbours, result);
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
