// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"

namespace setka::bench {

/// Sets the coefficients that lead out of n lines of n rows to zero, as cuSPARSE asks for.
void clear_ends(const exec::Device& device, std::int64_t n, bool along, exec::Array<double>& lower,
                exec::Array<double>& upper);

/// n systems of n rows by cuSPARSE: gtsv2StridedBatch where lines lie one after the other, else
/// gtsvInterleavedBatch by Thomas' algorithm. GPUs alone; without CUDA nothing makes one.
class CusparseSweeps {
 public:
  CusparseSweeps(const exec::Device& gpu, std::int64_t n, bool along, exec::Array<double>& lower,
                 exec::Array<double>& diagonal, exec::Array<double>& upper, exec::Array<double>& x);
  ~CusparseSweeps();

  /// x from the right-hand side to the solution, in the main stream of the device.
  void solve() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether the benchmarks were linked with LAPACK.
bool with_lapack();

/// n lines of n rows, one after the other, by LAPACK's dgtsv in so many threads; it overwrites what it is
/// given, so each line is copied first. Periodic ones by Sherman and Morrison with a second right-hand side.
void lapack_sweeps(int threads, std::int64_t n, bool periodic, const double* lower, const double* diagonal,
                   const double* upper, const double* d, double* x);

}  // namespace setka::bench
