// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/detail/front_solve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/solve/detail/blas.hpp"
#include "setka/solve/detail/side_by_side.hpp"

namespace setka::solve::detail {
namespace {

template <class Value>
constexpr Value unit = 1;
template <class Value>
constexpr Value none = 0;
template <class Value>
constexpr Value less = -1;
constexpr int step = 1;

constexpr std::int64_t rows_of_tile = 256;    // of a front that threads share
constexpr std::int64_t columns_of_tile = 64;  // of it, on the way back
constexpr double min_shared_entries = 1e5;    // of it
constexpr std::int64_t few_values = 20'000;   // of x: not worth a team of threads

/// y = A x, or with A transposed: A [m, n]; y and x have so many columns.
template <class Value>
void multiply(bool transposed, int m, int n, const Value* a, int stride, const Value* x, int stride_x,
              Value alpha, Value beta, Value* y, int stride_y, int columns) {
  if (m == 0 || n == 0) return;
  const char* const form = transposed ? "T" : "N";
  if (columns == 1) return Blas<Value>::gemv(form, &m, &n, &alpha, a, &stride, x, &step, &beta, y, &step);
  const int rows = transposed ? n : m;
  const int inner = transposed ? m : n;
  Blas<Value>::gemm(form, "N", &rows, &columns, &inner, &alpha, a, &stride, x, &stride_x, &beta, y,
                    &stride_y);
}

/// Of a triangle L [n, n], or its transpose.
template <class Value>
void solve_triangle(bool transposed, int n, const Value* l, int stride, Value* x, int stride_x, int columns) {
  const char* const form = transposed ? "T" : "N";
  if (columns == 1) return Blas<Value>::trsv("L", form, "N", &n, l, &stride, x, &step);
  Blas<Value>::trsm("L", "L", form, "N", &n, &columns, &unit<Value>, l, &stride, x, &stride_x);
}

template <class Value>
class FrontSolve {
 public:
  FrontSolve(const FrontTree& tree, const Value* factor, Value* x, std::int64_t columns, int threads)
      : tree_(tree),
        factor_(factor),
        x_(x),
        columns_(columns),
        stride_(static_cast<int>(tree.rows())),
        threads_(tree.rows() * columns < few_values ? 1 : threads) {}

  void forward();
  void backward();

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  const Value* panel(std::int64_t s) const { return factor_ + tree_.place(s); }
  Value* own(std::int64_t s) const { return x_ + tree_.first(s); }
  std::span<const SuiteSparse_long> below(std::int64_t s) const {
    return tree_.rows(s).subspan(at(tree_.columns(s)));
  }
  bool shared(std::int64_t s) const {
    return threads_ > 1 && static_cast<double>(tree_.height(s) * tree_.columns(s)) >= min_shared_entries;
  }
  /// x [columns, rows of the fronts below]
  void gather(std::span<const SuiteSparse_long> rows, std::vector<Value>& x) const;
  void forward_in_subtree(std::int64_t root, std::vector<Value>& outside) const;
  void backward_in_front(std::int64_t s, std::vector<Value>& room) const;

  const FrontTree& tree_;
  const Value* factor_;
  Value* x_;
  std::int64_t columns_;
  int stride_;
  int threads_;
};

template <class Value>
void FrontSolve<Value>::gather(std::span<const SuiteSparse_long> rows, std::vector<Value>& x) const {
  x.resize(rows.size() * at(columns_));
  for (std::int64_t j = 0; j < columns_; ++j) {
    const Value* const from = x_ + j * stride_;
    Value* const to = x.data() + at(j) * rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
  }
}

/// outside: [columns, rows below the root], what the subtree adds up to take from them.
template <class Value>
void FrontSolve<Value>::forward_in_subtree(std::int64_t root, std::vector<Value>& outside) const {
  const std::span<const SuiteSparse_long> beyond = below(root);
  const SuiteSparse_long end = tree_.first(root) + tree_.columns(root);
  const auto width = static_cast<int>(columns_);
  outside.assign(beyond.size() * at(columns_), Value(0));
  std::vector<Value> product;
  std::vector<std::size_t> place;  // of rows beyond the subtree
  for (std::int64_t s = tree_.first_of(root); s <= root; ++s) {
    const auto n = static_cast<int>(tree_.columns(s));
    const auto height = static_cast<int>(tree_.height(s));
    solve_triangle(false, n, panel(s), height, own(s), stride_, width);
    const std::span<const SuiteSparse_long> rows = below(s);
    const auto m = static_cast<int>(rows.size());
    product.resize(rows.size() * at(columns_));
    multiply(false, m, n, panel(s) + n, height, own(s), stride_, unit<Value>, none<Value>, product.data(), m,
             width);
    const auto inside = static_cast<std::size_t>(std::ranges::lower_bound(rows, end) - rows.begin());
    place.clear();
    auto found = beyond.begin();
    for (const SuiteSparse_long row : rows.subspan(inside)) {
      found = std::lower_bound(found, beyond.end(), row);
      place.push_back(static_cast<std::size_t>(found - beyond.begin()));
    }
    for (std::int64_t j = 0; j < columns_; ++j) {
      const Value* const from = product.data() + at(j) * rows.size();
      Value* const to = x_ + j * stride_;
      Value* const out = outside.data() + at(j) * beyond.size();
      for (std::size_t i = 0; i < inside; ++i) to[rows[i]] -= from[i];
      for (std::size_t i = inside; i < rows.size(); ++i) out[place[i - inside]] += from[i];
    }
  }
}

template <class Value>
void FrontSolve<Value>::forward() {
  const std::vector<std::int32_t>& subtrees = tree_.subtrees();
  std::vector<std::vector<Value>> outside(subtrees.size());
  loop_side_by_side(threads_, static_cast<std::int64_t>(subtrees.size()),
                    [&](std::int64_t i) { forward_in_subtree(subtrees[at(i)], outside[at(i)]); });
  for (std::size_t i = 0; i < subtrees.size(); ++i) {
    const std::span<const SuiteSparse_long> rows = below(subtrees[i]);
    for (std::int64_t j = 0; j < columns_; ++j) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        x_[j * stride_ + rows[k]] -= outside[i][at(j) * rows.size() + k];
    }
  }
  std::vector<Value> product;
  const auto width = static_cast<int>(columns_);
  for (const std::int32_t s : tree_.above()) {
    const auto n = static_cast<int>(tree_.columns(s));
    const auto height = static_cast<int>(tree_.height(s));
    solve_triangle(false, n, panel(s), height, own(s), stride_, width);
    const std::span<const SuiteSparse_long> rows = below(s);
    const auto m = static_cast<std::int64_t>(rows.size());
    product.resize(rows.size() * at(columns_));
    loop_side_by_side(shared(s) ? threads_ : 1, (m + rows_of_tile - 1) / rows_of_tile, [&](std::int64_t i) {
      const std::int64_t from = i * rows_of_tile;
      const std::int64_t to = std::min(from + rows_of_tile, m);
      multiply(false, static_cast<int>(to - from), n, panel(s) + n + from, height, own(s), stride_,
               unit<Value>, none<Value>, product.data() + from, static_cast<int>(m), width);
      for (std::int64_t j = 0; j < columns_; ++j) {
        for (std::int64_t k = from; k < to; ++k) x_[j * stride_ + rows[at(k)]] -= product[at(j * m + k)];
      }
    });
  }
}

template <class Value>
void FrontSolve<Value>::backward_in_front(std::int64_t s, std::vector<Value>& room) const {
  const auto n = tree_.columns(s);
  const auto height = static_cast<int>(tree_.height(s));
  const auto width = static_cast<int>(columns_);
  const std::span<const SuiteSparse_long> rows = below(s);
  const auto m = static_cast<int>(rows.size());
  gather(rows, room);
  loop_side_by_side(shared(s) ? threads_ : 1, (n + columns_of_tile - 1) / columns_of_tile,
                    [&](std::int64_t i) {
                      const std::int64_t from = i * columns_of_tile;
                      const std::int64_t to = std::min(from + columns_of_tile, n);
                      multiply(true, m, static_cast<int>(to - from), panel(s) + n + from * height, height,
                               room.data(), m, less<Value>, unit<Value>, own(s) + from, stride_, width);
                    });
  solve_triangle(true, static_cast<int>(n), panel(s), height, own(s), stride_, width);
}

template <class Value>
void FrontSolve<Value>::backward() {
  const std::vector<std::int32_t>& above = tree_.above();
  std::vector<Value> room;
  for (std::size_t i = above.size(); i > 0; --i) backward_in_front(above[i - 1], room);
  const std::vector<std::int32_t>& subtrees = tree_.subtrees();
  loop_side_by_side(threads_, static_cast<std::int64_t>(subtrees.size()), [&](std::int64_t i) {
    std::vector<Value> own_room;
    const std::int64_t first = tree_.first_of(subtrees[at(i)]);
    for (std::int64_t s = subtrees[at(i)]; s >= first; --s) backward_in_front(s, own_room);
  });
}

}  // namespace

bool can_solve_fronts() {
  return has_blas();
}

template <class Value>
void solve_fronts(const FrontTree& tree, const Value* factor, Value* x, std::int64_t columns, int threads) {
  FrontSolve<Value> solve(tree, factor, x, columns, threads);
  solve.forward();
  solve.backward();
}

template void solve_fronts(const FrontTree&, const double*, double*, std::int64_t, int);
template void solve_fronts(const FrontTree&, const float*, float*, std::int64_t, int);

}  // namespace setka::solve::detail
