// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/monitor.hpp"
#include "setka/modes/buckling.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/modes/modes.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::modes {

/// All factors of a small problem, of which the lowest are kept.
BucklingModes dense_buckling(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& s,
                             const Request& request);

/// The block Krylov space of -K^-1 S with full orthogonalisation in the K-product and thick restarts, on the
/// CPU, by CHOLMOD. That no factor is missing is seen from the inertia of K + f S, f in a gap above the last
/// one, which is the number of positive factors below f; where it cannot be had, a search from another start
/// takes its place, as of lanczos().
BucklingModes lanczos_buckling(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& s,
                               const Request& request, Monitor& monitor, const LanczosOptions& options = {});

}  // namespace setka::modes
