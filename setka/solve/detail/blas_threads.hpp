// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace setka::solve::detail {

/// Threads that a large factorisation is worth: as many as OpenMP has, or as OPENBLAS_NUM_THREADS says; one
/// where others go on beside it.
int max_blas_threads();

/// How many threads may call BLAS at once, each with one thread of BLAS: as many as max_blas_threads(), fewer
/// where there is no memory for the buffers that OpenBLAS takes for each.
int max_callers_of_blas();

/// So many threads of OpenBLAS until the end of its life, then as many as before; with another BLAS it does
/// nothing.
///
/// Of a small factorisation or of a solution one thread: handing out many small fronts costs more than it
/// saves, and far more where other programs want the cores (30 000 unknowns of C3D20R beside a compilation on
/// two cores: 28 s with two threads, 1.9 s with one).
///
/// OpenBLAS takes a large buffer for each thread when it first works in it, and where there is no memory for
/// it asks again for ever. So the first of each number makes sure that there is, and has the buffers taken at
/// once: fewer threads where there is not enough, Error(Fault::resource) where there is none for one.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int before_ = 0;
};

}  // namespace setka::solve::detail
