// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "setka/domains/ranks.hpp"

/// Many processes, by MPI, PETSc and SLEPc.
namespace setka::petsc {

/// MPI, PETSc and SLEPc for as long as it lives: one in a program, made before anything else of them is used.
/// What fails in them is thrown as an Error.
class Session final : public domains::Ranks {
 public:
  /// options: what PETSc is told, as "-pc_type hypre -ksp_monitor".
  explicit Session(const std::string& options);
  ~Session() override;

  std::shared_ptr<const exec::Transport> transport() const override { return transport_; }

  std::int64_t max_unknowns() const override;
  std::vector<std::string> not_taken() const override;

  solve::SolveResult solve(const domains::RankSystem& system, const std::vector<double>& b,
                           const solve::SolverChoice& choice, Monitor& monitor) const override;
  solve::SolveResult solve(const domains::UnassembledSystem& system, const std::vector<double>& b,
                           const solve::SolverChoice& choice, Monitor& monitor) const override;
  std::unique_ptr<solve::Operator> multigrid(const domains::RowParts& parts,
                                             const domains::TeamMatrix& matrix,
                                             const domains::GeometryHere& geometry,
                                             Monitor& monitor) const override;
  bool is_told_of_modes() const override;
  modes::Modes find_modes(const domains::RankEigenSystem& system, const modes::Request& request,
                          modes::Method method, Monitor& monitor) const override;

 private:
  std::shared_ptr<const exec::Transport> transport_;
};

/// Of a program that is about to fail: whether all processes are, within some seconds. Where they are not
/// this one is to tell why, and to end the others.
bool all_fail();

/// Ends all processes.
[[noreturn]] void abort(int code);

}  // namespace setka::petsc
