// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/preconditioner.hpp"
#include "setka/solve/solver.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve {

enum class Method { automatic, cholesky, cg, minres, gmres };

/// The word of the command line; an unknown one is an Error(Fault::usage) that lists them.
Method method_of(std::string_view word);

/// The widest kind of matrix that a method solves.
MatrixKind kind_for(Method method);

struct SolverChoice {
  Method method = Method::automatic;
  std::string preconditioner = "auto";  // see preconditioner_of()
  double tolerance = 1e-8;              // of |b - A x| / |b|, of an iterative solver
  int max_iterations = 20000;
  int restart = 30;  // of GMRES
  /// Whether automatic begins with a factorisation, by who knows more than the number of unknowns; none: by
  /// that.
  std::optional<bool> begins_with_factor = std::nullopt;
  /// In the place of the one of the word, where a folder above this one makes it.
  std::shared_ptr<const PreconditionerKind> given = nullptr;

  /// Takes a preconditioner that is none of the list. What knows those of the list alone refuses its word.
  void use(PreconditionerKind kind);
};

/// The preconditioner of a choice; Errors as of preconditioner_of() of its word.
const PreconditionerKind& preconditioner_of(const SolverChoice& choice,
                                            MatrixKind kind = MatrixKind::positive_definite);

/// Conjugate gradients, MINRES or GMRES with their defaults for the rest; the latter two where the choice
/// names them.
std::unique_ptr<Solver> make_solver(const SolverChoice& choice, int stagnation_window);

/// "CG with multigrid", ...
std::string name_of(const SolverChoice& choice, const PreconditionerKind& preconditioner);

/// A factorisation that is begun while the values of the matrix are still computed.
struct OrderedFactor {
  sparse::SymmetricCsr upper;  // the pattern, over the unknowns
  Cholesky cholesky;           // has its order
};

/// Begins one in a thread of its own, by a copy of the pattern of a matrix in host memory; places as
/// sparse::over_unknowns() takes them, and as many as there are unknowns.
std::future<OrderedFactor> order_meanwhile(const sparse::BlockCsr<double>& pattern,
                                           std::vector<std::int32_t> place);

/// A system, and what solvers may want to know of it.
struct LinearSystem {
  std::int32_t unknown_count = 0;  // without what fills the blocks of the matrix
  /// On any device. None where neither the products nor the preconditioner need it; then nothing can be
  /// factorised.
  const sparse::BlockCsr<double>* matrix = nullptr;
  const Operator* product = nullptr;         // for iterative solvers; none: the matrix
  const Operator* preconditioner = nullptr;  // the one of the choice, where there is no matrix
  std::function<AmgGeometry()> geometry;     // for multigrid; asked for when needed
  std::span<const std::int32_t> place;  // of unknowns among the rows, as sparse::over_unknowns() takes it

  std::future<OrderedFactor>* ordered = nullptr;  // for the first factorisation, where it is valid

  /// A pivot of a factorisation that is so small a part of its diagonal is taken for rounding, and the matrix
  /// for singular, even where the answer fits. 0: the residual alone decides, as it has to where elements of
  /// reduced integration leave motions free that no load drives.
  double min_pivot = 0;
};

/// How a system was solved.
struct SolveReport {
  std::int32_t unknowns = 0;
  std::int64_t matrix_entries = 0;
  std::string method;  // "Cholesky", "CG with multigrid"
  int iterations = 0;
  double residual = 0;  // |b - A x| / |b|
  bool converged = true;
  bool factorised = false;
  std::int32_t singular = -1;  // the matrix is not positive definite: the unknown where a factorisation saw
                               // it; 0 where conjugate gradients did
  double min_pivot = 1;        // of a factorisation, as a part of its diagonal
  std::string trouble;         // why the solution was not reached
  double setup_seconds = 0;    // preconditioner or factorisation, and what moving the matrix took
  double solve_seconds = 0;
};

struct SolveResult {
  std::vector<double> x;
  SolveReport report;
};

/// Whether so many unknowns are factorised at once, without trying conjugate gradients.
bool factorises(const SolverChoice& choice, std::int64_t unknowns);

/// Solves by the method of the choice. Automatic: a factorisation for what it does in a moment, else CG with
/// multigrid on the device; when that does not converge, a factorisation if it fits in memory, with a line
/// that says so. The residual is computed from the answer in every case, and what misses the tolerance (1e-6
/// after a factorisation) is not called converged.
SolveResult solve(const exec::Device& device, const LinearSystem& system, const std::vector<double>& b,
                  const SolverChoice& choice, Monitor& monitor);

}  // namespace setka::solve
