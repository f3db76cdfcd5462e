// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/csr.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::sparse {

void multiply(const SymmetricCsr& a, std::span<const double> x, std::span<double> y) {
  const auto rows = static_cast<std::size_t>(a.rows);
  require(x.size() == rows && y.size() == rows, [&] {
    return fmt::format("multiply: matrix is [{0} x {0}] but the vectors have {1} and {2} entries", rows,
                       x.size(), y.size());
  });
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::int64_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(a.column[static_cast<std::size_t>(k)]);
      const double value = a.value[static_cast<std::size_t>(k)];
      sum += value * x[j];
      if (j != i) y[j] += value * x[i];
    }
    y[i] += sum;
  }
}

}  // namespace setka::sparse
