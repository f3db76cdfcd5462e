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

}  // namespace setka::modes
