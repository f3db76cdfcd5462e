// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/foreign_stream.hpp"

#include "setka/exec/cuda.cuh"

namespace setka::test {

ForeignStream::ForeignStream(int ordinal) {
  SETKA_CUDA_CHECK(cudaSetDevice(ordinal));
  cudaStream_t stream = nullptr;
  SETKA_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  handle_ = stream;
}

ForeignStream::~ForeignStream() {
  cudaStreamDestroy(static_cast<cudaStream_t>(handle_));
}

bool ForeignStream::is_alive() const {
  return cudaStreamSynchronize(static_cast<cudaStream_t>(handle_)) == cudaSuccess;
}

void* native(const exec::Stream& stream) {
  return exec::cuda::enter(stream);
}

}  // namespace setka::test
