// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/modes/modes.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::modes {

/// The lowest modes from all of them, by a dense factorisation: for some hundred unknowns. K - shift M has to
/// be positive definite. Unknowns without mass make modes of infinite frequency, which are left out: there
/// may be fewer than asked for.
Modes dense_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, double shift,
                  std::int64_t count, double tolerance);

/// The modes of a request, from all of them. K may be indefinite. Rounding is the only error, so the
/// residuals are what they are. Modes::trouble says so where fewer modes of finite frequency exist than were
/// asked for, and where no shift makes K definite: an unknown has neither stiffness nor mass.
Modes dense(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, const Request& request);

}  // namespace setka::modes
