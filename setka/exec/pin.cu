// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/cuda.cuh"
#include "setka/exec/pin.hpp"

namespace setka::exec::cuda {

bool is_pinned(const Device& device, const void* data) {
  enter(device.stream());
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
    (void)cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

bool try_pin(const Device& device, void* data, std::size_t bytes) {
  enter(device.stream());
  if (cudaHostRegister(data, bytes, cudaHostRegisterPortable) == cudaSuccess) return true;
  (void)cudaGetLastError();
  return false;
}

void unpin(void* data) noexcept {
  if (cudaHostUnregister(data) != cudaSuccess) (void)cudaGetLastError();
}

}  // namespace setka::exec::cuda
