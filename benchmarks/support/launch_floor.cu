// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/launch_floor.hpp"

#include "setka/exec/cuda.cuh"

namespace setka::bench {
namespace {

__global__ void empty_kernel() {}

}  // namespace

void launch_empty_kernel(const exec::Stream& stream) {
  if (stream.is_cuda()) empty_kernel<<<1, 1, 0, exec::cuda::enter(stream)>>>();
}

}  // namespace setka::bench
