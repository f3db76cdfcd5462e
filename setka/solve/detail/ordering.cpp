// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/ordering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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

  /// Of a graph whose vertices are known: each with so many unknowns and with itself and those after it.
  Classes(std::span<const std::int64_t> first, std::span<const std::int32_t> later,
          std::span<const std::int32_t> widths)
      : column_offset(first.begin(), first.end()), neighbour(later.begin(), later.end()) {
    for (const std::int32_t w : widths) offset.push_back(offset.back() + w);
    row.resize(at(offset.back()));
    std::iota(row.begin(), row.end(), 0);
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

/// Operations and entries by the structure.
void count(Order& order) {
  const SuiteSparse_long* const first = numbers(order.supernodes->super);
  const SuiteSparse_long* const offset = numbers(order.supernodes->pi);
  for (std::size_t s = 0; s < order.supernodes->nsuper; ++s) {
    const auto k = static_cast<double>(first[s + 1] - first[s]);
    const auto m = static_cast<double>(offset[s + 1] - offset[s]) - k;
    order.flops += k * (k * k / 3 + k * m + m * m);
    order.entries += k * (k / 2 + m);
  }
}

/// By the minimum degree, by nested dissection, or in an order of the classes that is given.
Order order_by(int method, Classes& classes, std::size_t rows, cholmod_common& common,
               std::vector<SuiteSparse_long>* given = nullptr) {
  common.nmethods = 1;
  common.method[0].ordering = method;
  cholmod_factor* of_classes = given == nullptr
                                   ? cholmod_l_analyze(&classes.matrix, &common)
                                   : cholmod_l_analyze_p(&classes.matrix, given->data(), nullptr, 0, &common);
  if (of_classes == nullptr) return {};
  Order order;
  order.supernodes = of_unknowns(*of_classes, classes, rows, common);
  cholmod_l_free_factor(&of_classes, &common);
  if (order.supernodes == nullptr) return {};
  const SuiteSparse_long* const permuted = numbers(order.supernodes->Perm);
  order.row.assign(permuted, permuted + rows);
  count(order);
  return order;
}

/// CHOLMOD's rules for joining supernodes are of single unknowns; classes have several. As before when it is
/// gone.
class Widened {
 public:
  Widened(const Classes& classes, cholmod_common& common) : common_(common), before_(common) {
    const double width = classes.size() > 0
                             ? static_cast<double>(classes.row.size()) / static_cast<double>(classes.size())
                             : 1;
    common.supernodal = CHOLMOD_SUPERNODAL;
    for (std::size_t& columns : common.nrelax)
      columns = std::max<std::size_t>(
          1, static_cast<std::size_t>(std::lround(static_cast<double>(columns) / width)));
  }
  Widened(const Widened&) = delete;
  Widened& operator=(const Widened&) = delete;
  ~Widened() {
    common_.supernodal = before_.supernodal;
    common_.nmethods = before_.nmethods;
    common_.method[0].ordering = before_.method[0].ordering;
    std::ranges::copy(before_.nrelax, common_.nrelax);
  }

 private:
  cholmod_common& common_;
  const cholmod_common before_;
};

/// stored: entries of a triangle of the matrix.
Order best_order(Classes& classes, double stored, cholmod_common& common) {
  // Of CHOLMOD's own rule (cholmod_analyze): below, the minimum degree does as well as any.
  constexpr double many_flops_an_entry = 500;
  constexpr double much_fill = 5;
  const std::size_t rows = classes.row.size();
  const Widened widened(classes, common);
  Order best = order_by(CHOLMOD_AMD, classes, rows, common);
  if (!best.row.empty() && best.flops >= many_flops_an_entry * best.entries &&
      best.entries >= much_fill * stored) {
    Order other = order_by(CHOLMOD_NESDIS, classes, rows, common);
    if (!other.row.empty() && other.flops < best.flops) std::swap(best, other);
    cholmod_l_free_factor(&other.supernodes, &common);
    if (common.status < 0) common.status = CHOLMOD_OK;  // as with a CHOLMOD that was built without METIS
  }
  return best;
}

}  // namespace

Order fill_reducing_order(const sparse::SymmetricCsr& a, cholmod_common& common) {
  Classes classes(a);
  return best_order(classes, static_cast<double>(a.stored()), common);
}

namespace {

/// Nested dissection by coordinates: a run of vertices is cut across its longest side where the fewest on one
/// side see the other, and those come last. A tenth of METIS's time.
class Dissection {
 public:
  explicit Dissection(const FactorGraph& graph)
      : graph_(graph), rank_(graph.width.size(), -1), reach_(graph.width.size()), back_(graph.width.size()) {}

  std::vector<SuiteSparse_long> order() {
    std::vector<std::int32_t> all(graph_.width.size());
    std::iota(all.begin(), all.end(), 0);
    order_.reserve(all.size());
    dissect(all);
    return std::move(order_);
  }

 private:
  struct Cut {
    std::int64_t first = 0;  // vertices before it
    bool before = true;      // the separator is of those
  };

  double place(std::int32_t v, std::size_t axis) const { return graph_.place[3 * at(v) + axis]; }

  std::size_t longest_side(std::span<const std::int32_t> run) const {
    std::array<double, 3> low{};
    std::array<double, 3> high{};
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
    for (const std::int32_t v : run) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], place(v, axis));
        high[axis] = std::max(high[axis], place(v, axis));
      }
    }
    std::size_t longest = 0;
    for (const std::size_t axis : {std::size_t{1}, std::size_t{2}}) {
      if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
    }
    return longest;
  }

  void sort_along(std::span<std::int32_t> run, std::size_t axis) {
    keys_.clear();
    for (const std::int32_t v : run) keys_.emplace_back(place(v, axis), v);
    std::ranges::sort(keys_);
    for (std::size_t i = 0; i < run.size(); ++i) run[i] = keys_[i].second;
  }

  /// The ranks from and to which each vertex sees others of the run.
  void look(std::span<const std::int32_t> run) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      rank_[at(run[i])] = static_cast<std::int32_t>(i);
      reach_[i] = back_[i] = static_cast<std::int32_t>(i);
    }
    for (const std::int32_t v : run) {
      for (std::int64_t k = graph_.offset[at(v)]; k < graph_.offset[at(v) + 1]; ++k) {
        const std::int32_t other = rank_[at(graph_.later[at(k)])];
        if (other < 0) continue;
        const auto [near, far] = std::minmax(rank_[at(v)], other);
        reach_[at(near)] = std::max(reach_[at(near)], far);
        back_[at(far)] = std::min(back_[at(far)], near);
      }
    }
    for (const std::int32_t v : run) rank_[at(v)] = -1;
  }

  /// Where the fewest on one side see the other, about the middle.
  Cut best_cut(std::size_t count) {
    constexpr double part = 0.38;  // of the run, on either side at least
    // Of a cut before rank c the change in those before it that see beyond, and of those beyond that see
    // back.
    std::vector<std::int32_t>& before = counts_[0];
    std::vector<std::int32_t>& beyond = counts_[1];
    before.assign(count + 1, 0);
    beyond.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
      // Cuts c with i < c <= reach, and those with back < c <= i.
      ++before[i + 1];
      --before[std::min(count, at(reach_[i]) + 1)];
      ++beyond[at(back_[i]) + 1];
      --beyond[std::min(count, i + 1)];
    }
    Cut best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t seen_before = 0;
    std::int64_t seen_beyond = 0;
    const auto n = static_cast<std::int64_t>(count);
    for (std::int64_t c = 0; c <= n; ++c) {
      seen_before += before[at(c)];
      seen_beyond += beyond[at(c)];
      if (std::min(c, n - c) < static_cast<std::int64_t>(part * static_cast<double>(n))) continue;
      if (seen_before < least) {
        least = seen_before;
        best = {c, true};
      }
      if (seen_beyond < least) {
        least = seen_beyond;
        best = {c, false};
      }
    }
    return best;
  }

  void dissect(std::span<std::int32_t> run) {
    constexpr std::size_t few = 40;
    if (run.size() <= few) {
      order_.insert(order_.end(), run.begin(), run.end());
      return;
    }
    sort_along(run, longest_side(run));
    look(run);
    const Cut cut = best_cut(run.size());
    std::vector<std::int32_t> parts[3];
    for (std::size_t i = 0; i < run.size(); ++i) {
      const auto rank = static_cast<std::int64_t>(i);
      const bool is_before = rank < cut.first;
      const bool sees = is_before ? reach_[i] >= cut.first : back_[i] < cut.first;
      parts[is_before == cut.before && sees ? 2 : is_before ? 0 : 1].push_back(run[i]);
    }
    if (parts[0].empty() || parts[1].empty()) {  // all see all
      order_.insert(order_.end(), run.begin(), run.end());
      return;
    }
    dissect(parts[0]);
    dissect(parts[1]);
    order_.insert(order_.end(), parts[2].begin(), parts[2].end());
  }

  const FactorGraph& graph_;
  std::vector<std::int32_t> rank_;   // in the run that is cut; -1: not of it
  std::vector<std::int32_t> reach_;  // by rank
  std::vector<std::int32_t> back_;
  std::array<std::vector<std::int32_t>, 2> counts_;
  std::vector<std::pair<double, std::int32_t>> keys_;
  std::vector<SuiteSparse_long> order_;
};

}  // namespace

FactorSize size_of_factor(const FactorGraph& graph) {
  constexpr std::size_t soon_done = 1500;  // vertices, of which the minimum degree takes a millisecond or two
  Cholmod cholmod(CHOLMOD_AUTO, true);
  Classes classes(graph.offset, graph.later, graph.width);
  const std::size_t rows = classes.row.size();
  const Widened widened(classes, cholmod.common);
  std::vector<SuiteSparse_long> given = Dissection(graph).order();
  Order best = order_by(CHOLMOD_GIVEN, classes, rows, cholmod.common, &given);
  if (graph.width.size() <= soon_done) {
    Order other = order_by(CHOLMOD_AMD, classes, rows, cholmod.common);
    if (other.flops < best.flops && !other.row.empty()) std::swap(best, other);
    cholmod_l_free_factor(&other.supernodes, &cholmod.common);
  }
  cholmod_l_free_factor(&best.supernodes, &cholmod.common);
  return {best.flops, best.entries};
}

}  // namespace setka::solve::detail
