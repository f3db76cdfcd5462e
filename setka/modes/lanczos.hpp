// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/modes/modes.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::modes {

struct LanczosOptions {
  int block = 3;  // columns that go through the factorisation together

  /// What counting negative pivots may cost; beyond, a search takes its place.
  double max_inertia_flops = 5e11;  // some twenty seconds of two cores

  /// Solutions with the factorisation of a search for missing modes, of a block each.
  int search_steps = 10;
};

/// Shift-invert Lanczos: the block Krylov space of (K - sigma M)^-1 M with full orthogonalisation and thick
/// restarts, on the CPU, by CHOLMOD.
///
/// sigma is 0. Where K cannot be factorised it is negative, some part of the lowest elastic frequency of a
/// compact body, so that K - sigma M is positive definite for bodies that are free: rigid motions are found
/// as modes with lambda of the size of rounding. Where a preload has made K indefinite it is as negative as
/// it has to be.
///
/// A block finds eigenvalues that are as many times the same as it has columns, and more through rounding;
/// what is still missing shows in the inertia of K - mu M, mu in a gap above the last mode: then a new random
/// block is added to what was found, until the counts agree. Where the inertia cannot be had (see
/// solve::negative_pivots) such a block searches all the same, and the check is called a search.
///
/// M may be singular: unknowns without mass follow statically, and modes of infinite frequency are left out.
/// What cannot be factorised even with the shift (stiffness that is negative, unknowns with neither stiffness
/// nor mass) comes back as Modes::trouble.
///
/// Below some hundred unknowns, or when a large part of all modes is wanted, everything is done densely.
/// Room: 4 (count + 24) vectors beside the factorisation.
Modes lanczos(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, const Request& request,
              Monitor& monitor, const LanczosOptions& options = {});

}  // namespace setka::modes
