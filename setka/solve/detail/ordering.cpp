// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "setka/solve/detail/cholmod.hpp"

namespace setka::solve::detail {
namespace {

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

std::span<const std::int32_t> columns(const sparse::SymmetricCsr& a, std::int32_t row) {
  return {a.column.data() + a.offset[at(row)], at(a.offset[at(row) + 1] - a.offset[at(row)])};
}

/// [runs + 1] the first rows of runs of rows with the same columns. Only the upper triangle is looked at: a
/// row that others see otherwise may come in, which costs some entries of the factor and no exactness.
std::vector<std::int32_t> runs_of(const sparse::SymmetricCsr& a) {
  std::vector<std::int32_t> first;
  for (std::int32_t row = 0; row < a.rows; ++row) {
    const bool same = row > 0 && std::ranges::equal(columns(a, row - 1).subspan(1), columns(a, row));
    if (!same) first.push_back(row);
  }
  first.push_back(a.rows);
  return first;
}

/// Neighbours of each vertex of a graph, itself included.
struct Graph {
  std::vector<std::int64_t> offset{0};
  std::vector<std::int32_t> neighbour;

  std::int32_t size() const { return static_cast<std::int32_t>(offset.size() - 1); }
  std::span<const std::int32_t> of(std::int32_t vertex) const {
    return {neighbour.data() + offset[at(vertex)], at(offset[at(vertex) + 1] - offset[at(vertex)])};
  }
};

Graph graph_of_runs(const sparse::SymmetricCsr& a, const std::vector<std::int32_t>& first) {
  const auto runs = static_cast<std::int32_t>(first.size() - 1);
  std::vector<std::int32_t> run(at(a.rows));
  for (std::int32_t r = 0; r < runs; ++r)
    std::fill(run.begin() + first[at(r)], run.begin() + first[at(r) + 1], r);
  const auto each_pair = [&](const auto& visit) {
    for (std::int32_t r = 0; r < runs; ++r) {
      std::int32_t last = -1;
      for (const std::int32_t column : columns(a, first[at(r)])) {
        const std::int32_t other = run[at(column)];
        if (other != last) visit(r, other);
        last = other;
      }
    }
  };
  Graph graph;
  graph.offset.assign(at(runs) + 1, 0);
  each_pair([&](std::int32_t r, std::int32_t other) {
    ++graph.offset[at(r) + 1];
    if (other != r) ++graph.offset[at(other) + 1];
  });
  std::partial_sum(graph.offset.begin(), graph.offset.end(), graph.offset.begin());
  graph.neighbour.resize(at(graph.offset.back()));
  std::vector<std::int64_t> next(graph.offset.begin(), graph.offset.end() - 1);
  each_pair([&](std::int32_t r, std::int32_t other) {
    graph.neighbour[at(next[at(r)]++)] = other;
    if (other != r) graph.neighbour[at(next[at(other)]++)] = r;
  });
  return graph;
}

/// Runs with the same neighbours are of one class: [runs], numbered by the first run of each.
///
/// Those are told by sums of random numbers (Ashcraft 1995 has sums of their numbers): two that agree by
/// chance would cost entries of the factor, since a class has the neighbours of all its runs.
std::vector<std::int32_t> classes_of(const Graph& runs) {
  const auto scrambled = [](std::int32_t vertex) {  // splitmix64
    std::uint64_t z = (static_cast<std::uint64_t>(vertex) + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  };
  std::vector<std::pair<std::uint64_t, std::int32_t>> key(at(runs.size()));
  for (std::int32_t r = 0; r < runs.size(); ++r) {
    key[at(r)].second = r;
    for (const std::int32_t other : runs.of(r)) key[at(r)].first += scrambled(other);
  }
  std::ranges::sort(key);
  std::vector<std::int32_t> first_alike(at(runs.size()));
  for (std::size_t k = 0; k < key.size(); ++k) {
    const bool alike = k > 0 && key[k].first == key[k - 1].first;
    first_alike[at(key[k].second)] = alike ? first_alike[at(key[k - 1].second)] : key[k].second;
  }
  std::vector<std::int32_t> number(at(runs.size()));
  std::int32_t classes = 0;
  for (std::int32_t r = 0; r < runs.size(); ++r)
    number[at(r)] = first_alike[at(r)] == r ? classes++ : number[at(first_alike[at(r)])];
  return number;
}

/// The graph that is ordered: its vertices are classes of unknowns.
struct Classes {
  std::vector<std::int64_t> offset{0};
  std::vector<std::int32_t> row;  // of the matrix, class by class
  std::vector<SuiteSparse_long> column_offset{0};
  std::vector<SuiteSparse_long> neighbour;  // itself and later ones
  cholmod_sparse matrix{};

  explicit Classes(const sparse::SymmetricCsr& a) {
    const std::vector<std::int32_t> first = runs_of(a);
    const Graph runs = graph_of_runs(a, first);
    const std::vector<std::int32_t> of_run = classes_of(runs);
    const std::int32_t classes = of_run.empty() ? 0 : *std::ranges::max_element(of_run) + 1;
    std::vector<std::int32_t> by_class(at(runs.size()));
    std::iota(by_class.begin(), by_class.end(), 0);
    std::ranges::stable_sort(by_class, {}, [&](std::int32_t r) { return of_run[at(r)]; });
    std::vector<std::int32_t> seen(at(classes), -1);
    auto r = by_class.begin();
    for (std::int32_t c = 0; c < classes; ++c) {
      for (; r != by_class.end() && of_run[at(*r)] == c; ++r) {
        for (std::int32_t i = first[at(*r)]; i < first[at(*r) + 1]; ++i) row.push_back(i);
        for (const std::int32_t other : runs.of(*r)) {
          const std::int32_t its = of_run[at(other)];
          if (its < c || seen[at(its)] == c) continue;
          seen[at(its)] = c;
          neighbour.push_back(its);
        }
      }
      std::sort(neighbour.begin() + column_offset.back(), neighbour.end());
      offset.push_back(static_cast<std::int64_t>(row.size()));
      column_offset.push_back(static_cast<SuiteSparse_long>(neighbour.size()));
    }
    matrix = lower_triangle(column_offset, neighbour, nullptr);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(offset.size()) - 1; }
  std::int64_t width(std::int64_t c) const { return offset[at(c) + 1] - offset[at(c)]; }
};

const SuiteSparse_long* numbers(const void* array) {
  return static_cast<const SuiteSparse_long*>(array);
}

/// The structure of the factor of the unknowns from that of their classes; null where there is no memory.
cholmod_factor* of_unknowns(const cholmod_factor& of_classes, const Classes& classes, std::size_t rows,
                            cholmod_common& common) {
  const SuiteSparse_long* const order = numbers(of_classes.Perm);
  const SuiteSparse_long* const super = numbers(of_classes.super);
  const SuiteSparse_long* const offset = numbers(of_classes.pi);
  const SuiteSparse_long* const row = numbers(of_classes.s);
  std::vector<SuiteSparse_long> start{0};  // of the classes in their order, among the unknowns
  for (std::int64_t c = 0; c < classes.size(); ++c) start.push_back(start.back() + classes.width(order[c]));
  const std::size_t supernodes = of_classes.nsuper;

  cholmod_factor* made = cholmod_l_allocate_factor(rows, &common);
  if (made == nullptr) return nullptr;
  made->ordering = of_classes.ordering;
  made->is_ll = made->is_super = made->is_monotonic = 1;
  made->nsuper = supernodes;
  const auto allocated = [&](std::size_t count) {
    return static_cast<SuiteSparse_long*>(cholmod_l_malloc(count, sizeof(SuiteSparse_long), &common));
  };
  auto* const first = allocated(supernodes + 1);
  auto* const rows_at = allocated(supernodes + 1);
  auto* const values_at = allocated(supernodes + 1);
  made->super = first;
  made->pi = rows_at;
  made->px = values_at;
  if (first != nullptr && rows_at != nullptr && values_at != nullptr) {
    first[0] = rows_at[0] = values_at[0] = 0;
    for (std::size_t s = 0; s < supernodes; ++s) {
      first[s + 1] = start[at(super[s + 1])];
      SuiteSparse_long height = 0;
      for (SuiteSparse_long k = offset[s]; k < offset[s + 1]; ++k)
        height += start[at(row[k]) + 1] - start[at(row[k])];
      const SuiteSparse_long width = first[s + 1] - first[s];
      rows_at[s + 1] = rows_at[s] + height;
      values_at[s + 1] = values_at[s] + height * width;
      made->maxesize = std::max(made->maxesize, static_cast<std::size_t>(height - width));
    }
    made->ssize = static_cast<std::size_t>(rows_at[supernodes]);
    made->xsize = static_cast<std::size_t>(values_at[supernodes]);
    made->s = allocated(made->ssize);
  }
  if (made->s == nullptr) {
    cholmod_l_free_factor(&made, &common);
    return nullptr;
  }
  auto* next = static_cast<SuiteSparse_long*>(made->s);
  for (SuiteSparse_long k = 0; k < offset[supernodes]; ++k) {
    for (SuiteSparse_long i = start[at(row[k])]; i < start[at(row[k]) + 1]; ++i) *next++ = i;
  }
  auto* permuted = static_cast<SuiteSparse_long*>(made->Perm);
  for (std::int64_t c = 0; c < classes.size(); ++c)
    permuted =
        std::copy_n(classes.row.begin() + classes.offset[at(order[c])], classes.width(order[c]), permuted);
  return made;
}

/// By the minimum degree or by nested dissection.
Order order_by(int method, Classes& classes, std::size_t rows, cholmod_common& common) {
  common.nmethods = 1;
  common.method[0].ordering = method;
  cholmod_factor* of_classes = cholmod_l_analyze(&classes.matrix, &common);
  if (of_classes == nullptr) return {};
  Order order;
  order.supernodes = of_unknowns(*of_classes, classes, rows, common);
  cholmod_l_free_factor(&of_classes, &common);
  if (order.supernodes == nullptr) return {};
  const SuiteSparse_long* const permuted = numbers(order.supernodes->Perm);
  order.row.assign(permuted, permuted + rows);
  const SuiteSparse_long* const first = numbers(order.supernodes->super);
  const SuiteSparse_long* const offset = numbers(order.supernodes->pi);
  for (std::size_t s = 0; s < order.supernodes->nsuper; ++s) {
    const auto k = static_cast<double>(first[s + 1] - first[s]);
    const auto m = static_cast<double>(offset[s + 1] - offset[s]) - k;
    order.flops += k * (k * k / 3 + k * m + m * m);
    order.entries += k * (k / 2 + m);
  }
  return order;
}

}  // namespace

Order fill_reducing_order(const sparse::SymmetricCsr& a, cholmod_common& common) {
  // Of CHOLMOD's own rule (cholmod_analyze): below, the minimum degree does as well as any.
  constexpr double many_flops_an_entry = 500;
  constexpr double much_fill = 5;
  Classes classes(a);
  const auto rows = static_cast<std::size_t>(a.rows);
  const cholmod_common before = common;
  const double width =
      classes.size() > 0 ? static_cast<double>(a.rows) / static_cast<double>(classes.size()) : 1;
  common.supernodal = CHOLMOD_SUPERNODAL;
  for (std::size_t& count : common.nrelax)  // columns of supernodes that are joined
    count =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(static_cast<double>(count) / width)));
  Order best = order_by(CHOLMOD_AMD, classes, rows, common);
  if (!best.row.empty() && best.flops >= many_flops_an_entry * best.entries &&
      best.entries >= much_fill * static_cast<double>(a.stored())) {
    Order other = order_by(CHOLMOD_NESDIS, classes, rows, common);
    if (!other.row.empty() && other.flops < best.flops) std::swap(best, other);
    cholmod_l_free_factor(&other.supernodes, &common);
    if (common.status < 0) common.status = CHOLMOD_OK;  // as with a CHOLMOD that was built without METIS
  }
  common.supernodal = before.supernodal;
  common.nmethods = before.nmethods;
  common.method[0].ordering = before.method[0].ordering;
  std::ranges::copy(before.nrelax, common.nrelax);
  return best;
}

}  // namespace setka::solve::detail
