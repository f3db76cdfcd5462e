// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Loads of parts of rows whose neighbours other blocks load at about the same time: the second-level cache
/// fetches 256 bytes at once. Memory gives rows of 64 bytes a third faster so, rows of 128 a little.
namespace setka::grid::cuda {

/// On its way to shared memory; waited for as by the other asynchronous copies of the pipeline.
template <class T>
__device__ inline void load_async(T* to, const T* from) {
  const auto place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global.L2::256B [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(sizeof(T))
               : "memory");
}

__device__ inline double load(const double* from) {
  double value = 0;
  asm volatile("ld.global.L2::256B.f64 %0, [%1];" : "=d"(value) : "l"(from) : "memory");
  return value;
}
__device__ inline float load(const float* from) {
  float value = 0;
  asm volatile("ld.global.L2::256B.f32 %0, [%1];" : "=f"(value) : "l"(from) : "memory");
  return value;
}

}  // namespace setka::grid::cuda
