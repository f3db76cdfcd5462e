// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/symmetric.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "setka/solve/spectrum_kernel.hpp"

namespace setka::modes {

sparse::SymmetricCsr sum(const sparse::SymmetricCsr& a, double t, const sparse::SymmetricCsr& b) {
  sparse::SymmetricCsr made;
  made.rows = a.rows;
  made.column.reserve(std::max(a.column.size(), b.column.size()));
  made.value.reserve(made.column.capacity());
  constexpr std::int32_t past = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    auto p = static_cast<std::size_t>(a.offset[row]);
    auto q = static_cast<std::size_t>(b.offset[row]);
    const auto p_end = static_cast<std::size_t>(a.offset[row + 1]);
    const auto q_end = static_cast<std::size_t>(b.offset[row + 1]);
    std::int32_t column = i;
    while (column != past) {
      double value = 0;
      if (p < p_end && a.column[p] == column) value += a.value[p++];
      if (q < q_end && b.column[q] == column) value += t * b.value[q++];
      made.column.push_back(column);
      made.value.push_back(value);
      column = std::min(p < p_end ? a.column[p] : past, q < q_end ? b.column[q] : past);
    }
    made.offset.push_back(static_cast<std::int64_t>(made.column.size()));
  }
  return made;
}

void multiply(const sparse::SymmetricCsr& a, std::span<const double> x, std::span<double> y,
              std::int64_t columns) {
  const auto n = static_cast<std::size_t>(a.rows);
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
    const double* const from = x.data() + c * n;
    double* const to = y.data() + c * n;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (auto k = static_cast<std::size_t>(a.offset[i]); k < static_cast<std::size_t>(a.offset[i + 1]);
           ++k) {
        const auto j = static_cast<std::size_t>(a.column[k]);
        sum += a.value[k] * from[j];
        if (j != i) to[j] += a.value[k] * from[i];
      }
      to[i] += sum;
    }
  }
}

void fill_noise(std::uint64_t seed, std::span<double> x) {
  // Seeds lie far apart on the one sequence that positions number.
  const auto first = static_cast<std::int64_t>(seed << 40U);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = solve::kernel::noise(first + static_cast<std::int64_t>(i));
  }
}

}  // namespace setka::modes
