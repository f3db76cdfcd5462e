// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"

/// Operators made of operators. All parts lie on one device; sizes that do not fit are an Error(Fault::usage)
/// that names both. What they need in between is scratch memory of the stream, so that products never wait.
namespace setka::solve {

using OperatorPointer = std::shared_ptr<const Operator>;

/// For an operator that outlives what is made of it.
OperatorPointer borrowed(const Operator& a);

class IdentityOperator final : public Operator {
 public:
  IdentityOperator(const exec::Device& device, std::int64_t rows) : device_(device), rows_(rows) {}

  const exec::Device& device() const override { return device_; }
  std::int64_t rows() const override { return rows_; }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  exec::Device device_;
  std::int64_t rows_;
};

/// s A
class ScaledOperator final : public Operator {
 public:
  ScaledOperator(double scale, OperatorPointer a) : scale_(scale), a_(std::move(a)) {}

  const exec::Device& device() const override { return a_->device(); }
  std::int64_t rows() const override { return a_->rows(); }
  std::int64_t columns() const override { return a_->columns(); }
  const exec::Member* member() const override { return a_->member(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  double scale_;
  OperatorPointer a_;
};

/// a A + b B
class SumOperator final : public Operator {
 public:
  SumOperator(OperatorPointer a, OperatorPointer b) : SumOperator(1, std::move(a), 1, std::move(b)) {}
  SumOperator(double scale_of_a, OperatorPointer a, double scale_of_b, OperatorPointer b);

  const exec::Device& device() const override { return a_->device(); }
  std::int64_t rows() const override { return a_->rows(); }
  std::int64_t columns() const override { return a_->columns(); }
  const exec::Member* member() const override { return a_->member(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  template <class In, class Out>
  void apply_to(const exec::Stream& stream, In x, Out y) const;

  double scale_of_a_;
  OperatorPointer a_;
  double scale_of_b_;
  OperatorPointer b_;
};

/// A B: first B, then A.
class ProductOperator final : public Operator {
 public:
  ProductOperator(OperatorPointer a, OperatorPointer b);

  const exec::Device& device() const override { return a_->device(); }
  std::int64_t rows() const override { return a_->rows(); }
  std::int64_t columns() const override { return b_->columns(); }
  const exec::Member* member() const override { return a_->member(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  OperatorPointer a_;
  OperatorPointer b_;
};

/// A matrix of operators, as [A B'; B 0]. A block that is missing is zero; each row and each column of blocks
/// has at least one, which says how large it is. Vectors are those of the blocks one after the other.
class BlockOperator final : public Operator {
 public:
  /// blocks: [block rows][block columns]
  explicit BlockOperator(std::vector<std::vector<OperatorPointer>> blocks);

  /// Where the rows of a row of blocks begin; its last entry is rows(). The same of columns.
  const std::vector<std::int64_t>& row_offsets() const { return row_offset_; }
  const std::vector<std::int64_t>& column_offsets() const { return column_offset_; }

  const exec::Device& device() const override { return *device_; }
  std::int64_t rows() const override { return row_offset_.back(); }
  std::int64_t columns() const override { return column_offset_.back(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override;
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override;

 private:
  template <class In, class Out>
  void apply_to(const exec::Stream& stream, In x, Out y) const;

  std::vector<std::vector<OperatorPointer>> blocks_;
  std::vector<std::int64_t> row_offset_{0};
  std::vector<std::int64_t> column_offset_{0};
  const exec::Device* device_ = nullptr;  // of one of the blocks
};

}  // namespace setka::solve
