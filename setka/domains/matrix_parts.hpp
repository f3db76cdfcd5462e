// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/domains/graph.hpp"
#include "setka/domains/partition.hpp"
#include "setka/domains/row_parts.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// Block rows of a matrix on the host, beside each other where a block couples them in either direction. A
/// row weighs as many blocks as it has. place: [rows, 3], of bisection; empty: rows are taken in their order.
Graph matrix_graph(const sparse::BlockCsr<double>& a, std::span<const double> place, int threads);

/// A square matrix in the memory of the host, with its block rows in parts.
class MatrixParts : public RowParts {
 public:
  /// The matrix is used for as long as parts are taken from it.
  MatrixParts(const sparse::BlockCsr<double>& a, const Partition& rows);

  /// With the rows, ghosts and links of another matrix, whose blocks are in the places of all of this one's;
  /// an Error(Fault::usage) where they are not.
  MatrixParts(const sparse::BlockCsr<double>& a, const MatrixParts& as);

  // Parts may be taken by several threads at once.

  /// Columns of the part's own rows: [rows, rows].
  sparse::BlockCsr<double> own(int p) const;
  /// Columns of ghosts: [boundary rows, ghosts].
  sparse::BlockCsr<double> beside(int p) const;

 private:
  sparse::BlockCsr<double> columns(int p, std::int32_t first_row, std::span<const std::int32_t> wanted) const;

  const sparse::BlockCsr<double>& a_;
};

}  // namespace setka::domains
