// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/symmetric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "setka/exec/parallel.hpp"
#include "setka/solve/spectrum_kernel.hpp"

namespace setka::modes {
namespace {

/// Seeds lie far apart on the one sequence that positions number.
std::int64_t first_position(std::uint64_t seed) {
  return static_cast<std::int64_t>(seed << 40U);
}

/// y += A x for some columns, for which A is read once.
template <std::size_t columns>
void multiply_together(const sparse::SymmetricCsr& a, const double* x, double* y) {
  const auto n = static_cast<std::size_t>(a.rows);
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, columns> sum{};
    for (auto k = static_cast<std::size_t>(a.offset[i]); k < static_cast<std::size_t>(a.offset[i + 1]); ++k) {
      const auto j = static_cast<std::size_t>(a.column[k]);
      const double value = a.value[k];
      const double mirrored = j == i ? 0.0 : value;
      for (std::size_t c = 0; c < columns; ++c) {
        sum[c] += value * x[c * n + j];
        y[c * n + j] += mirrored * x[c * n + i];
      }
    }
    for (std::size_t c = 0; c < columns; ++c) y[c * n + i] += sum[c];
  }
}

constexpr std::size_t packed = 8;  // columns that fill vector registers

/// The same of columns that lie side by side, [rows, packed]: an entry meets a cache line each time.
void multiply_packed(const sparse::SymmetricCsr& a, const double* __restrict x, double* __restrict y) {
  const auto n = static_cast<std::size_t>(a.rows);
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, packed> sum{};
    const double* const own = x + packed * i;
    for (auto k = static_cast<std::size_t>(a.offset[i]); k < static_cast<std::size_t>(a.offset[i + 1]); ++k) {
      const auto j = static_cast<std::size_t>(a.column[k]);
      const double value = a.value[k];
      const double mirrored = j == i ? 0.0 : value;
      const double* const other = x + packed * j;
      double* const to = y + packed * j;
      for (std::size_t c = 0; c < packed; ++c) {
        sum[c] += value * other[c];
        to[c] += mirrored * own[c];
      }
    }
    for (std::size_t c = 0; c < packed; ++c) y[packed * i + c] += sum[c];
  }
}

}  // namespace

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
  const auto width = static_cast<std::size_t>(columns);
  std::fill(y.begin(), y.end(), 0.0);
  std::size_t c = 0;
  std::vector<double> beside(width >= packed ? 2 * packed * n : 0);  // x, then y
  for (; c + packed <= width; c += packed) {
    for (std::size_t l = 0; l < packed; ++l) {
      for (std::size_t i = 0; i < n; ++i) beside[packed * i + l] = x[(c + l) * n + i];
    }
    double* const to = beside.data() + packed * n;
    std::fill_n(to, packed * n, 0.0);
    multiply_packed(a, beside.data(), to);
    for (std::size_t l = 0; l < packed; ++l) {
      for (std::size_t i = 0; i < n; ++i) y[(c + l) * n + i] = to[packed * i + l];
    }
  }
  for (; c + 3 <= width; c += 3) multiply_together<3>(a, x.data() + c * n, y.data() + c * n);
  for (; c < width; ++c) multiply_together<1>(a, x.data() + c * n, y.data() + c * n);
}

double trace(const sparse::SymmetricCsr& a) {
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
    const auto first = static_cast<std::size_t>(a.offset[i]);
    if (a.offset[i + 1] > a.offset[i] && a.column[first] == static_cast<std::int32_t>(i))
      sum += a.value[first];
  }
  return sum;
}

double small_shift(double trace_k, double trace_m, std::int64_t unknowns) {
  if (!(trace_m > 0)) return 0;
  return 0.3 * std::abs(trace_k) / trace_m * std::pow(static_cast<double>(unknowns), -2.0 / 3);
}

double small_shift(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m) {
  return small_shift(trace(k), trace(m), k.rows);
}

void fill_noise(std::uint64_t seed, std::span<double> x) {
  const auto size = static_cast<std::int64_t>(x.size());
  const solve::kernel::Noise<double> body{x.data(), first_position(seed)};
#pragma omp parallel for schedule(static) if (size > 100000)
  for (std::int64_t i = 0; i < size; ++i) body(i);
}

void fill_noise(const exec::Stream& stream, std::uint64_t seed, exec::View<double> x) {
  exec::parallel_for(stream, x.size, solve::kernel::Noise<double>{x.data, first_position(seed)});
}

}  // namespace setka::modes
