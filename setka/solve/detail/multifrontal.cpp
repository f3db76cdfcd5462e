// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/multifrontal.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "setka/base/interrupt.hpp"
#include "setka/solve/detail/blas.hpp"
#include "setka/solve/detail/side_by_side.hpp"

namespace setka::solve::detail {
namespace {

constexpr double one = 1;
constexpr double minus_one = -1;

constexpr int panel_width = 96;             // columns that are eliminated together
constexpr int tile_columns = 256;           // of an update that threads share
constexpr int tile_rows = 512;              // of it, and of a solution with a triangle
constexpr double min_shared_flops = 4e6;    // of a front that threads share
constexpr double subtree_share = 1.0 / 32;  // of all flops: a larger subtree is taken apart
constexpr double min_subtree_flops = 1e6;   // one that is not worth a loop of its own
constexpr std::int64_t chunk_rows = 2048;   // of the matrix, that one thread puts in their places

/// C -= A A', the lower trapezoid of as many columns as C has: C [m, n], the first n rows of A [m, k] being
/// those of its columns.
struct Update {
  const double* a;
  int stride_a;
  double* c;
  int stride_c;
  int m, n, k;

  void column_tile(int first, int width, int from_row, int to_row) const {
    if (from_row == first) {  // the triangle on the diagonal, then what is below it
      dsyrk_("L", "N", &width, &k, &minus_one, a + first, &stride_a, &one,
             c + first + static_cast<std::ptrdiff_t>(first) * stride_c, &stride_c);
      from_row += width;
    }
    const int height = to_row - from_row;
    if (height <= 0) return;
    dgemm_("N", "T", &height, &width, &k, &minus_one, a + from_row, &stride_a, a + first, &stride_a, &one,
           c + from_row + static_cast<std::ptrdiff_t>(first) * stride_c, &stride_c);
  }
  void all() const {
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
class Memory {
 public:
  struct Piece {
    std::unique_ptr<double[]> values;
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
    return {std::make_unique_for_overwrite<double[]>(size), size};
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
void clear_lower(double* square, std::int64_t n, std::int64_t from, std::int64_t to) {
  for (std::int64_t j = from; j < to; ++j) std::fill(square + j * n + j, square + (j + 1) * n, 0.0);
}

/// `to` may begin before `from` and reach into it.
void copy_lower(const double* from, std::int64_t n, double* to) {
  for (std::int64_t j = 0; j < n; ++j) std::copy(from + j * n + j, from + (j + 1) * n, to + j * n + j);
}

/// The supernodes of a factor as fronts: columns first .. first + columns - 1, and rows below them.
class Fronts {
 public:
  Fronts(cholmod_factor& factor, int threads)
      : column_(static_cast<const SuiteSparse_long*>(factor.super)),
        offset_(static_cast<const SuiteSparse_long*>(factor.pi)),
        place_(static_cast<const SuiteSparse_long*>(factor.px)),
        row_(static_cast<const SuiteSparse_long*>(factor.s)),
        order_(static_cast<const SuiteSparse_long*>(factor.Perm)),
        value_(static_cast<double*>(factor.x)),
        n_(factor.n),
        count_(static_cast<std::int64_t>(factor.nsuper)),
        threads_(threads),
        of_column_(n_),
        parent_(factor.nsuper, -1),
        child_(factor.nsuper),
        flops_(factor.nsuper, 0.0) {
    for (std::int64_t s = 0; s < count_; ++s)
      std::fill(of_column_.begin() + column_[s], of_column_.begin() + column_[s + 1],
                static_cast<std::int32_t>(s));
    for (std::int64_t s = 0; s < count_; ++s) {
      flops_[at(s)] += own_flops(s);
      if (below(s) == 0) continue;
      const std::int32_t parent = of_column_[at(rows(s)[at(columns(s))])];
      parent_[at(s)] = parent;
      child_[at(parent)].push_back(static_cast<std::int32_t>(s));
      flops_[at(parent)] += flops_[at(s)];
    }
  }

  void set_values(const sparse::SymmetricCsr& a);
  std::int64_t eliminate();

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t columns(std::int64_t s) const { return column_[s + 1] - column_[s]; }
  std::int64_t height(std::int64_t s) const { return offset_[s + 1] - offset_[s]; }
  std::int64_t below(std::int64_t s) const { return height(s) - columns(s); }
  std::span<const SuiteSparse_long> rows(std::int64_t s) const { return {row_ + offset_[s], at(height(s))}; }
  double* panel(std::int64_t s) const { return value_ + place_[s]; }
  double own_flops(std::int64_t s) const {
    const auto k = static_cast<double>(columns(s));
    const auto m = static_cast<double>(below(s));
    return k * (k * k / 3 + k * m + m * m);
  }
  std::int64_t local(std::int64_t s, SuiteSparse_long row) const {
    const auto all = rows(s);
    return std::ranges::lower_bound(all, row) - all.begin();
  }

  void set_row(const sparse::SymmetricCsr& a, const std::vector<std::int32_t>& position,
               std::int64_t i) const;
  std::int64_t front(std::int64_t s, double* rest, int threads) const;
  void extend(std::int64_t child, const double* from, std::int64_t s, double* rest, int threads) const;
  std::int64_t subtree_room(std::int64_t first, std::int64_t root) const;
  std::int64_t subtree(std::int64_t root, Memory::Piece& rest);
  std::int64_t first_of(std::int64_t root) const;

  const SuiteSparse_long* column_;
  const SuiteSparse_long* offset_;
  const SuiteSparse_long* place_;
  const SuiteSparse_long* row_;
  const SuiteSparse_long* order_;
  double* value_;
  std::size_t n_;
  std::int64_t count_;
  int threads_;
  std::vector<std::int32_t> of_column_;
  std::vector<std::int32_t> parent_;
  std::vector<std::vector<std::int32_t>> child_;
  std::vector<double> flops_;  // of the subtree
  Memory memory_;
};

/// The entries of row i of the upper triangle go to their places in the lower triangle of the permuted
/// matrix.
void Fronts::set_row(const sparse::SymmetricCsr& a, const std::vector<std::int32_t>& position,
                     std::int64_t i) const {
  const std::int32_t own = position[at(i)];
  const std::int64_t s = of_column_[at(own)];
  double* const column = panel(s) + (own - column_[s]) * height(s);
  std::int64_t k = -1;      // place in the rows of s
  std::int64_t other = -1;  // supernode of a column before `own`
  std::int64_t row = -1;    // own's place in the rows of it
  for (std::int64_t e = a.offset[at(i)]; e < a.offset[at(i + 1)]; ++e) {
    const std::int32_t j = position[at(a.column[at(e)])];
    const double value = a.value[at(e)];
    if (j >= own) {
      const auto all = rows(s);
      const bool next = k >= 0 && at(k + 1) < all.size() && all[at(k + 1)] == j;
      k = next ? k + 1 : local(s, j);
      column[k] = value;
      continue;
    }
    if (of_column_[at(j)] != other) {
      other = of_column_[at(j)];
      row = local(other, own);
    }
    panel(other)[(j - column_[other]) * height(other) + row] = value;
  }
}

void Fronts::set_values(const sparse::SymmetricCsr& a) {
  std::vector<std::int32_t> position(n_);
  for (std::size_t p = 0; p < n_; ++p) position[at(order_[p])] = static_cast<std::int32_t>(p);
  const auto n = static_cast<std::int64_t>(n_);
  loop_side_by_side(threads_, (n + chunk_rows - 1) / chunk_rows, [&](std::int64_t i) {
    for (std::int64_t row = i * chunk_rows; row < std::min(n, (i + 1) * chunk_rows); ++row)
      set_row(a, position, row);
  });
}

/// Adds what a child left, [below, below] of it, to the columns of s and to the rest that s leaves itself.
void Fronts::extend(std::int64_t child, const double* from, std::int64_t s, double* rest, int threads) const {
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
      double* const column = to < width ? panel(s) + to * height(s) : rest + (to - width) * below(s) - width;
      const double* const source = from + j * stride;
      for (std::size_t k = at(r); k < runs.size(); ++k) {
        const std::int64_t first = std::max(j, runs[k].first);
        double* const target = column + runs[k].to - runs[k].first;
        for (std::int64_t i = first; i < runs[k].last; ++i) target[i] += source[i];
      }
    }
  };
  const auto count = static_cast<std::int64_t>(runs.size());
  if (threads > 1) return loop_side_by_side(threads, count, add_run);
  for (std::int64_t r = 0; r < count; ++r) add_run(r);
}

/// Eliminates the columns of s; rest: what it leaves to its parent, to which its children's are added
/// already. threads 0: the front is one of many that a thread computes alone, and too small for tiles.
/// Returns the column that turned out not to be positive definite, or -1.
std::int64_t Fronts::front(std::int64_t s, double* rest, int threads) const {
  const bool shared = threads > 0 && own_flops(s) >= min_shared_flops;
  const auto m = static_cast<int>(height(s));
  const auto n = static_cast<int>(columns(s));
  double* const front = panel(s);
  const auto entry = [&](int i, int j) { return front + i + static_cast<std::ptrdiff_t>(j) * m; };
  for (int k = 0; k < n; k += panel_width) {
    const int width = std::min(panel_width, n - k);
    int info = 0;
    dpotrf_("L", &width, entry(k, k), &m, &info);
    if (info > 0) return column_[s] + k + info - 1;
    const int next = k + width;
    const auto solve = [&](int from, int to) {
      const int count = to - from;
      if (count > 0) dtrsm_("R", "L", "T", "N", &count, &width, &one, entry(k, k), &m, entry(from, k), &m);
    };
    if (shared) {
      loop_side_by_side(threads, (m - next + tile_rows - 1) / tile_rows, [&](std::int64_t i) {
        const int from = next + static_cast<int>(i) * tile_rows;
        solve(from, std::min(from + tile_rows, m));
      });
    } else {
      solve(next, m);
    }
    const Update inside{entry(next, k), m, entry(next, next), m, m - next, n - next, width};
    if (shared) inside.in_tiles(threads);
    if (!shared) inside.all();
  }
  const auto left = static_cast<int>(below(s));
  const Update outside{entry(n, 0), m, rest, left, left, left, n};
  if (shared) outside.in_tiles(threads);
  if (!shared) outside.all();
  return -1;
}

std::int64_t Fronts::first_of(std::int64_t root) const {
  while (!child_[at(root)].empty()) root = child_[at(root)].front();
  return root;
}

/// Values that the stack of a subtree takes at most.
std::int64_t Fronts::subtree_room(std::int64_t first, std::int64_t root) const {
  std::int64_t stack = 0;
  std::int64_t most = 0;
  for (std::int64_t s = first; s <= root; ++s) {
    const std::int64_t own = below(s) * below(s);
    most = std::max(most, stack + own);
    for (const std::int32_t child : child_[at(s)]) stack -= below(child) * below(child);
    stack += own;
  }
  return most;
}

/// Fronts of a subtree, whose numbers are consecutive, in the order of their numbers, so that what waits for
/// a parent is a stack. rest: what the root leaves.
std::int64_t Fronts::subtree(std::int64_t root, Memory::Piece& rest) {
  const std::int64_t first = first_of(root);
  Memory::Piece room = memory_.take(at(subtree_room(first, root)));
  double* const stack = room.values.get();
  std::int64_t top = 0;
  for (std::int64_t s = first; s <= root; ++s) {
    throw_if_interrupted();
    const std::int64_t size = below(s) * below(s);
    double* const own = stack + top;
    clear_lower(own, below(s), 0, below(s));
    std::int64_t bottom = top;
    for (const std::int32_t child : child_[at(s)]) bottom -= below(child) * below(child);
    std::int64_t from = bottom;
    for (const std::int32_t child : child_[at(s)]) {
      extend(child, stack + from, s, own, 0);
      from += below(child) * below(child);
    }
    const std::int64_t bad = front(s, own, 0);
    if (bad >= 0) return bad;
    if (bottom != top) copy_lower(own, below(s), stack + bottom);
    top = bottom + size;
  }
  rest = memory_.take(at(top));
  copy_lower(stack, below(root), rest.values.get());
  memory_.give_back(std::move(room));
  return -1;
}

std::int64_t Fronts::eliminate() {
  double total = 0;
  std::vector<std::int32_t> waiting;
  for (std::int64_t s = 0; s < count_; ++s) {
    if (parent_[at(s)] >= 0) continue;
    total += flops_[at(s)];
    waiting.push_back(static_cast<std::int32_t>(s));
  }
  // Subtrees that are small enough, and the fronts above them.
  const double most = std::max(subtree_share * total, min_subtree_flops);
  std::vector<std::int32_t> subtrees;
  std::vector<std::int32_t> above;
  while (!waiting.empty()) {
    const std::int32_t s = waiting.back();
    waiting.pop_back();
    if (flops_[at(s)] <= most) {
      subtrees.push_back(s);
      continue;
    }
    above.push_back(s);
    waiting.insert(waiting.end(), child_[at(s)].begin(), child_[at(s)].end());
  }
  std::ranges::sort(above);
  std::ranges::sort(subtrees, [&](std::int32_t a, std::int32_t b) {
    return flops_[at(a)] != flops_[at(b)] ? flops_[at(a)] > flops_[at(b)] : a < b;
  });
  std::vector<Memory::Piece> rest(at(count_));
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
  for (const std::int32_t s : above) {
    throw_if_interrupted();
    const std::int64_t size = below(s);
    const int threads = own_flops(s) >= min_shared_flops ? threads_ : 1;
    Memory::Piece own = memory_.take(at(size * size));
    loop_side_by_side(threads, (size + tile_columns - 1) / tile_columns, [&](std::int64_t i) {
      clear_lower(own.values.get(), size, i * tile_columns, std::min(size, (i + 1) * tile_columns));
    });
    for (const std::int32_t child : child_[at(s)]) {
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
  return dgemm_ != nullptr && dsyrk_ != nullptr && dtrsm_ != nullptr && dpotrf_ != nullptr;
}

std::int64_t factorise_fronts(cholmod_factor& factor, const sparse::SymmetricCsr& a, int threads) {
  Fronts fronts(factor, threads);
  fronts.set_values(a);
  return fronts.eliminate();
}

}  // namespace setka::solve::detail
