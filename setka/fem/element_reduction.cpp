// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_reduction.hpp"

#include "setka/base/error.hpp"

namespace setka::fem {

void ElementTransform::reduce(std::span<const double> k, std::span<double> m, std::size_t unknowns) const {
  SETKA_ASSERT(k.size() == rows() * rows() && m.size() == unknowns * unknowns);
  thread_local std::vector<double> across;  // a row of KT
  for (std::size_t i = 0; i < rows(); ++i) {
    if (row(i).empty()) continue;
    across.assign(unknowns, 0.0);
    for (std::size_t j = 0; j < rows(); ++j) {
      const double value = k[i * rows() + j];
      for (const Term& term : row(j))
        across[static_cast<std::size_t>(term.index)] += value * term.coefficient;
    }
    for (const Term& term : row(i)) {
      double* const to = m.data() + static_cast<std::size_t>(term.index) * unknowns;
      for (std::size_t q = 0; q < unknowns; ++q) to[q] += term.coefficient * across[q];
    }
  }
}

void ElementTransform::reduce(std::span<const double> f, std::span<double> r) const {
  for (std::size_t i = 0; i < rows(); ++i) {
    for (const Term& term : row(i)) r[static_cast<std::size_t>(term.index)] += term.coefficient * f[i];
  }
}

}  // namespace setka::fem
