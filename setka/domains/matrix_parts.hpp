// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/domains/graph.hpp"
#include "setka/domains/partition.hpp"
#include "setka/exec/ghosts.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// Block rows of a matrix on the host, beside each other where a block couples them in either direction. A
/// row weighs as many blocks as it has. place: [rows, 3], of bisection; empty: rows are taken in their order.
Graph matrix_graph(const sparse::BlockCsr<double>& a, std::span<const double> place, int threads);

/// The block rows that one part has, and what it needs of others.
struct RowsOfPart {
  std::vector<std::int32_t> rows;    // of the whole: inner ones, without columns of others; then the rest
  std::int32_t inner = 0;            // how many of them are
  std::vector<std::int32_t> ghosts;  // rows of the whole that others have, by their part, ascending
  std::vector<exec::Link> links;     // by part

  std::int32_t boundary() const { return static_cast<std::int32_t>(rows.size()) - inner; }
};

/// A square matrix in the memory of the host, with its block rows in parts.
class MatrixParts {
 public:
  /// The matrix is used for as long as parts are taken from it.
  MatrixParts(const sparse::BlockCsr<double>& a, const Partition& rows);

  /// With the rows, ghosts and links of another matrix, whose blocks are in the places of all of this one's;
  /// an Error(Fault::usage) where they are not.
  MatrixParts(const sparse::BlockCsr<double>& a, const MatrixParts& as);

  int count() const { return static_cast<int>(parts_.size()); }
  int block() const { return a_.height(); }  // scalar rows of a block row
  const RowsOfPart& part(int p) const { return parts_[static_cast<std::size_t>(p)]; }

  // Parts may be taken by several threads at once.

  /// Columns of the part's own rows: [rows, rows].
  sparse::BlockCsr<double> own(int p) const;
  /// Columns of ghosts: [boundary rows, ghosts].
  sparse::BlockCsr<double> beside(int p) const;

  /// Of so many values a block row those of the part's rows.
  std::vector<double> values_of(int p, std::span<const double> all, int width) const;

  /// The values of the part's rows of a vector over all scalar rows, and back.
  std::vector<double> values_of(int p, std::span<const double> all) const {
    return values_of(p, all, a_.height());
  }
  void put(int p, std::span<const double> values, std::span<double> all, int width) const;
  void put(int p, std::span<const double> values, std::span<double> all) const {
    put(p, values, all, a_.height());
  }

 private:
  sparse::BlockCsr<double> columns(int p, std::int32_t first_row, std::span<const std::int32_t> wanted) const;

  const sparse::BlockCsr<double>& a_;
  std::vector<RowsOfPart> parts_;
};

}  // namespace setka::domains
