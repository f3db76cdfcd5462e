// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/multifrontal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "setka/base/huge_pages.hpp"
#include "setka/base/interrupt.hpp"
#include "setka/solve/detail/blas.hpp"
#include "setka/solve/detail/side_by_side.hpp"

namespace setka::solve::detail {
namespace {

constexpr int panel_width = 96;            // columns that are eliminated together
constexpr int tile_columns = 256;          // of an update that threads share
constexpr int tile_rows = 512;             // of it, and of a solution with a triangle
constexpr double min_shared_flops = 4e6;   // of a front that threads share
constexpr std::int64_t chunk_rows = 2048;  // of the matrix, that one thread puts in their places

/// C += factor A A', the lower trapezoid of as many columns as C has: C [m, n], the first n rows of A [m, k]
/// being those of its columns.
template <class Value>
struct Update {
  static constexpr Value one = 1;

  const Value* a;
  int stride_a;
  Value* c;
  int stride_c;
  int m, n, k;
  Value factor = -1;

  void column_tile(int first, int width, int from_row, int to_row) const {
    if (from_row == first) {  // the triangle on the diagonal, then what is below it
      Blas<Value>::syrk("L", "N", &width, &k, &factor, a + first, &stride_a, &one,
                        c + first + static_cast<std::ptrdiff_t>(first) * stride_c, &stride_c);
      from_row += width;
    }
    const int height = to_row - from_row;
    if (height <= 0) return;
    Blas<Value>::gemm("N", "T", &height, &width, &k, &factor, a + from_row, &stride_a, a + first, &stride_a,
                      &one, c + from_row + static_cast<std::ptrdiff_t>(first) * stride_c, &stride_c);
  }
  /// threads 0: by the calling one, in one tile.
  void run(int threads) const {
    if (threads > 0) return in_tiles(threads);
    if (m > 0 && n > 0) column_tile(0, n, 0, m);
  }
  void in_tiles(int threads) const {
    struct Tile {
      int first, width, from_row, to_row;
    };
    std::vector<Tile> tiles;
    for (int first = 0; first < n; first += tile_columns) {
      const int width = std::min(tile_columns, n - first);
      for (int row = first; row < m; row += tile_rows)
        tiles.push_back({first, width, row, std::min(row + tile_rows, m)});
    }
    loop_side_by_side(threads, static_cast<std::int64_t>(tiles.size()), [&](std::int64_t i) {
      const Tile& tile = tiles[static_cast<std::size_t>(i)];
      column_tile(tile.first, tile.width, tile.from_row, tile.to_row);
    });
  }
};

/// Memory that fronts leave to each other: what the system gives it has to clear first, which takes as long
/// as the work of many a front.
template <class Value>
class Memory {
 public:
  struct Piece {
    std::unique_ptr<Value[]> values;
    std::size_t size = 0;
  };

  Piece take(std::size_t size) {
    {
      const std::lock_guard lock(mutex_);
      auto best = free_.end();
      for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
        if (piece->size >= size && (best == free_.end() || piece->size < best->size)) best = piece;
      }
      if (best != free_.end() && best->size <= most_unused * size) {
        std::swap(*best, free_.back());
        Piece piece = std::move(free_.back());
        free_.pop_back();
        return piece;
      }
    }
    Piece piece{std::make_unique_for_overwrite<Value[]>(size), size};
    prefer_huge_pages(piece.values.get(), size * sizeof(Value));
    return piece;
  }

  void give_back(Piece piece) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(piece));
  }

 private:
  static constexpr std::size_t most_unused = 4;

  std::mutex mutex_;
  std::vector<Piece> free_;
};

/// Of a square, by columns, what is on and below the diagonal.
template <class Value>
void clear_lower(Value* square, std::int64_t n, std::int64_t from, std::int64_t to) {
  for (std::int64_t j = from; j < to; ++j) std::fill(square + j * n + j, square + (j + 1) * n, Value(0));
}

template <class Value>
void copy_lower(const Value* from, std::int64_t n, Value* to) {
  for (std::int64_t j = 0; j < n; ++j) std::copy(from + j * n + j, from + (j + 1) * n, to + j * n + j);
}

/// [last - first + 1] of the fronts of a subtree: 0 an even number of steps below the root, 1 otherwise.
std::vector<std::uint8_t> sides_of(const FrontTree& tree, std::int64_t first, std::int64_t root) {
  std::vector<std::uint8_t> side(static_cast<std::size_t>(root - first + 1), 0);
  for (std::int64_t s = root - 1; s >= first; --s)
    side[static_cast<std::size_t>(s - first)] = 1U - side[static_cast<std::size_t>(tree.parent(s) - first)];
  return side;
}

/// A = L S L' of a block of n columns, S of ones and minus ones, by columns without exchanges. Like
/// LAPACK's potrf, the lower triangle alone; returns the first column whose pivot vanishes, counted from 1,
/// or 0.
template <class Value>
int factorise_signed(int n, Value* a, std::ptrdiff_t stride, std::int8_t* sign) {
  for (int j = 0; j < n; ++j) {
    Value* const column = a + j * stride;
    const Value pivot = column[j];
    if (pivot == 0 || !std::isfinite(pivot)) return j + 1;
    sign[j] = pivot < 0 ? -1 : 1;
    column[j] = std::sqrt(std::abs(pivot));
    const Value scale = sign[j] / column[j];
    for (int i = j + 1; i < n; ++i) column[i] *= scale;
    for (int k = j + 1; k < n; ++k) {
      Value* const other = a + k * stride;
      const Value share = sign[j] * column[k];
      for (int i = k; i < n; ++i) other[i] -= share * column[i];
    }
  }
  return 0;
}

/// The elimination of all fronts.
template <class Value>
class Fronts {
 public:
  Fronts(const FrontTree& tree, Value* factor, const Elimination& how)
      : tree_(tree), factor_(factor), how_(how), threads_(how.threads), sign_(how.sign) {}

  void set_values(const sparse::SymmetricRows& a);
  std::int64_t eliminate();

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t columns(std::int64_t s) const { return tree_.columns(s); }
  std::int64_t height(std::int64_t s) const { return tree_.height(s); }
  std::int64_t below(std::int64_t s) const { return tree_.below(s); }
  std::span<const SuiteSparse_long> rows(std::int64_t s) const { return tree_.rows(s); }
  Value* panel(std::int64_t s) const { return factor_ + tree_.place(s); }
  std::int64_t local(std::int64_t s, SuiteSparse_long row) const {
    const auto all = rows(s);
    return std::ranges::lower_bound(all, row) - all.begin();
  }

  void set_row(const sparse::SymmetricCsr& a, const double* values, const std::vector<std::int32_t>& position,
               std::int64_t i) const;
  std::int64_t front(std::int64_t s, Value* rest, int threads) const;
  void add_back_negative(std::int64_t s, int from, int count, int row, const Update<Value>& update,
                         int threads) const;
  void extend(std::int64_t child, const Value* from, std::int64_t s, Value* rest, int threads) const;
  std::array<std::int64_t, 2> subtree_room(std::int64_t first, std::int64_t root) const;
  std::int64_t subtree(std::int64_t root, typename Memory<Value>::Piece& rest);

  const FrontTree& tree_;
  Value* factor_;
  const Elimination& how_;
  int threads_;
  std::int8_t* sign_;
  Memory<Value> memory_;
};

/// The entries of row i of the upper triangle, with these values, go to their places in the lower triangle of
/// the permuted matrix.
template <class Value>
void Fronts<Value>::set_row(const sparse::SymmetricCsr& a, const double* values,
                            const std::vector<std::int32_t>& position, std::int64_t i) const {
  const std::int32_t own = position[at(i)];
  const std::int64_t s = tree_.of_column(own);
  Value* const column = panel(s) + (own - tree_.first(s)) * height(s);
  std::int64_t k = -1;      // place in the rows of s
  std::int64_t other = -1;  // supernode of a column before `own`
  std::int64_t row = -1;    // own's place in the rows of it
  const double* const scale = how_.scale.empty() ? nullptr : how_.scale.data();
  const double own_scale = scale == nullptr ? 1 : scale[i];
  for (std::int64_t e = a.offset[at(i)]; e < a.offset[at(i + 1)]; ++e, ++values) {
    const std::int32_t j = position[at(a.column[at(e)])];
    const auto value =
        static_cast<Value>(scale == nullptr ? *values : own_scale * scale[a.column[at(e)]] * *values);
    if (j >= own) {
      const auto all = rows(s);
      const bool next = k >= 0 && at(k + 1) < all.size() && all[at(k + 1)] == j;
      k = next ? k + 1 : local(s, j);
      column[k] = value;
      continue;
    }
    if (tree_.of_column(j) != other) {
      other = tree_.of_column(j);
      row = local(other, own);
    }
    panel(other)[(j - tree_.first(other)) * height(other) + row] = value;
  }
}

template <class Value>
void Fronts<Value>::set_values(const sparse::SymmetricRows& a) {
  const sparse::SymmetricCsr& pattern = *a.pattern;
  const std::int64_t n = tree_.rows();
  const auto order = tree_.order();
  std::vector<std::int32_t> position(at(n));
  for (std::int64_t p = 0; p < n; ++p) position[at(order[at(p)])] = static_cast<std::int32_t>(p);
  loop_side_by_side(threads_, (n + chunk_rows - 1) / chunk_rows, [&](std::int64_t i) {
    std::vector<double> values;
    for (std::int64_t row = i * chunk_rows; row < std::min(n, (i + 1) * chunk_rows); ++row) {
      values.resize(at(pattern.offset[at(row + 1)] - pattern.offset[at(row)]));
      a.values(row, values.data());
      set_row(pattern, values.data(), position, row);
    }
  });
}

/// Adds what a child left, [below, below] of it, to the columns of s and to the rest that s leaves itself.
template <class Value>
void Fronts<Value>::extend(std::int64_t child, const Value* from, std::int64_t s, Value* rest,
                           int threads) const {
  struct Run {
    std::int64_t first, last, to;  // rows of the child, and the first one's place in s
  };
  const auto own = rows(child).subspan(at(columns(child)));
  const auto all = rows(s);
  std::vector<Run> runs;
  std::int64_t place = 0;
  for (std::int64_t i = 0; i < below(child); ++i) {
    while (all[at(place)] != own[at(i)]) ++place;
    if (runs.empty() || runs.back().to + i - runs.back().first != place) runs.push_back({i, i, place});
    runs.back().last = i + 1;
  }
  const std::int64_t stride = below(child);
  const std::int64_t width = columns(s);
  const auto add_run = [&](std::int64_t r) {
    const Run& of_columns = runs[at(r)];
    for (std::int64_t j = of_columns.first; j < of_columns.last; ++j) {
      const std::int64_t to = of_columns.to + j - of_columns.first;
      Value* const column = to < width ? panel(s) + to * height(s) : rest + (to - width) * below(s) - width;
      const Value* const source = from + j * stride;
      for (std::size_t k = at(r); k < runs.size(); ++k) {
        const std::int64_t first = std::max(j, runs[k].first);
        Value* const target = column + runs[k].to - runs[k].first;
        for (std::int64_t i = first; i < runs[k].last; ++i) target[i] += source[i];
      }
    }
  };
  const auto count = static_cast<std::int64_t>(runs.size());
  if (threads > 1) return loop_side_by_side(threads, count, add_run);
  for (std::int64_t r = 0; r < count; ++r) add_run(r);
}

/// An update by columns `from` and so many more, rows `row` and on of them, has taken away what those of
/// negative pivots add: twice that comes back.
template <class Value>
void Fronts<Value>::add_back_negative(std::int64_t s, int from, int count, int row,
                                      const Update<Value>& update, int threads) const {
  if (sign_ == nullptr || update.m == 0) return;
  const std::int8_t* const sign = sign_ + tree_.first(s);
  std::vector<Value> negative;  // [columns, update.m]
  for (int j = from; j < from + count; ++j) {
    if (sign[j] > 0) continue;
    const Value* const column = panel(s) + j * height(s) + row;
    negative.insert(negative.end(), column, column + update.m);
  }
  if (negative.empty()) return;
  Update<Value> back = update;
  back.a = negative.data();
  back.stride_a = update.m;
  back.k = static_cast<int>(negative.size() / static_cast<std::size_t>(update.m));
  back.factor = 2;
  back.run(threads);
}

/// Eliminates the columns of s; rest: what it leaves to its parent, to which its children's are added
/// already. threads 0: the front is one of many that a thread computes alone, and too small for tiles.
/// Returns the column that turned out not to be positive definite, or -1.
template <class Value>
std::int64_t Fronts<Value>::front(std::int64_t s, Value* rest, int threads) const {
  constexpr Value one = 1;
  const bool shared = threads > 0 && tree_.own_flops(s) >= min_shared_flops;
  const auto m = static_cast<int>(height(s));
  const auto n = static_cast<int>(columns(s));
  Value* const front = panel(s);
  const auto entry = [&](int i, int j) { return front + i + static_cast<std::ptrdiff_t>(j) * m; };
  for (int k = 0; k < n; k += panel_width) {
    const int width = std::min(panel_width, n - k);
    int info = 0;
    if (sign_ == nullptr) Blas<Value>::potrf("L", &width, entry(k, k), &m, &info);
    if (sign_ != nullptr) info = factorise_signed(width, entry(k, k), m, sign_ + tree_.first(s) + k);
    if (info > 0) return tree_.first(s) + k + info - 1;
    for (int j = k; how_.min_pivot > 0 && j < k + width; ++j) {
      const double root = *entry(j, j);
      if (!(root * root >= how_.min_pivot)) return tree_.first(s) + j;
    }
    const int next = k + width;
    const auto solve = [&](int from, int to) {
      const int count = to - from;
      if (count <= 0) return;
      Blas<Value>::trsm("R", "L", "T", "N", &count, &width, &one, entry(k, k), &m, entry(from, k), &m);
      for (int j = k; sign_ != nullptr && j < next; ++j) {
        if (sign_[tree_.first(s) + j] > 0) continue;
        for (int i = from; i < to; ++i) *entry(i, j) *= -1;
      }
    };
    if (shared) {
      loop_side_by_side(threads, (m - next + tile_rows - 1) / tile_rows, [&](std::int64_t i) {
        const int from = next + static_cast<int>(i) * tile_rows;
        solve(from, std::min(from + tile_rows, m));
      });
    } else {
      solve(next, m);
    }
    const Update<Value> inside{entry(next, k), m, entry(next, next), m, m - next, n - next, width};
    inside.run(shared ? threads : 0);
    add_back_negative(s, k, width, next, inside, shared ? threads : 0);
  }
  const auto left = static_cast<int>(below(s));
  const Update<Value> outside{entry(n, 0), m, rest, left, left, left, n};
  outside.run(shared ? threads : 0);
  add_back_negative(s, 0, n, n, outside, shared ? threads : 0);
  return -1;
}

/// Values that the two stacks of a subtree take at most: of fronts an even number of steps below the root,
/// and of the others.
template <class Value>
std::array<std::int64_t, 2> Fronts<Value>::subtree_room(std::int64_t first, std::int64_t root) const {
  std::array<std::int64_t, 2> stack{};
  std::array<std::int64_t, 2> most{};
  const std::vector<std::uint8_t> side = sides_of(tree_, first, root);
  for (std::int64_t s = first; s <= root; ++s) {
    const std::uint8_t own = side[at(s - first)];
    for (const std::int32_t child : tree_.children(s)) stack[1U - own] -= below(child) * below(child);
    stack[own] += below(s) * below(s);
    most[own] = std::max(most[own], stack[own]);
  }
  return most;
}

/// Fronts of a subtree, whose numbers are consecutive, in the order of their numbers, so that what waits for
/// a parent is a stack: one for fronts an even number of steps below the root and one for the others, so that
/// what a front leaves is not where its children's lies. rest: what the root leaves.
template <class Value>
std::int64_t Fronts<Value>::subtree(std::int64_t root, typename Memory<Value>::Piece& rest) {
  const std::int64_t first = tree_.first_of(root);
  const std::vector<std::uint8_t> side = sides_of(tree_, first, root);
  const std::array<std::int64_t, 2> room = subtree_room(first, root);
  typename Memory<Value>::Piece piece = memory_.take(at(room[0] + room[1]));
  const std::array<Value*, 2> stack{piece.values.get(), piece.values.get() + room[0]};
  std::array<std::int64_t, 2> top{};
  for (std::int64_t s = first; s <= root; ++s) {
    throw_if_interrupted();
    const std::uint8_t here = side[at(s - first)];
    const std::uint8_t there = 1U - here;
    Value* const own = stack[here] + top[here];
    clear_lower(own, below(s), 0, below(s));
    std::int64_t bottom = top[there];
    for (const std::int32_t child : tree_.children(s)) bottom -= below(child) * below(child);
    std::int64_t from = bottom;
    for (const std::int32_t child : tree_.children(s)) {
      extend(child, stack[there] + from, s, own, 0);
      from += below(child) * below(child);
    }
    top[there] = bottom;
    const std::int64_t bad = front(s, own, 0);
    if (bad >= 0) return bad;
    top[here] += below(s) * below(s);
  }
  rest = memory_.take(at(top[0]));
  copy_lower(stack[0], below(root), rest.values.get());
  memory_.give_back(std::move(piece));
  return -1;
}

template <class Value>
std::int64_t Fronts<Value>::eliminate() {
  const std::vector<std::int32_t>& subtrees = tree_.subtrees();
  std::vector<typename Memory<Value>::Piece> rest(at(tree_.count()));
  std::vector<std::int64_t> bad(subtrees.size(), -1);
  loop_side_by_side(threads_, static_cast<std::int64_t>(subtrees.size()), [&](std::int64_t i) {
    const std::int32_t root = subtrees[at(i)];
    bad[at(i)] = subtree(root, rest[at(root)]);
  });
  std::int64_t first_bad = -1;
  for (const std::int64_t one_bad : bad) {
    if (one_bad >= 0 && (first_bad < 0 || one_bad < first_bad)) first_bad = one_bad;
  }
  if (first_bad >= 0) return first_bad;
  for (const std::int32_t s : tree_.above()) {
    throw_if_interrupted();
    const std::int64_t size = below(s);
    const int threads = tree_.own_flops(s) >= min_shared_flops ? threads_ : 1;
    typename Memory<Value>::Piece own = memory_.take(at(size * size));
    loop_side_by_side(threads, (size + tile_columns - 1) / tile_columns, [&](std::int64_t i) {
      clear_lower(own.values.get(), size, i * tile_columns, std::min(size, (i + 1) * tile_columns));
    });
    for (const std::int32_t child : tree_.children(s)) {
      extend(child, rest[at(child)].values.get(), s, own.values.get(), threads);
      memory_.give_back(std::move(rest[at(child)]));
    }
    const std::int64_t column = front(s, own.values.get(), threads);
    if (column >= 0) return column;
    rest[at(s)] = std::move(own);
  }
  return -1;
}

}  // namespace

bool can_factorise_fronts() {
  return has_blas();
}

template <class Value>
std::int64_t factorise_fronts(const FrontTree& tree, Value* factor, const sparse::SymmetricRows& a,
                              const Elimination& how) {
  Fronts<Value> fronts(tree, factor, how);
  fronts.set_values(a);
  return fronts.eliminate();
}

template std::int64_t factorise_fronts(const FrontTree&, double*, const sparse::SymmetricRows&,
                                       const Elimination&);
template std::int64_t factorise_fronts(const FrontTree&, float*, const sparse::SymmetricRows&,
                                       const Elimination&);

}  // namespace setka::solve::detail
