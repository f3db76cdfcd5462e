// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/operator.hpp"
#include "setka/solve/solver.hpp"

namespace setka::solve {

/// The most right-hand sides that BlockCg takes together.
inline constexpr std::int64_t max_block_columns = 64;

struct ColumnOutcome {
  Status status = Status::converged;
  int iterations = 0;   // after which its residual was small enough; all of them when it never was
  double residual = 0;  // |b - A x| / |b| of this column as computed from x in the end, not by recurrence
};

struct BlockOutcome {
  std::vector<ColumnOutcome> column;
  int iterations = 0;  // of the block

  bool converged() const;
};

/// Preconditioned block conjugate gradients for A X = B: all columns of B share one space of search
/// directions, so that the block takes fewer iterations than the worst column alone, and A and the
/// preconditioner are read once for all columns. X holds the start and the answer; tolerance and stagnation
/// are meant column by column. The host never runs ahead.
///
/// It is the variant with orthonormal residuals (Dubrulle 2001, "BCGrQ"), R = W sigma with W'W = I:
///
///     Q = A S,  alpha = (S'Q)^-1 S'W,  X += S alpha sigma,  W zeta = W - Q alpha,  sigma = zeta sigma,
///     Z = M W,  beta = -(S'Q)^-1 Q'Z,  S = Z + S beta.
///
/// Where we differ: the step lengths are taken from S'W and Q'Z as they are, not from what they would be in
/// exact arithmetic, which forgives a preconditioner in single precision; and zeta comes from a
/// rank-revealing Cholesky-QR, so that right-hand sides that depend on each other, and directions in which
/// the block has converged, narrow the block instead of breaking it. A column of zeros, one that the start
/// solves already and one with a NaN take no part.
///
/// When the true residual of a column does not confirm the recurrence, the method starts again from X with
/// those columns that are left, until the two agree or nothing is gained.
///
/// The host waits for the device three times an iteration (once more where W nearly depends), for at most
/// 2 s^2 numbers of s columns each time; s x s factorisations are done there. Words moved a row, column and
/// iteration beside the products: 18. Room: 5 blocks of the size of X.
class BlockCg {
 public:
  explicit BlockCg(const SolverOptions& options = {});
  ~BlockCg();
  BlockCg(const BlockCg&) = delete;
  BlockCg& operator=(const BlockCg&) = delete;

  BlockOutcome solve(const exec::Stream& stream, const Operator& a, const Operator& preconditioner,
                     exec::MultiView<const double> b, exec::MultiView<double> x, Monitor& monitor);

 private:
  struct Vectors;

  SolverOptions options_;
  std::unique_ptr<Vectors> vectors_;
};

}  // namespace setka::solve
