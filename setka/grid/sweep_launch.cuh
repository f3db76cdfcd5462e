// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "setka/exec/cuda.cuh"
#include "setka/grid/lines.hpp"
#include "setka/grid/sweep_geometry.hpp"
#include "setka/grid/sweep_pieces.cuh"

/// How the fused sweeps are launched. They are built for lines along memory and for lines across it.
namespace setka::grid::cuda {

inline bool fits(const exec::Stream& stream, const Geometry& geometry) {
  if (geometry.teams == 0) return false;
  if (geometry.blocks == 1) return true;
  int major = 0;
  exec::cuda::enter(stream);
  SETKA_CUDA_CHECK(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, stream.device().ordinal()));
  return major >= 9;  // clusters
}

/// Lets a kernel have all of a multiprocessor's shared memory. Once a device: it takes as long as a launch.
template <auto kernel>
void allow_shared_memory(int device) {
  static std::atomic<std::uint64_t> allowed{0};  // a bit a device
  const std::uint64_t bit = std::uint64_t{1} << (device % 64);
  if ((allowed.load(std::memory_order_relaxed) & bit) != 0) return;
  int most = 0;
  SETKA_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  SETKA_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                        cudaSharedmemCarveoutMaxShared));
  allowed.fetch_or(bit, std::memory_order_relaxed);
}

/// Of a launch of teams; the attribute must outlive it.
template <auto kernel>
cudaLaunchConfig_t configure(const exec::Stream& stream, const Geometry& geometry, std::size_t shared_bytes,
                             cudaLaunchAttribute& cluster) {
  cudaLaunchConfig_t config{};
  config.stream = exec::cuda::enter(stream);
  allow_shared_memory<kernel>(stream.device().ordinal());
  config.gridDim = dim3(static_cast<unsigned>(geometry.teams * geometry.blocks));
  config.blockDim = dim3(static_cast<unsigned>(geometry.threads));
  config.dynamicSmemBytes = shared_bytes;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = static_cast<unsigned>(geometry.blocks);
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = geometry.blocks > 1 ? 1 : 0;
  return config;
}

template <auto kernel, class... Arguments>
void launch(const exec::Stream& stream, const char* name, const Geometry& geometry, std::size_t shared_bytes,
            Arguments... arguments) {
  cudaLaunchAttribute cluster{};
  const cudaLaunchConfig_t config = configure<kernel>(stream, geometry, shared_bytes, cluster);
  SETKA_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
  SETKA_CUDA_CHECK_LAUNCH(stream, name);
}

template <auto kernel>
Room room_of(const exec::Stream& stream, const Geometry& geometry, std::size_t shared_bytes) {
  const int device = stream.device().ordinal();
  cudaLaunchAttribute cluster{};
  cudaLaunchConfig_t config = configure<kernel>(stream, geometry, shared_bytes, cluster);
  int most = 0;
  int all_shared = 0;
  int reserved = 0;  // of each block
  SETKA_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, kernel, geometry.threads, shared_bytes));
  SETKA_CUDA_CHECK(cudaDeviceGetAttribute(&all_shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
  SETKA_CUDA_CHECK(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
  Room room;
  for (int blocks = 1; blocks <= most; ++blocks) {
    int teams = blocks * exec::cuda::multiprocessors(stream);
    if (geometry.blocks > 1) {
      // Clusters lie within parts of the device: asked for with so much shared memory that no more fit.
      config.dynamicSmemBytes =
          std::max(shared_bytes, static_cast<std::size_t>(all_shared / blocks - reserved) / 16 * 16);
      SETKA_CUDA_CHECK(cudaOccupancyMaxActiveClusters(&teams, kernel, &config));
    }
    room.push_back(teams);
  }
  return room;
}

/// Whether the lines fit; if not, nothing is done.
template <class T>
bool sweep_along(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                 T* x);
template <class T>
bool sweep_across(const exec::Stream& stream, const Lines& lines, const kernel::Bands<T>& bands, const T* d,
                  T* x);

/// Of sweeps of doubles.
Room room_along(const exec::Stream& stream, const Geometry& geometry, bool constant);
Room room_across(const exec::Stream& stream, const Geometry& geometry, bool constant);

}  // namespace setka::grid::cuda
