// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/base/monitor.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::analysis {

struct FoundModes {
  std::vector<double> lambda;  // ascending
  std::vector<double> shapes;  // [unknowns, modes] row-major, M-orthonormal
  std::vector<double>
      residual;  // |K x - lambda M x| over |K x| + |lambda M x|, or over a shift's where both vanish
  std::string method;
  std::string check;      // how it was seen that none is missing
  bool converged = true;  // all residuals are small, or as small as rounding lets them become
};

/// The lowest modes of K x = lambda M x; both symmetric, M not negative, K of any kind. Fewer than asked for
/// where M has no more to give. Small problems are solved densely, larger ones by Lanczos' method
/// (modes/lanczos.hpp); where that does not serve, as with a K that a preload has made indefinite, by
/// subspace iteration. Both need a factorisation.
FoundModes lowest_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, int count,
                        Monitor& monitor);

}  // namespace setka::analysis
