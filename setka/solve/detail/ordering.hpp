// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <cholmod.h>

#include "setka/solve/cholesky.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve::detail {

/// In which order the rows of a matrix are to be eliminated, and what that takes.
struct Order {
  std::vector<SuiteSparse_long> row;  // [rows]; empty: CHOLMOD failed, as its status says
  double flops = 0;
  double entries = 0;                    // of the factor
  cholmod_factor* supernodes = nullptr;  // the structure of the factor, without values; the caller's to free

  /// CHOLMOD's rule for supernodes, which small or narrow matrices are not worth.
  bool worth_supernodes(const cholmod_common& common) const {
    return flops >= common.supernodal_switch * entries;
  }
};

/// Unknowns that are coupled to the same others, as all of one node are, are one vertex of the graph that is
/// ordered and analysed: a ninth of the entries with three unknowns a node, and far less for shells, whose
/// sections have nine. Where CHOLMOD's rule would try METIS after the minimum degree, so is done here, and
/// the order with fewer operations is taken.
Order fill_reducing_order(const sparse::SymmetricCsr& a, cholmod_common& common);

/// What solve::size_of_factor() answers; no entries: CHOLMOD failed.
FactorSize size_of_factor(const FactorGraph& graph);

}  // namespace setka::solve::detail
