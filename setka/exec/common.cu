// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include "setka/exec/common.hpp"
#include "setka/exec/cuda.cuh"

namespace setka::exec::cuda {
namespace {

#if CUDART_VERSION >= 13000
cudaMemLocation place_of(int ordinal) {
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  place.id = ordinal;
  return place;
}
cudaError_t move_to(const void* data, std::size_t bytes, int ordinal, cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, place_of(ordinal), 0, stream);
}
#else
int place_of(int ordinal) {
  return ordinal;
}
cudaError_t move_to(const void* data, std::size_t bytes, int ordinal, cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, ordinal, stream);
}
#endif

}  // namespace

void* try_allocate_spread(const std::vector<Device>& devices, const std::vector<std::size_t>& ends) {
  enter(devices.front().stream());
  void* data = nullptr;
  const cudaError_t status = cudaMallocManaged(&data, ends.back());
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    return nullptr;
  }
  SETKA_CUDA_CHECK(status);
  try {
    for (const Device& one : devices)
      SETKA_CUDA_CHECK(cudaMemAdvise(data, ends.back(), cudaMemAdviseSetAccessedBy, place_of(one.ordinal())));
    std::size_t begin = 0;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      const std::size_t bytes = ends[d] - begin;
      char* const part = static_cast<char*>(data) + begin;
      begin = ends[d];
      if (bytes == 0) continue;
      const int ordinal = devices[d].ordinal();
      SETKA_CUDA_CHECK(cudaMemAdvise(part, bytes, cudaMemAdviseSetPreferredLocation, place_of(ordinal)));
      SETKA_CUDA_CHECK(move_to(part, bytes, ordinal, enter(devices[d].stream())));
    }
    for (const Device& one : devices) one.synchronize();
  } catch (...) {
    free_spread(data);
    throw;
  }
  return data;
}

void free_spread(void* data) noexcept {
  if (cudaFree(data) != cudaSuccess) (void)cudaGetLastError();
}

}  // namespace setka::exec::cuda
