// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/substructure.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/linear_solver.hpp"

namespace setka::domains {

struct SubstructureOptions {
  int parts = 0;  // 0: as many as make parts of some thousand unknowns
  Schur schur = Schur::automatic;
};

/// A system of elements, and the matrix that they make.
struct ElementSystem {
  const fem::Space& space;
  const fem::ElementMatrix& element_matrix;  // as fem::assemble() takes it
  /// Their sum, on any device; what its diagonal has beyond them belongs to the system too.
  const sparse::BlockCsr<double>& matrix;
};

/// Solves by substructures: parts of the elements are condensed to the unknowns that several of them have
/// (static condensation), conjugate gradients solve for these with Bddc for a preconditioner, and the rest
/// follows part by part. On the threads of the CPU, whose number does not change a bit. Of the choice
/// tolerance and limit of iterations count; the tolerance is of |b - A x| / |b| of the whole system, as with
/// other solvers. Error(Fault::usage) for more parts than elements and in a build without sparse Cholesky.
solve::SolveResult solve_by_substructures(const exec::Device& cpu, const ElementSystem& system,
                                          const std::vector<double>& b, const SubstructureOptions& options,
                                          const solve::SolverChoice& choice, Monitor& monitor);

/// The same for parts that are given; some may have no elements.
solve::SolveResult solve_by_substructures(const exec::Device& cpu, const ElementSystem& system,
                                          const std::vector<double>& b, const Partition& elements,
                                          const SubstructureOptions& options,
                                          const solve::SolverChoice& choice, Monitor& monitor);

}  // namespace setka::domains
