// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "setka/exec/device.hpp"
#include "setka/exec/view.hpp"
#include "setka/grid/lines.hpp"
#include "setka/grid/tridiagonal.hpp"

/// Tridiagonal systems, one a line of a grid, all at once.
///
/// The method and its three kernels are those of the paper on implicit schemes with periodic boundaries; the
/// faster ways split a line among threads and keep it on the chip.
namespace setka::grid {

enum class SweepMethod {
  automatic,  // the fastest for the device and the sizes
  reference,  // the paper's three kernels, one thread a line; needs three arrays more
  fused,      // each coefficient read once, each solution written once
  split,      // each line in short pieces, then the system of their ends: for few long lines
};

std::string_view name(SweepMethod method);

struct SweepOptions {
  bool periodic = false;
  SweepMethod method = SweepMethod::automatic;

  /// Wait for the solution and throw an Error that names line and row when a pivot was zero. Otherwise such a
  /// line comes out as values that are not finite. Reads the solution once more.
  bool check_pivots = false;

  /// Before solving, throw an Error that names line and row where |diagonal| < |lower| + |upper|. Without
  /// that dominance elimination may lose digits, as there is no exchange of rows. Reads the coefficients once
  /// more.
  bool check_dominance = false;
};

/// Solves A x = d for every line, A by `matrix`. d and x lie as `lines` says; x may be d. On a GPU it returns
/// before the work is done, unless it is to check.
template <class T>
void sweep(const exec::Stream& stream, const Lines& lines, const Tridiagonal<T>& matrix,
           exec::ViewOf<const T> d, exec::ViewOf<T> x, const SweepOptions& options = {});

}  // namespace setka::grid
