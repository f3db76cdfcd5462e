// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/sweep_peers.hpp"

#include <algorithm>
#include <vector>

namespace setka::bench {

void clear_ends(const exec::Device& device, std::int64_t n, bool along, exec::Array<double>& lower,
                exec::Array<double>& upper) {
  std::vector<double> low = lower.to_vector();
  std::vector<double> high = upper.to_vector();
  for (std::int64_t line = 0; line < n; ++line) {
    low[static_cast<std::size_t>(along ? line * n : line)] = 0;
    high[static_cast<std::size_t>(along ? line * n + n - 1 : (n - 1) * n + line)] = 0;
  }
  lower = exec::Array<double>(device, low);
  upper = exec::Array<double>(device, high);
}

#ifdef SETKA_BENCH_LAPACK

// NOLINTNEXTLINE(readability-identifier-naming): the name in LAPACK
extern "C" void dgtsv_(const int* n, const int* right_sides, double* lower, double* diagonal, double* upper,
                       double* b, const int* stride, int* info);

bool with_lapack() {
  return true;
}

void lapack_sweeps(int threads, std::int64_t n, bool periodic, const double* lower, const double* diagonal,
                   const double* upper, const double* d, double* x) {
  const auto size = static_cast<std::size_t>(n);
#  pragma omp parallel num_threads(threads)
  {
    std::vector<double> low(size);
    std::vector<double> middle(size);
    std::vector<double> high(size);
    std::vector<double> b(2 * size);
#  pragma omp for schedule(static)
    for (std::int64_t line = 0; line < n; ++line) {
      const std::int64_t at = line * n;
      std::copy(lower + at + 1, lower + at + n, low.begin());
      std::copy_n(diagonal + at, n, middle.begin());
      std::copy(upper + at, upper + at + n, high.begin());
      std::copy_n(d + at, n, b.begin());
      const auto rows = static_cast<int>(n);
      const int right_sides = periodic ? 2 : 1;
      int info = 0;
      // The corners as a product of two vectors, (g, 0, .., 0, corner) and (1, 0, .., 0, first / g).
      const double g = -diagonal[at];
      const double first = lower[at];
      const double corner = upper[at + n - 1];
      if (periodic) {
        middle.front() -= g;
        middle.back() -= first * corner / g;
        std::fill(b.begin() + n, b.end(), 0.0);
        b[size] = g;
        b[2 * size - 1] = corner;
      }
      dgtsv_(&rows, &right_sides, low.data(), middle.data(), high.data(), b.data(), &rows, &info);
      if (periodic) {
        const double* const v = b.data() + n;
        const double factor = (b[0] + first / g * b[size - 1]) / (1 + v[0] + first / g * v[n - 1]);
        for (std::int64_t i = 0; i < n; ++i) x[at + i] = b[static_cast<std::size_t>(i)] - factor * v[i];
      } else {
        std::copy_n(b.begin(), n, x + at);
      }
    }
  }
}

#else

bool with_lapack() {
  return false;
}

void lapack_sweeps(int, std::int64_t, bool, const double*, const double*, const double*, const double*,
                   double*) {}

#endif

}  // namespace setka::bench
