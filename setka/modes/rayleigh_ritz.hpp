// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/modes/modes.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::modes {

/// Modes within the span of columns that lie one after the other, [columns, rows]: their best approximations
/// to eigenvectors, made M-orthonormal, with their true residuals and fixed signs. The columns are
/// independent in the M-product. The tolerance decides what counts as zero stiffness: see zero_level().
Modes rayleigh_ritz(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m,
                    std::span<const double> columns, std::int64_t count, double tolerance);

}  // namespace setka::modes
