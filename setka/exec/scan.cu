// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>

#include <cub/device/device_scan.cuh>

#include "setka/exec/cuda.cuh"
#include "setka/exec/scratch.hpp"
#include "setka/exec/view.hpp"

namespace setka::exec::cuda {

template <class T>
void exclusive_scan(const Stream& stream, View<const T> in, View<T> out) {
  cudaStream_t native = enter(stream);
  std::size_t bytes = 0;
  SETKA_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in.data, out.data, in.size, native));
  const Scratch<unsigned char> scratch(stream, static_cast<std::int64_t>(bytes));
  SETKA_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, in.data, out.data, in.size, native));
}

template void exclusive_scan(const Stream&, View<const std::int32_t>, View<std::int32_t>);
template void exclusive_scan(const Stream&, View<const std::int64_t>, View<std::int64_t>);

}  // namespace setka::exec::cuda
