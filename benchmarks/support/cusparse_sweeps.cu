// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include <cusparse.h>

#include "setka/base/error.hpp"
#include "setka/exec/cuda.cuh"
#include "support/sweep_peers.hpp"

namespace setka::bench {
namespace {

void check(cusparseStatus_t status, const char* call) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw Error(Fault::resource, std::string(call) + ": " + cusparseGetErrorString(status));
}
#define CHECK_CUSPARSE(call) check((call), #call)

constexpr int thomas = 0;  // the way of gtsvInterleavedBatch without pivoting

}  // namespace

struct CusparseSweeps::State {
  exec::Device gpu;
  int n;
  bool along;
  double* lower;
  double* diagonal;
  double* upper;
  double* x;
  exec::Array<char> buffer;
  cusparseHandle_t handle = nullptr;
};

CusparseSweeps::CusparseSweeps(const exec::Device& gpu, std::int64_t n, bool along,
                               exec::Array<double>& lower, exec::Array<double>& diagonal,
                               exec::Array<double>& upper, exec::Array<double>& x)
    : state_(new State{gpu, static_cast<int>(n), along, lower.data(), diagonal.data(), upper.data(), x.data(),
                       exec::Array<char>(gpu)}) {
  State& s = *state_;
  const cudaStream_t stream = exec::cuda::enter(gpu);
  CHECK_CUSPARSE(cusparseCreate(&s.handle));
  CHECK_CUSPARSE(cusparseSetStream(s.handle, stream));
  std::size_t bytes = 0;
  if (along) {
    CHECK_CUSPARSE(cusparseDgtsv2StridedBatch_bufferSizeExt(s.handle, s.n, s.lower, s.diagonal, s.upper, s.x,
                                                            s.n, s.n, &bytes));
  } else {
    CHECK_CUSPARSE(cusparseDgtsvInterleavedBatch_bufferSizeExt(s.handle, thomas, s.n, s.lower, s.diagonal,
                                                               s.upper, s.x, s.n, &bytes));
  }
  s.buffer = exec::Array<char>(gpu, static_cast<std::int64_t>(bytes));
}

CusparseSweeps::~CusparseSweeps() {
  cusparseDestroy(state_->handle);
}

void CusparseSweeps::solve() const {
  const State& s = *state_;
  exec::cuda::enter(s.gpu);
  char* const buffer = const_cast<char*>(s.buffer.data());
  if (s.along) {
    CHECK_CUSPARSE(
        cusparseDgtsv2StridedBatch(s.handle, s.n, s.lower, s.diagonal, s.upper, s.x, s.n, s.n, buffer));
  } else {
    CHECK_CUSPARSE(
        cusparseDgtsvInterleavedBatch(s.handle, thomas, s.n, s.lower, s.diagonal, s.upper, s.x, s.n, buffer));
  }
}

}  // namespace setka::bench
