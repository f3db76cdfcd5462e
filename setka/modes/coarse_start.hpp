// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/base/monitor.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/solve/amg.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::modes {

/// What LOBPCG begins with: columns in the memory of a device.
struct Start {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  exec::Array<double> values;  // [rows, columns]

  exec::MultiView<const double> view() const { return {values.data(), rows, columns, columns}; }
};

/// The lowest modes of A phi = lambda B phi as the first coarse level of multigrid has them, seen on the
/// finest: nested iteration. An iteration there takes a fifth of one on the finest level.
///
/// One of the matrices, given as null, is what multigrid is of, with AmgOptions::keeps_coarse; its coarse
/// matrix is released. No columns where there is no coarse level, or one with hardly more unknowns than
/// columns are asked for.
Start coarse_start(const exec::Stream& stream, solve::Amg& multigrid, const sparse::BlockCsr<double>* a,
                   const sparse::BlockCsr<double>* b, std::int64_t columns, Monitor& monitor);

}  // namespace setka::modes
