// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "setka/solve/preconditioner.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve {

/// Throws Error(Fault::input) where the matrix that a user gave cannot be what a solver takes, for all that
/// one look at each entry tells; rows and columns in messages are counted from 1. name: the file.
///
/// Before the list is brought into rows: it is square and has an entry for every row. mirrored: it has one
/// triangle of a matrix, whose other one counts too where no diagonal is needed.
void check_shape(const sparse::Triplets& list, const std::string& name,
                 MatrixKind kind = MatrixKind::positive_definite, bool mirrored = false);

/// What the kind says: all entries are finite; symmetry where both triangles were given; definiteness.
void check_matrix(const sparse::Csr& matrix, const std::string& name, MatrixKind kind, bool mirrored,
                  int threads);

/// Entries of different triangles differ by at most 1e-12 of the larger one or of the diagonal's scale
/// sqrt(a_ii a_jj), whichever is more; the worst pair is named.
/// remedy: for the message; that of setka solve where it is left out.
void check_symmetry(const sparse::Csr& matrix, const std::string& name, int threads);
void check_symmetry(const sparse::Csr& matrix, const std::string& name, int threads,
                    const std::string& remedy);

void check_finite(const sparse::Csr& matrix, const std::string& name, int threads);

/// Entries of the diagonal are positive, and no other is larger than its two diagonal entries allow:
/// a_ij^2 <= a_ii a_jj.
void check_definiteness(const sparse::Csr& matrix, const std::string& name, int threads);

}  // namespace setka::solve
