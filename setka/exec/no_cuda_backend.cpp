// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for cuda_backend.cu in a build without CUDA.
#include <cstdlib>

#include "setka/base/error.hpp"
#include "setka/exec/detail/backend.hpp"

namespace setka::exec::detail {

std::string why_no_cuda() {
  return "this Setka was built without CUDA";
}

std::shared_ptr<DeviceState> make_cuda_device(int) {
  throw Error(Fault::usage, "no CUDA device: " + why_no_cuda(),
              "use the cpu back end, or install the CUDA toolkit and build again");
}

std::vector<DeviceInfo> cuda_devices() {
  return {};
}

void* try_allocate_pinned(std::size_t bytes) {
  return std::malloc(bytes);
}

void free_pinned(void* data) noexcept {
  std::free(data);
}

bool is_gpu_memory(const void*) {
  return false;
}

}  // namespace setka::exec::detail
