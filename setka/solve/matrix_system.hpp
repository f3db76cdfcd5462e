// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve {

/// What may be known of the unknowns of a matrix.
struct MatrixGeometry {
  int block = 1;                         // unknowns a node, one node after the other: see block_shapes.hpp
  std::vector<double> coordinates = {};  // [rows / block, 3], or empty
  int modes = 0;                         // of a near-nullspace that is given; 0: see geometry_of()
  std::vector<double> mode = {};         // [rows, modes]
};

/// A system of which nothing is known but its matrix and perhaps its geometry, as a user gives it.
class MatrixSystem {
 public:
  /// matrix: as the solver wants it that is to be chosen; see matrix_checks.hpp. Its rows are a multiple of
  /// the block. Error(Fault::resource) before anything is made that does not fit into the memory of the host;
  /// memory: what there is, 0 to ask the machine.
  MatrixSystem(const exec::Device& cpu, const sparse::Csr& matrix, MatrixGeometry geometry,
               std::uint64_t memory = 0);

  std::int32_t unknowns() const { return static_cast<std::int32_t>(matrix_.scalar_rows()); }
  int block() const { return matrix_.height(); }

  /// x, for a finite b. The size of the numbers has no say: matrix and b are scaled to about 1 by powers of
  /// two, which change no digit, so that neither squares nor single precision overflow or vanish.
  SolveResult solve(const exec::Device& device, const std::vector<double>& b, const SolverChoice& choice,
                    Monitor& monitor) const;

  /// The same by other means than solve::solve(), which get the scaled system.
  using Solve = std::function<SolveResult(const LinearSystem& system, const std::vector<double>& b)>;
  SolveResult solve_by(const Solve& means, const std::vector<double>& b) const;

  AmgGeometry geometry() const;  // see geometry_of()

 private:
  sparse::BlockCsr<double> matrix_;  // times 2^-exponent_
  int exponent_ = 0;
  MatrixGeometry geometry_;
};

/// What multigrid is to know of a matrix in host memory: the near-nullspace that is given, or what matrices
/// of such blocks nearly annihilate. That is the constant of each component, and with coordinates the rigid
/// motions of two displacements in a plane z = const, of three displacements in space, and of three
/// displacements and three rotations. Zero in rows that couple to nothing, as a prescribed value leaves them.
AmgGeometry geometry_of(const sparse::BlockCsr<double>& matrix, const MatrixGeometry& given);

}  // namespace setka::solve
