// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve {

/// A system of which nothing is known but its matrix and perhaps where its unknowns are, as a user gives it.
class MatrixSystem {
 public:
  /// matrix: as the solver wants it that is to be chosen; see matrix_checks.hpp. block: 1, or 3 for three
  /// displacements a node, one node after the other; the rows are a multiple of it. coordinates: [rows /
  /// block, 3] or empty. Error(Fault::resource) before anything is made that does not fit into the memory of
  /// the host; memory: what there is, 0 to ask the machine.
  MatrixSystem(const exec::Device& cpu, const sparse::Csr& matrix, int block, std::vector<double> coordinates,
               std::uint64_t memory = 0);

  std::int32_t unknowns() const { return static_cast<std::int32_t>(matrix_.scalar_rows()); }
  int block() const { return matrix_.height(); }

  /// x, for a finite b. The size of the numbers has no say: matrix and b are scaled to about 1 by powers of
  /// two, which change no digit, so that neither squares nor single precision overflow or vanish.
  SolveResult solve(const exec::Device& device, const std::vector<double>& b, const SolverChoice& choice,
                    Monitor& monitor) const;

  AmgGeometry geometry() const;  // see geometry_of()

 private:
  sparse::BlockCsr<double> matrix_;  // times 2^-exponent_
  int exponent_ = 0;
  std::vector<double> coordinates_;
};

/// What a matrix in host memory nearly annihilates: the constant of 1 x 1 blocks, translations of 3 x 3
/// blocks and, with coordinates ([block rows, 3] or empty), rotations. Zero in rows that couple to nothing,
/// as a prescribed value leaves them.
AmgGeometry geometry_of(const sparse::BlockCsr<double>& matrix, const std::vector<double>& coordinates);

}  // namespace setka::solve
