// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/operators.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/operators_kernel.hpp"

namespace setka::solve {
namespace {

using ConstVector = exec::View<const double>;
using Vector = exec::View<double>;
using ConstColumns = exec::MultiView<const double>;
using Columns = exec::MultiView<double>;

// One vector and many columns have the same operations; these are where they differ.

/// y = a x + b y; with b = 0, y is not read.
void add(const exec::Stream& stream, double a, ConstVector x, double b, Vector y) {
  if (b == 0) return exec::combine(stream, a, x, 0.0, x, y);
  exec::axpby(stream, a, x, b, y);
}
void add(const exec::Stream& stream, double a, ConstColumns x, double b, Columns y) {
  exec::parallel_for(stream, y.rows * y.columns, kernel::AddScaled{a, x, b, y});
}

std::int64_t length(ConstVector x) {
  return x.size;
}
std::int64_t length(ConstColumns x) {
  return x.rows;
}
std::int64_t width(ConstVector /*x*/) {
  return 1;
}
std::int64_t width(ConstColumns x) {
  return x.columns;
}

template <class T>
exec::View<T> rows_of(exec::View<T> x, std::int64_t first, std::int64_t count) {
  return x.part(first, count);
}
template <class T>
exec::MultiView<T> rows_of(exec::MultiView<T> x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.stride, count, x.columns, x.stride};
}

/// The begin of scratch memory as a vector, or as columns, of so many rows.
Vector shaped(const exec::Scratch<double>& memory, std::int64_t rows, ConstVector /*like*/) {
  return {memory.data(), rows};
}
Columns shaped(const exec::Scratch<double>& memory, std::int64_t rows, ConstColumns like) {
  return {memory.data(), rows, like.columns, like.columns};
}

template <class In, class Out>
void check_vectors(const char* what, const Operator& a, In x, Out y) {
  require(length(x) == a.columns() && length(y) == a.rows() && width(x) == width(y), [&] {
    return fmt::format("{}: it is [{} x {}], but x is [{} x {}] and y [{} x {}]", what, a.rows(), a.columns(),
                       length(x), width(x), length(y), width(y));
  });
}

std::string shape_of(const Operator& a) {
  return fmt::format("[{} x {}]", a.rows(), a.columns());
}

void check_device(const char* what, const Operator& a, const Operator& b) {
  require(a.device() == b.device(), [&] {
    return fmt::format("{}: one part is on {}, another on {}", what, a.device().label(), b.device().label());
  });
}

}  // namespace

OperatorPointer borrowed(const Operator& a) {
  return {OperatorPointer(), &a};
}

void IdentityOperator::apply(const exec::Stream& stream, ConstVector x, Vector y) const {
  check_vectors("IdentityOperator", *this, x, y);
  add(stream, 1, x, 0, y);
}

void IdentityOperator::apply(const exec::Stream& stream, ConstColumns x, Columns y) const {
  check_vectors("IdentityOperator", *this, x, y);
  add(stream, 1, x, 0, y);
}

void ScaledOperator::apply(const exec::Stream& stream, ConstVector x, Vector y) const {
  a_->apply(stream, x, y);
  exec::scale(stream, scale_, y);
}

void ScaledOperator::apply(const exec::Stream& stream, ConstColumns x, Columns y) const {
  a_->apply(stream, x, y);
  add(stream, scale_, y, 0, y);
}

SumOperator::SumOperator(double scale_of_a, OperatorPointer a, double scale_of_b, OperatorPointer b)
    : scale_of_a_(scale_of_a), a_(std::move(a)), scale_of_b_(scale_of_b), b_(std::move(b)) {
  require(a_->rows() == b_->rows() && a_->columns() == b_->columns(), [&] {
    return fmt::format("SumOperator: {} and {} cannot be added", shape_of(*a_), shape_of(*b_));
  });
  check_device("SumOperator", *a_, *b_);
}

template <class In, class Out>
void SumOperator::apply_to(const exec::Stream& stream, In x, Out y) const {
  check_vectors("SumOperator", *this, x, y);
  const exec::Scratch<double> memory(stream, rows() * width(x));
  const Out other = shaped(memory, rows(), x);
  a_->apply(stream, x, y);
  b_->apply(stream, x, other);
  add(stream, scale_of_b_, other, scale_of_a_, y);
}

void SumOperator::apply(const exec::Stream& stream, ConstVector x, Vector y) const {
  apply_to(stream, x, y);
}

void SumOperator::apply(const exec::Stream& stream, ConstColumns x, Columns y) const {
  apply_to(stream, x, y);
}

ProductOperator::ProductOperator(OperatorPointer a, OperatorPointer b) : a_(std::move(a)), b_(std::move(b)) {
  require(a_->columns() == b_->rows(), [&] {
    return fmt::format("ProductOperator: {} and {} cannot be multiplied", shape_of(*a_), shape_of(*b_));
  });
  check_device("ProductOperator", *a_, *b_);
}

void ProductOperator::apply(const exec::Stream& stream, ConstVector x, Vector y) const {
  const exec::Scratch<double> between(stream, b_->rows());
  b_->apply(stream, x, between);
  a_->apply(stream, between, y);
}

void ProductOperator::apply(const exec::Stream& stream, ConstColumns x, Columns y) const {
  const exec::Scratch<double> memory(stream, b_->rows() * x.columns);
  const Columns between = shaped(memory, b_->rows(), x);
  b_->apply(stream, x, between);
  a_->apply(stream, between, y);
}

BlockOperator::BlockOperator(std::vector<std::vector<OperatorPointer>> blocks) : blocks_(std::move(blocks)) {
  const std::size_t block_columns = blocks_.empty() ? 0 : blocks_.front().size();
  require(block_columns > 0, "BlockOperator: there are no blocks");
  std::vector<const Operator*> of_column(block_columns, nullptr);  // one that tells the size
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    require(blocks_[i].size() == block_columns, [&] {
      return fmt::format("BlockOperator: row {} has {} blocks, but row 0 has {}", i, blocks_[i].size(),
                         block_columns);
    });
    const Operator* of_row = nullptr;
    for (std::size_t j = 0; j < block_columns; ++j) {
      const Operator* const block = blocks_[i][j].get();
      if (block == nullptr) continue;
      if (of_row == nullptr) of_row = block;
      if (of_column[j] == nullptr) of_column[j] = block;
      if (device_ == nullptr) device_ = &block->device();
      require(block->rows() == of_row->rows() && block->columns() == of_column[j]->columns(), [&] {
        return fmt::format(
            "BlockOperator: block ({}, {}) is {}, but its row has {} rows and its column {} columns", i, j,
            shape_of(*block), of_row->rows(), of_column[j]->columns());
      });
      require(block->device() == *device_, [&] {
        return fmt::format("BlockOperator: one block is on {}, another on {}", device_->label(),
                           block->device().label());
      });
    }
    require(of_row != nullptr, [&] {
      return fmt::format("BlockOperator: row {} has no block, so that nothing says how large it is", i);
    });
    row_offset_.push_back(row_offset_.back() + of_row->rows());
  }
  for (std::size_t j = 0; j < block_columns; ++j) {
    require(of_column[j] != nullptr, [&] {
      return fmt::format("BlockOperator: column {} has no block, so that nothing says how large it is", j);
    });
    column_offset_.push_back(column_offset_.back() + of_column[j]->columns());
  }
}

template <class In, class Out>
void BlockOperator::apply_to(const exec::Stream& stream, In x, Out y) const {
  check_vectors("BlockOperator", *this, x, y);
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    longest = std::max(longest, row_offset_[i + 1] - row_offset_[i]);
  const exec::Scratch<double> memory(stream, longest * width(x));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::int64_t rows = row_offset_[i + 1] - row_offset_[i];
    const Out sum = rows_of(y, row_offset_[i], rows);
    bool first = true;
    for (std::size_t j = 0; j < blocks_[i].size(); ++j) {
      if (blocks_[i][j] == nullptr) continue;
      const In part = rows_of(x, column_offset_[j], column_offset_[j + 1] - column_offset_[j]);
      if (std::exchange(first, false)) {
        blocks_[i][j]->apply(stream, part, sum);
        continue;
      }
      const Out term = shaped(memory, rows, x);
      blocks_[i][j]->apply(stream, part, term);
      add(stream, 1, term, 1, sum);
    }
  }
}

void BlockOperator::apply(const exec::Stream& stream, ConstVector x, Vector y) const {
  apply_to(stream, x, y);
}

void BlockOperator::apply(const exec::Stream& stream, ConstColumns x, Columns y) const {
  apply_to(stream, x, y);
}

}  // namespace setka::solve
