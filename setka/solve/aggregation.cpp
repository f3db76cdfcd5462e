// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/aggregation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "setka/exec/copy.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scan.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/sort.hpp"
#include "setka/solve/aggregation_kernel.hpp"

namespace setka::solve {
namespace {

using kernel::free_row;
using kernel::isolated_row;

/// Rows that an aggregate should have: fewer of three unknowns each are hardly fewer unknowns when they
/// become six. Chains of nodes across a thin part make such small ones.
constexpr std::int32_t least_members = 4;

/// Neighbours that come from a GPU at a time: 16 MB.
constexpr std::int64_t piece_entries = std::int64_t{1} << 22;

/// What becomes of the rows, while the host decides.
struct Choice {
  std::vector<std::int32_t> of;  // [rows]
  std::int32_t count = 0;
};

std::size_t pos(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// Shows the neighbours of each row, visit(i, first, last), in the order of rows. Those on a GPU come in
/// pieces, one while the one before it is looked at.
template <class Visit>
void visit_in_turn(const StrongNeighbours& neighbours, const std::vector<std::int32_t>& offset,
                   const Visit& visit) {
  const exec::Device& device = neighbours.row.device();
  const auto visit_rows = [&](std::int32_t begin, std::int32_t end, const std::int32_t* list) {
    const std::int32_t* const from = list - offset[pos(begin)];
    for (std::int32_t i = begin; i < end; ++i) visit(i, from + offset[pos(i)], from + offset[pos(i) + 1]);
  };
  if (!device.is_cuda()) return visit_rows(0, neighbours.rows, neighbours.row.data());

  std::vector<std::int32_t> border{0};  // rows at which a piece begins
  std::int64_t longest = 0;
  while (border.back() < neighbours.rows) {
    const std::int32_t begin = border.back();
    std::int32_t end = begin + 1;
    while (end < neighbours.rows && offset[pos(end) + 1] - offset[pos(begin)] <= piece_entries) ++end;
    longest = std::max<std::int64_t>(longest, offset[pos(end)] - offset[pos(begin)]);
    border.push_back(end);
  }
  const exec::Device cpu = exec::Device::cpu(1);
  std::array<exec::Array<std::int32_t>, 2> piece{exec::pinned_array<std::int32_t>(cpu, longest),
                                                 exec::pinned_array<std::int32_t>(cpu, longest)};
  std::array<exec::Event, 2> there;
  const exec::Stream copies = device.make_stream();
  copies.wait(device.stream().record());
  const auto fetch = [&](std::size_t p) {
    const std::int64_t begin = offset[pos(border[p])];
    const std::int64_t size = offset[pos(border[p + 1])] - begin;
    exec::copy_async<std::int32_t>(copies, neighbours.row.view().part(begin, size),
                                   piece[p % 2].view().part(0, size));
    there[p % 2] = copies.record();
  };
  const std::size_t pieces = border.size() - 1;
  if (pieces > 0) fetch(0);
  for (std::size_t p = 0; p < pieces; ++p) {
    if (p + 1 < pieces) fetch(p + 1);
    there[p % 2].synchronize();
    visit_rows(border[p], border[p + 1], piece[p % 2].data());
  }
}

/// Aggregates of a row and all its neighbours, where these are free.
void take_whole(const StrongNeighbours& neighbours, const std::vector<std::int32_t>& offset, Choice& choice) {
  std::int32_t* const of = choice.of.data();
  visit_in_turn(neighbours, offset, [&](std::int32_t i, const std::int32_t* first, const std::int32_t* last) {
    if (of[i] != free_row) return;
    if (first == last) {
      of[i] = isolated_row;
      return;
    }
    if (!std::all_of(first, last, [of](std::int32_t j) { return of[j] == free_row; })) return;
    of[i] = choice.count;
    for (const std::int32_t* j = first; j != last; ++j) of[*j] = choice.count;
    ++choice.count;
  });
}

/// Aggregates of a row and its nearest free neighbours, so many in all; then of half as many. Equally near
/// ones in the order of rows.
void take_nearest(const StrongNeighbours& neighbours, const std::vector<std::int32_t>& offset, int members,
                  Choice& choice) {
  const std::vector<std::int32_t> neighbour = neighbours.row.to_vector();
  const std::vector<float> apart = neighbours.apart.to_vector();
  std::vector<std::pair<float, std::int32_t>> nearest;
  for (const std::int32_t enough : {members - 1, (members - 1) / 2}) {
    for (std::int32_t i = 0; i < neighbours.rows; ++i) {
      if (choice.of[pos(i)] != free_row) continue;
      if (offset[pos(i)] == offset[pos(i) + 1]) {
        choice.of[pos(i)] = isolated_row;
        continue;
      }
      nearest.clear();
      for (std::int32_t k = offset[pos(i)]; k < offset[pos(i) + 1]; ++k) {
        if (choice.of[pos(neighbour[pos(k)])] == free_row)
          nearest.emplace_back(apart[pos(k)], neighbour[pos(k)]);
      }
      const auto found = static_cast<std::int32_t>(nearest.size());
      if (found < enough) continue;
      if (found > members - 1) std::sort(nearest.begin(), nearest.end());
      choice.of[pos(i)] = choice.count;
      for (std::int32_t k = 0; k < std::min(found, members - 1); ++k)
        choice.of[pos(nearest[pos(k)].second)] = choice.count;
      ++choice.count;
    }
  }
}

/// The neighbours of chosen rows, on the host.
struct Lists {
  std::vector<std::int32_t> offset;  // [chosen + 1]
  std::vector<std::int32_t> neighbour;
  std::vector<float> apart;
};

Lists lists_of(const StrongNeighbours& neighbours, const std::vector<std::int32_t>& offset,
               const std::vector<std::int32_t>& chosen) {
  Lists lists;
  lists.offset.assign(1, 0);
  for (const std::int32_t i : chosen)
    lists.offset.push_back(lists.offset.back() + offset[pos(i) + 1] - offset[pos(i)]);
  if (lists.offset.back() == 0) return lists;
  const exec::Device& device = neighbours.row.device();
  const exec::Array<std::int32_t> rows(device, chosen);
  const exec::Array<std::int32_t> to(device, lists.offset);
  exec::Array<std::int32_t> neighbour(device, lists.offset.back());
  exec::Array<float> apart(device, lists.offset.back());
  exec::parallel_for(
      device, rows.size(),
      kernel::CopyLists{rows.data(), to.data(), neighbours.offset.data(), neighbours.row.data(),
                        neighbours.apart.data(), neighbour.data(), apart.data()});
  lists.neighbour = neighbour.to_vector();
  lists.apart = apart.to_vector();
  return lists;
}

/// Rows that are left and have no neighbour in an aggregate make some among themselves.
void take_left(const StrongNeighbours& neighbours, const std::vector<std::int32_t>& offset, Choice& choice) {
  std::vector<std::int32_t> left;
  for (std::int32_t i = 0; i < neighbours.rows; ++i) {
    if (choice.of[pos(i)] == free_row) left.push_back(i);
  }
  const Lists lists = lists_of(neighbours, offset, left);
  for (std::size_t c = 0; c < left.size(); ++c) {
    if (choice.of[pos(left[c])] != free_row) continue;
    choice.of[pos(left[c])] = choice.count;
    for (std::int32_t k = lists.offset[c]; k < lists.offset[c + 1]; ++k) {
      std::int32_t& other = choice.of[pos(lists.neighbour[pos(k)])];
      if (other == free_row) other = choice.count;
    }
    ++choice.count;
  }
}

/// Joins aggregates that are too small to the nearest one, and numbers what is left anew. Of equally near
/// ones the smaller, and one that has grown already only where there is no other: else a chain of small
/// aggregates, a line of nodes across flat elements, would become a single one from end to end.
void merge_small(const StrongNeighbours& neighbours, const std::vector<std::int32_t>& offset,
                 Choice& choice) {
  std::vector<std::int32_t> size(pos(choice.count));
  for (const std::int32_t g : choice.of) {
    if (g >= 0) ++size[pos(g)];
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> of_small;  // aggregate, row
  for (std::int32_t i = 0; i < neighbours.rows; ++i) {
    const std::int32_t g = choice.of[pos(i)];
    if (g >= 0 && size[pos(g)] < least_members) of_small.emplace_back(g, i);
  }
  if (of_small.empty()) return;
  std::sort(of_small.begin(), of_small.end());
  std::vector<std::int32_t> chosen;
  chosen.reserve(of_small.size());
  for (const auto& [g, i] : of_small) chosen.push_back(i);
  const Lists lists = lists_of(neighbours, offset, chosen);

  std::vector<std::int32_t> target(pos(choice.count));
  std::iota(target.begin(), target.end(), 0);
  const auto root = [&](std::int32_t g) {
    while (size[pos(g)] == 0) g = target[pos(g)];  // it has joined
    return g;
  };
  // In turn: what has grown by another's joining stays.
  for (std::size_t begin = 0, end = 0; begin < of_small.size(); begin = end) {
    const std::int32_t g = of_small[begin].first;
    while (end < of_small.size() && of_small[end].first == g) ++end;
    if (size[pos(g)] >= least_members) continue;
    using Rank = std::tuple<bool, float, std::int32_t>;  // has grown, distance, size
    Rank best{true, std::numeric_limits<float>::infinity(), 0};
    for (std::int32_t k = lists.offset[begin]; k < lists.offset[end]; ++k) {
      const std::int32_t of = choice.of[pos(lists.neighbour[pos(k)])];
      const std::int32_t other = of < 0 ? g : root(of);
      if (other == g) continue;
      const std::int32_t others = size[pos(other)];
      const Rank rank{others >= 2 * least_members, lists.apart[pos(k)], others};
      if (rank >= best) continue;
      best = rank;
      target[pos(g)] = other;
    }
    if (target[pos(g)] == g) continue;
    size[pos(target[pos(g)])] += size[pos(g)];
    size[pos(g)] = 0;
  }
  std::vector<std::int32_t> number(pos(choice.count));
  std::int32_t left = 0;
  for (std::int32_t g = 0; g < choice.count; ++g) number[pos(g)] = size[pos(g)] > 0 ? left++ : -1;
  for (std::int32_t g = 0; g < choice.count; ++g) number[pos(g)] = number[pos(root(g))];
  for (std::int32_t& g : choice.of) {
    if (g >= 0) g = number[pos(g)];
  }
  choice.count = left;
}

/// The choice on the device, with the rows of each aggregate.
Aggregates with_members(const exec::Device& device, const Choice& choice) {
  const auto rows = static_cast<std::int64_t>(choice.of.size());
  exec::Array<std::int32_t> of(device, choice.of);
  exec::Array<std::int32_t> sorted(device, choice.of);
  exec::Array<std::int32_t> member(device, rows);
  exec::parallel_for(device, rows, kernel::CountUp{member.data()});
  exec::sort_by_key<std::int32_t, std::int32_t>(device, sorted, member);
  // Isolated rows come first.
  const auto isolated =
      static_cast<std::int64_t>(std::count(choice.of.begin(), choice.of.end(), isolated_row));
  const std::int64_t joined = rows - isolated;
  exec::Array<std::int32_t> first(device, std::int64_t{choice.count} + 1);
  exec::Array<std::int32_t> members(device, joined);
  exec::copy_async<std::int32_t>(device, member.view().part(isolated, joined), members);
  exec::parallel_for(device, joined, kernel::FindFirst{sorted.data() + isolated, first.data()});
  const auto end = static_cast<std::int32_t>(joined);
  exec::copy_async<std::int32_t>(device, exec::View<const std::int32_t>{&end, 1},
                                 first.view().part(choice.count, 1));
  device.synchronize();
  return {choice.count, std::move(of), std::move(first), std::move(members)};
}

}  // namespace

StrongNeighbours strong_neighbours(const sparse::BlockCsr<double>& matrix,
                                   exec::View<const double> coordinates, double threshold) {
  const exec::Stream stream = matrix.device();
  const std::int32_t rows = matrix.rows();
  const exec::Scratch<float> distance(stream, matrix.blocks());
  const exec::Scratch<float> nearest(stream, rows);
  exec::parallel_for(stream, rows,
                     kernel::MeasureRow{matrix.view(), matrix.height(), matrix.width(),
                                        coordinates.size == 0 ? nullptr : coordinates.data, distance.data(),
                                        nearest.data()});
  const kernel::Strength strength{distance.data(), nearest.data(), static_cast<float>(threshold * threshold)};
  exec::Array<std::int32_t> offset(matrix.device(), std::int64_t{rows} + 1);
  exec::parallel_for(stream, rows, kernel::CountStrong{matrix.view(), strength, offset.data()});
  exec::exclusive_scan<std::int32_t>(stream, offset, offset);
  const std::int32_t count = exec::value_at(stream, offset.view().part(rows, 1));
  exec::Array<std::int32_t> row(matrix.device(), count);
  exec::Array<float> apart(matrix.device(), count);
  exec::parallel_for(stream, rows,
                     kernel::ListStrong{matrix.view(), strength, offset.data(), row.data(), apart.data()});
  return {rows, std::move(offset), std::move(row), std::move(apart)};
}

Aggregates aggregate(const StrongNeighbours& neighbours, int members) {
  const exec::Device& device = neighbours.row.device();
  const std::vector<std::int32_t> offset = neighbours.offset.to_vector();
  Choice choice;
  choice.of.assign(pos(neighbours.rows), free_row);
  if (members == any_number) {
    take_whole(neighbours, offset, choice);
  } else {
    take_nearest(neighbours, offset, members, choice);
  }
  {
    const exec::Array<std::int32_t> of(device, choice.of);
    exec::Array<std::int32_t> joined(device, of.size());
    exec::parallel_for(device, of.size(),
                       kernel::JoinNearest{neighbours.offset.data(), neighbours.row.data(),
                                           neighbours.apart.data(), of.data(), joined.data()});
    choice.of = joined.to_vector();
  }
  take_left(neighbours, offset, choice);
  merge_small(neighbours, offset, choice);
  return with_members(device, choice);
}

std::vector<double> aggregate_coordinates(const Aggregates& aggregates,
                                          exec::View<const double> coordinates) {
  if (coordinates.size == 0) return {};
  exec::Array<double> means(aggregates.of.device(), 3 * std::int64_t{aggregates.count});
  exec::parallel_for(
      means.device(), aggregates.count,
      kernel::MeanPlace{aggregates.first.data(), aggregates.member.data(), coordinates.data, means.data()});
  return means.to_vector();
}

}  // namespace setka::solve
