// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cholmod.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace setka::solve::detail {

/// The supernodes of a factor as fronts: columns first .. first + columns - 1, and rows below them; what a
/// front leaves goes to its parent. The factor, of which nothing but the structure is looked at, must outlive
/// it.
class FrontTree {
 public:
  explicit FrontTree(const cholmod_factor& factor);

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t count() const { return count_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t first(std::int64_t s) const { return column_[s]; }
  std::int64_t columns(std::int64_t s) const { return column_[s + 1] - column_[s]; }
  std::int64_t height(std::int64_t s) const { return offset_[s + 1] - offset_[s]; }
  std::int64_t below(std::int64_t s) const { return height(s) - columns(s); }
  std::span<const SuiteSparse_long> rows(std::int64_t s) const { return {row_ + offset_[s], at(height(s))}; }
  /// Where the values of its columns begin among those of the factor: [columns, height].
  std::int64_t place(std::int64_t s) const { return place_[s]; }
  std::int64_t values() const { return place_[count_]; }
  /// [rows] of the matrix, in the order of the factor
  std::span<const SuiteSparse_long> order() const { return {order_, at(rows_)}; }

  std::int32_t of_column(std::int64_t column) const { return of_column_[at(column)]; }
  std::int32_t parent(std::int64_t s) const { return parent_[at(s)]; }
  std::span<const std::int32_t> children(std::int64_t s) const { return child_[at(s)]; }
  double own_flops(std::int64_t s) const;

  /// Subtrees that are computed each by one thread, the dearest first: their roots. The fronts of one have
  /// consecutive numbers.
  const std::vector<std::int32_t>& subtrees() const { return subtrees_; }
  /// The first front of a subtree.
  std::int64_t first_of(std::int64_t root) const;
  /// The fronts above all of these, ascending.
  const std::vector<std::int32_t>& above() const { return above_; }

 private:
  void take_apart();

  const SuiteSparse_long* column_;
  const SuiteSparse_long* offset_;
  const SuiteSparse_long* place_;
  const SuiteSparse_long* row_;
  const SuiteSparse_long* order_;
  std::int64_t rows_;
  std::int64_t count_;
  std::vector<std::int32_t> of_column_;
  std::vector<std::int32_t> parent_;
  std::vector<std::vector<std::int32_t>> child_;
  std::vector<double> flops_;  // of the subtree
  std::vector<std::int32_t> subtrees_;
  std::vector<std::int32_t> above_;
};

}  // namespace setka::solve::detail
