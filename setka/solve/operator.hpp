// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/device.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/view.hpp"

namespace setka::solve {

/// A matrix that is known by its products, on one device.
class Operator {
 public:
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  virtual ~Operator() = default;

  virtual const exec::Device& device() const = 0;
  virtual std::int64_t rows() const = 0;
  virtual std::int64_t columns() const { return rows(); }

  /// Of a team whose members have the other rows of A, and of its columns; null: all of A is here. What is
  /// summed over rows is then summed over the team, and all members apply their operators together.
  virtual const exec::Member* member() const { return nullptr; }

  /// y = A x, for x of columns() and y of rows() entries in the memory of the device; y is not x. On a GPU it
  /// returns before the work is done, and never waits.
  virtual void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const = 0;

  /// Y = A X for every column.
  virtual void apply(const exec::Stream& stream, exec::MultiView<const double> x,
                     exec::MultiView<double> y) const = 0;
};

}  // namespace setka::solve
