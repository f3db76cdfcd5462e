// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/grid/lines.hpp"
#include "setka/grid/sweep_pieces.cuh"

/// How the fused sweeps are launched. They are built for lines along memory and for lines across it.
namespace setka::grid::cuda {

/// How many blocks of how many threads share a line, or a group of neighbouring lines.
struct Geometry {
  std::int64_t groups = 0;
  int blocks = 1;  // a cluster's
  int threads = 0;
  int width = 1;
};

template <class... Parameters, class... Arguments>
void launch(const exec::Stream& stream, const char* name, void (*kernel)(Parameters...),
            const Geometry& geometry, std::size_t shared_bytes, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.stream = exec::cuda::enter(stream);
  config.gridDim = dim3(static_cast<unsigned>(geometry.groups * geometry.blocks));
  config.blockDim = dim3(static_cast<unsigned>(geometry.threads));
  config.dynamicSmemBytes = shared_bytes;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = static_cast<unsigned>(geometry.blocks);
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = geometry.blocks > 1 ? 1 : 0;
  const void* const symbol = reinterpret_cast<const void*>(kernel);
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(symbol, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes)));
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(symbol, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxShared));
  SETKA_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
  SETKA_CUDA_CHECK_LAUNCH(stream, name);
}

inline bool has_clusters(const exec::Stream& stream) {
  int major = 0;
  exec::cuda::enter(stream);
  SETKA_CUDA_CHECK(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, stream.device().ordinal()));
  return major >= 9;
}

inline int up_to_warps(std::int64_t threads) {
  return static_cast<int>((threads + warp - 1) / warp * warp);
}

/// Whether the lines fit; if not, nothing is done.
template <class T>
bool sweep_along(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x);
template <class T>
bool sweep_across(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                  T* x);

}  // namespace setka::grid::cuda
