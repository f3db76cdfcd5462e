// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "setka/solve/amg.hpp"
#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// Scalar rows with something on their diagonal. The others fill blocks and couple to nothing.
std::vector<std::int32_t> rows_in_use(const sparse::BlockCsr<double>& a);

/// Error(Fault::usage) where the word is none of local_solver().
void require_local_solver(std::string_view word);

/// An inverse of a part's matrix, symmetric and positive definite, by the thread that applies it: exact by
/// "cholesky", or one of the preconditioners "amg", "chebyshev" and "fsai". "auto" is the former, multigrid
/// in a build without it.
/// Null where no row is in use. Error(Fault::input) where the matrix turns out not to be positive definite.
std::unique_ptr<solve::Operator> local_solver(std::string_view word, sparse::BlockCsr<double> a,
                                              solve::AmgGeometry geometry);

}  // namespace setka::domains
