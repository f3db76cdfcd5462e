// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/modes/modes.hpp"
#include "setka/solve/operator.hpp"

namespace setka::modes {

/// The most columns that are iterated together: wanted modes and guards.
inline constexpr std::int64_t max_lobpcg_columns = 64;

/// The most wanted modes of one pass; more are found in several.
inline constexpr std::int64_t max_modes_of_pass = 52;

/// S = X'AX for a symmetric A; X: [rows, n], S: [n, n], both on the device of the stream, n at most
/// max_lobpcg_columns.
using Projection = std::function<void(const exec::Stream& stream, exec::MultiView<const double> x,
                                      exec::MultiView<double> s)>;

/// Wanted modes and guards of the widest pass for a request.
std::int64_t columns_of_pass(const Request& request);

struct LobpcgOptions {
  /// Motions without stiffness, [rows, null_count] row-major, in host memory: they are kept out of the
  /// iteration and are the first modes of the answer. What depends on others is left out.
  std::vector<double> null_space;
  std::int64_t null_count = 0;

  /// What to begin with in place of noise, in host memory or that of the device, by ascending frequency, free
  /// motions first: as many columns as are iterated, guards included, are taken of them. None: noise.
  exec::MultiView<const double> start{};

  /// The null space holds motions that may be free: the part of their span that has no stiffness is taken.
  /// Otherwise a motion that has some is an Error.
  bool null_is_guess = false;

  /// The largest residual has to fall by a tenth within so many iterations.
  int stagnation_window = 100;

  /// The search for missing modes in the end; 0: none.
  int search_iterations = 12;
  std::int64_t search_columns = 4;

  /// False: the last steps P are forgotten, and the space is [X W]. With W from a solver instead of a
  /// preconditioner that is subspace iteration; see subspace.hpp.
  bool keeps_directions = true;

  /// Without directions P: W'KW and W'MW of the small problem by other means than the products K W and M W,
  /// which are then not computed; K X and M X are, anew in each step. Both or none.
  Projection project_stiffness;
  Projection project_mass;

  /// Of the host, for shapes on their way to the answer; 0: all.
  int host_threads = 0;
};

/// Locally optimal block preconditioned conjugate gradients (Knyazev 2001) on the device of the operators,
/// for the lowest modes of models too large to be factorised.
///
/// The space is [X P W] with W the preconditioned residuals of the columns that have not converged (soft
/// locking). The small problem has its Gram matrix, of which all but the products with W follows from the
/// coordinates of the last step. Where that matrix shows that columns depend on each other, P and W are made
/// M-orthonormal first, by projections and a rank-revealing Cholesky-QR, so that dependent directions narrow
/// the space instead of breaking it.
///
/// The preconditioner is positive definite and approximates K^-1; for a body that is free, (K + alpha M)^-1
/// with a small alpha. The start is noise, the same at every run, unless one is given.
///
/// In the end a block from another start is iterated in the M-complement of what was found for some
/// iterations. What comes out below the highest wanted mode was missing: it takes the place of guards, and
/// the iteration goes on. That nothing comes out makes it likely that nothing is missing; it is no proof.
///
/// Wanted modes and guards are at most max_lobpcg_columns, beside the null space. More modes are found in
/// passes, each in the M-complement of what the earlier ones found, to a tenth of the tolerance, so that what
/// is wrong with those does not spoil the later ones. A request without a count makes passes until one ends
/// above the limit.
///
/// Where K is of a team, all members call it together with operators of theirs, and each gets the rows of the
/// shapes that it has; their signs are left as they are.
///
/// The host waits for the device twice an iteration, which has a product with K, one with M and one
/// preconditioner. Room: 12 blocks of [rows, count + guards] of a pass, and 2 of [rows, count] of those
/// before.
Modes lobpcg(const exec::Stream& stream, const solve::Operator& k, const solve::Operator& m,
             const solve::Operator& preconditioner, const Request& request, Monitor& monitor,
             const LobpcgOptions& options = {});

}  // namespace setka::modes
