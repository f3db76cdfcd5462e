// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/small_matrix.hpp"

namespace setka::modes {

using Block = exec::MultiView<double>;
using ConstBlock = exec::MultiView<const double>;

/// Tall blocks on a device, small matrices on the host, and the way between them.
class BlockAlgebra {
 public:
  /// max_columns: of any block that comes; member: of a team that has the other rows of all blocks, so that
  /// inner products are of all; null: all rows are here.
  BlockAlgebra(const exec::Stream& stream, std::int64_t max_columns, const exec::Member* member = nullptr);

  const exec::Stream& stream() const { return stream_; }

  /// X'Y of each pair; waits for the stream, once for some pairs together.
  std::vector<solve::SmallMatrix> inner(const std::vector<std::pair<ConstBlock, ConstBlock>>& pairs);

  /// What functions put into small matrices on the device, [columns, columns] each; waits.
  std::vector<solve::SmallMatrix> computed(std::int64_t columns,
                                           const std::vector<std::function<void(Block)>>& functions);

  /// (x_j, y_j) of each column of each pair; waits.
  std::vector<std::vector<double>> column_dots(const std::vector<std::pair<ConstBlock, ConstBlock>>& pairs);

  /// What is made of small matrices, the same to the last bit at all members of a team.
  template <class Make>
  auto agreed(const Make& make) const {
    return member_ == nullptr ? make() : member_->agreed(make);
  }

  /// Y = a X S + b Y.
  void multiply(double a, ConstBlock x, const solve::SmallMatrix& s, double b, Block y);

  /// Y = sum of X_k S_k + b Z; Y may be Z.
  void combine(const std::vector<std::pair<ConstBlock, const solve::SmallMatrix*>>& terms, double b,
               ConstBlock z, Block y);

  /// y_j = a_j x_j + y_j.
  void add_scaled_columns(const std::vector<double>& a, ConstBlock x, Block y);

 private:
  /// The small matrix in one of the places that come to the host together.
  Block place(std::size_t k, std::int64_t rows, std::int64_t columns) {
    return {on_device_.data() + static_cast<std::int64_t>(k) * room_, rows, columns, columns};
  }
  /// Over all rows, what is in so many of these places.
  void complete(std::size_t places);
  void fetch(std::span<solve::SmallMatrix> matrices);
  exec::View<double> to_device(const std::vector<double>& values);

  exec::Stream stream_;
  const exec::Member* member_;
  std::int64_t room_;  // of a place
  exec::Array<double> on_device_;
  exec::Array<double> on_host_;
  std::int64_t next_ = 0;
};

struct SmallEigen {
  std::vector<double> value;  // ascending
  solve::SmallMatrix vector;

  auto parts() { return std::tie(value, vector); }
};
/// Of the symmetric part of a.
SmallEigen symmetric_eigen(const solve::SmallMatrix& a);

/// H c = value G c for the lowest values, c'Gc = 1. Nothing where G, scaled to a unit diagonal, has a pivot
/// below `min_pivot`: columns depend on each other so much that rounding would show.
std::optional<SmallEigen> generalised_eigen(const solve::SmallMatrix& h, const solve::SmallMatrix& g,
                                            std::int64_t count, double min_pivot);

/// A'BC.
solve::SmallMatrix sandwiched(const solve::SmallMatrix& a, const solve::SmallMatrix& b,
                              const solve::SmallMatrix& c);

}  // namespace setka::modes
