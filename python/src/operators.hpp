// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "python.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/matrix_system.hpp"
#include "setka/solve/operators.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::python {

/// What Python holds of an operator.
struct SharedOperator {
  SharedOperator() = default;
  explicit SharedOperator(solve::OperatorPointer of) : a(std::move(of)) {}
  SharedOperator(const SharedOperator&) = delete;
  SharedOperator& operator=(const SharedOperator&) = delete;
  virtual ~SharedOperator() = default;

  solve::OperatorPointer a;
};

/// An assembled matrix, and what multigrid may know of it.
struct Matrix : SharedOperator {
  std::shared_ptr<const sparse::BlockCsr<double>> blocks;
  std::optional<fem::Space> space;  // whose vectors it takes
  solve::MatrixGeometry geometry;   // where there is no space
  std::vector<std::int32_t> place;  // of unknowns among the rows; empty: all are

  solve::AmgGeometry amg_geometry() const;
};

std::shared_ptr<Matrix> make_matrix(sparse::BlockCsr<double>&& blocks);

/// An operator that a function of Python is: call(x, y) writes A x to y, both of [rows] or [rows, columns].
solve::OperatorPointer python_operator(const exec::Device& device, std::int64_t rows, std::int64_t columns,
                                       py::object call);

}  // namespace setka::python
