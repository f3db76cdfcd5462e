// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cublas_v2.h>

#include "setka/exec/device.hpp"

/// cuBLAS, loaded when it is first needed: together with what it stands on it takes a quarter of a second to
/// load, which every run would pay, those on the CPU too.
namespace setka::exec::cuda {

/// The functions that are used here; the names are those of cuBLAS.
struct Cublas {
  decltype(&cublasCreate) create = nullptr;
  decltype(&cublasDestroy) destroy = nullptr;
  decltype(&cublasSetStream) set_stream = nullptr;
  decltype(&cublasGetStatusString) status_string = nullptr;
  decltype(&cublasDgemm_64) dgemm = nullptr;
  decltype(&cublasSgemm_64) sgemm = nullptr;
  decltype(&cublasSgemmStridedBatched_64) sgemm_strided_batched = nullptr;
};

/// Throws Error(Fault::resource) where the library is not to be found.
const Cublas& cublas();

/// The stream's own handle.
cublasHandle_t cublas_handle(const Stream& stream);

[[noreturn]] void fail(cublasStatus_t status, const char* call, const char* file, int line);

inline void check(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status != CUBLAS_STATUS_SUCCESS) fail(status, call, file, line);
}

}  // namespace setka::exec::cuda
