// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/operators.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::test {

/// Entries of a matrix one after the other.
class Entries {
 public:
  Entries(std::int32_t rows, std::int32_t columns) {
    list_.rows = rows;
    list_.columns = columns;
  }

  void add(std::int32_t i, std::int32_t j, double value) {
    list_.row.push_back(i);
    list_.column.push_back(j);
    list_.value.push_back(value);
  }

  const sparse::Triplets& list() const { return list_; }

  sparse::BlockCsr<double> matrix(const exec::Device& device) const {
    const sparse::Csr rows = sparse::compressed(list_, false, 1);
    const exec::Device cpu = exec::Device::cpu(1);
    const std::vector<std::int32_t> offset(rows.offset.begin(), rows.offset.end());
    const sparse::BlockCsr<double> made(rows.rows, rows.columns, 1, 1, exec::Array<std::int32_t>(cpu, offset),
                                        exec::Array<std::int32_t>(cpu, rows.column),
                                        exec::Array<double>(cpu, rows.value));
    return made.to(device);
  }

  std::shared_ptr<const solve::BlockCsrOperator> on(const exec::Device& device) const {
    return std::make_shared<const solve::BlockCsrOperator>(matrix(device));
  }

  Entries transposed() const {
    Entries other(list_.columns, list_.rows);
    other.list_.row = list_.column;
    other.list_.column = list_.row;
    other.list_.value = list_.value;
    return other;
  }

 private:
  sparse::Triplets list_;
};

/// -u'' differences on a grid of nx x ny points between walls at zero, with upwind convection along x and y
/// of `velocity` times the step of the grid.
inline Entries convection_diffusion(std::int32_t nx, std::int32_t ny, double velocity) {
  Entries a(nx * ny, nx * ny);
  for (std::int32_t y = 0; y < ny; ++y) {
    for (std::int32_t x = 0; x < nx; ++x) {
      const std::int32_t i = y * nx + x;
      a.add(i, i, 4 + 2 * velocity);
      if (x > 0) a.add(i, i - 1, -1 - velocity);
      if (x + 1 < nx) a.add(i, i + 1, -1);
      if (y > 0) a.add(i, i - nx, -1 - velocity);
      if (y + 1 < ny) a.add(i, i + nx, -1);
    }
  }
  return a;
}

/// Stokes' equations on n x n cells with velocities on the faces between them (Harlow and Welch 1965) and one
/// pressure a cell: [Au 0 Bu'; 0 Av Bv'; Bu Bv 0] in units of the cell. B A^-1 B' is like the identity for
/// every n. The last pressure is zero, or else all of them are free and the matrix is singular.
struct Stokes {
  explicit Stokes(std::int32_t n, bool free_pressure = false)
      : pressures(n * n - (free_pressure ? 0 : 1)),
        u(convection_diffusion(n - 1, n, 0)),
        v(convection_diffusion(n, n - 1, 0)),
        of_u(pressures, (n - 1) * n),
        of_v(pressures, n * (n - 1)) {
    for (std::int32_t y = 0; y < n; ++y) {
      for (std::int32_t x = 0; x < n; ++x) {
        const std::int32_t cell = y * n + x;
        if (cell == pressures) continue;
        if (x + 1 < n) of_u.add(cell, y * (n - 1) + x, 1);
        if (x > 0) of_u.add(cell, y * (n - 1) + x - 1, -1);
        if (y + 1 < n) of_v.add(cell, y * n + x, 1);
        if (y > 0) of_v.add(cell, (y - 1) * n + x, -1);
      }
    }
  }

  std::shared_ptr<const solve::BlockOperator> on(const exec::Device& device) const {
    return std::make_shared<const solve::BlockOperator>(std::vector<std::vector<solve::OperatorPointer>>{
        {u.on(device), nullptr, of_u.transposed().on(device)},
        {nullptr, v.on(device), of_v.transposed().on(device)},
        {of_u.on(device), of_v.on(device), nullptr}});
  }

  /// The whole matrix.
  sparse::Triplets entries() const {
    const std::int32_t of_pressure = u.list().rows + v.list().rows;
    sparse::Triplets all;
    all.rows = all.columns = of_pressure + pressures;
    const auto add = [&](const Entries& part, std::int32_t row, std::int32_t column) {
      for (std::size_t k = 0; k < part.list().value.size(); ++k) {
        all.row.push_back(row + part.list().row[k]);
        all.column.push_back(column + part.list().column[k]);
        all.value.push_back(part.list().value[k]);
      }
    };
    add(u, 0, 0);
    add(v, u.list().rows, u.list().rows);
    add(of_u, of_pressure, 0);
    add(of_v, of_pressure, u.list().rows);
    add(of_u.transposed(), 0, of_pressure);
    add(of_v.transposed(), u.list().rows, of_pressure);
    return all;
  }

  std::int32_t pressures;
  Entries u;
  Entries v;
  Entries of_u;
  Entries of_v;
};

}  // namespace setka::test
