// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "setka/sparse/csr.hpp"

namespace setka::modes {

/// Throw Error(Fault::input) where matrices that a user gave cannot be a stiffness and a mass, for all that
/// one look at each entry tells; rows and columns in messages are counted from 1. name: the file.
///
/// Before the list is brought into rows: it is square and has entries.
void check_square(const sparse::Triplets& list, const std::string& name);

/// All entries are finite, and the two triangles agree as in solve::check_symmetry().
void check_entries(const sparse::Csr& matrix, const std::string& name, int threads);

/// A mass has as many rows as the stiffness; no entry of its diagonal is negative, not all of them are zero,
/// and no other is larger than its two diagonal entries allow: m_ij^2 <= m_ii m_jj.
void check_mass(const sparse::Csr& mass, const std::string& name, std::int32_t rows);

}  // namespace setka::modes
