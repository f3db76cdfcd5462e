// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "setka/exec/device.hpp"

/// For .cu files: checked calls and the native handles behind a Stream.
namespace setka::exec::cuda {

[[noreturn]] void fail(cudaError_t status, const char* call, const char* file, int line);

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess) fail(status, call, file, line);
}

/// Makes the stream's GPU the current one of this thread and returns the native stream.
cudaStream_t enter(const Stream& stream);

int multiprocessors(const Stream& stream);

/// A counter in device memory that is zero between kernels: the last block to arrive sets it back.
unsigned* arrival_counter(const Stream& stream);

/// After a launch: throws when it failed; debug builds also wait for the kernel.
void check_launch(const Stream& stream, const char* kernel, const char* file, int line);

}  // namespace setka::exec::cuda

/// A CUDA or cuBLAS call; a failure is an Error that names the call.
#define SETKA_CUDA_CHECK(call) ::setka::exec::cuda::check((call), #call, __FILE__, __LINE__)
#define SETKA_CUDA_CHECK_LAUNCH(stream, kernel) \
  ::setka::exec::cuda::check_launch(stream, kernel, __FILE__, __LINE__)
