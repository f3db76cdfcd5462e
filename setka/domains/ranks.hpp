// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/domains/distributed_matrix.hpp"
#include "setka/domains/distributed_operator.hpp"
#include "setka/domains/row_parts.hpp"
#include "setka/exec/team.hpp"
#include "setka/exec/transport.hpp"
#include "setka/modes/find.hpp"
#include "setka/modes/modes.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/linear_solver.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// What multigrid is to know of the rows of this process; asked for when needed.
using GeometryHere = std::function<solve::AmgGeometry()>;

/// What the elements of one process make of a matrix, each element being one process's: sums over the
/// processes are the matrix.
struct UnassembledPart {
  sparse::BlockCsr<double> matrix;  // in the memory of the host
  std::vector<std::int32_t> rows;   // which block row of the whole each is, and each column
};

/// A symmetric, positive definite system over a team of processes.
struct RankSystem {
  const DistributedMatrix& matrix;
  GeometryHere geometry;
  std::int32_t unknown_count = 0;  // of the whole, without what fills the blocks
  /// That of this process, for methods that compute with parts; none: it is not to be had.
  std::function<UnassembledPart()> part = {};
};

/// K phi = lambda M phi of the same rows.
struct RankEigenSystem {
  const DistributedMatrix& stiffness;
  const DistributedMatrix& mass;
  GeometryHere geometry;
};

/// Processes that compute one model together, on one machine or on many. All of them call everything equally
/// often and in the same order, with the same arguments but for what is said to be of one process.
class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  /// A team of them has a member a process.
  virtual std::shared_ptr<const exec::Transport> transport() const = 0;
  int size() const { return transport()->size(); }
  int number() const { return transport()->number(); }

  /// Up to which the engine numbers unknowns.
  virtual std::int64_t max_unknowns() const = 0;

  /// What the engine was told by the user and has not asked for until now.
  virtual std::vector<std::string> not_taken() const = 0;

  /// b and the answer are whole vectors, which everybody has.
  virtual solve::SolveResult solve(const RankSystem& system, const std::vector<double>& b,
                                   const solve::SolverChoice& choice, Monitor& monitor) const = 0;

  virtual solve::SolveResult solve(const UnassembledSystem& system, const std::vector<double>& b,
                                   const solve::SolverChoice& choice, Monitor& monitor) const = 0;

  /// Multigrid of rows in parts, for the values of this process's rows.
  virtual std::unique_ptr<solve::Operator> multigrid(const RowParts& parts, const TeamMatrix& matrix,
                                                     const GeometryHere& geometry,
                                                     Monitor& monitor) const = 0;

  /// Whether the user has told the engine how it is to find modes.
  virtual bool is_told_of_modes() const = 0;

  /// Shapes over all rows, which everybody has.
  virtual modes::Modes find_modes(const RankEigenSystem& system, const modes::Request& request,
                                  modes::Method method, Monitor& monitor) const = 0;
};

/// Of a matrix that every process has whole: of the rows of a part each.
solve::SolveResult solve(const Ranks& ranks, const exec::Team& team, const solve::LinearSystem& system,
                         const std::vector<double>& b, const solve::SolverChoice& choice, Monitor& monitor);

/// Whether modes of so many unknowns are the engine's to find: where they are found by a factorisation, and
/// where the user tells it how. Else they are found as several devices find them.
bool engine_finds(const Ranks& ranks, const exec::Device& device, std::int64_t unknowns,
                  const modes::Request& request, const modes::Choice& choice);

/// Modes found so, or by the engine where what was chosen automatically does not converge. iterate: as
/// several devices find them; factorise: as the engine does.
modes::Modes found_by_processes(const std::function<modes::Modes()>& iterate,
                                const std::function<modes::Modes()>& factorise, bool engine_finds,
                                const modes::Choice& choice);

/// Of matrices that every process has whole: of the rows of a part each. Error(Fault::usage) where M couples
/// unknowns that K does not.
modes::Modes find_modes(const Ranks& ranks, const exec::Team& team, const exec::Device& cpu,
                        const modes::EigenSystem& system, const modes::Request& request,
                        const modes::Choice& choice, Monitor& monitor);

}  // namespace setka::domains
