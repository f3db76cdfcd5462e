// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cholmod.h>

#include <vector>

namespace setka::solve::detail {

/// CHOLMOD's settings and what it holds between calls.
struct Cholmod {
  cholmod_common common{};

  /// supernodal: CHOLMOD_AUTO or CHOLMOD_SIMPLICIAL; squares: factors LL' rather than LDL'.
  Cholmod(int supernodal, bool squares) {
    cholmod_l_start(&common);
    common.print = 0;
    common.supernodal = supernodal;
    common.final_ll = squares ? 1 : 0;
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  ~Cholmod() { cholmod_l_finish(&common); }
};

/// A symmetric matrix as CHOLMOD sees it: by columns, the rows from the diagonal on. The vectors must outlive
/// it. value: [offset.back()], read only; null: the pattern alone.
inline cholmod_sparse lower_triangle(std::vector<SuiteSparse_long>& offset,
                                     std::vector<SuiteSparse_long>& row, const double* value) {
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = offset.size() - 1;
  matrix.nzmax = row.size();
  matrix.p = offset.data();
  matrix.i = row.data();
  matrix.x = const_cast<double*>(value);
  matrix.stype = -1;
  matrix.itype = CHOLMOD_LONG;
  matrix.xtype = value == nullptr ? CHOLMOD_PATTERN : CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = 1;
  matrix.packed = 1;
  return matrix;
}

}  // namespace setka::solve::detail
