// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cholmod.h>

#include "setka/sparse/csr.hpp"

namespace setka::solve::detail {

/// CHOLMOD's analysis of a matrix, `matrix` being `a` as CHOLMOD sees it. Neighbouring rows with the same
/// columns, as the unknowns of one node have them, are ordered as one: a ninth of the entries, and about as
/// much of the time, for the same factor. Null where CHOLMOD failed, as its status then says.
cholmod_factor* analysed(cholmod_sparse& matrix, const sparse::SymmetricCsr& a, cholmod_common& common);

}  // namespace setka::solve::detail
