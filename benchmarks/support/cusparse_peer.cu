// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/cusparse_peer.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <cusparse.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/cuda.cuh"

namespace setka::bench {
namespace {

void check(cusparseStatus_t status, const char* call) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw Error(Fault::resource, std::string(call) + ": " + cusparseGetErrorString(status));
}
#define CHECK_CUSPARSE(call) check((call), #call)

/// Offsets and columns of the scalar rows; the values of a block row lie scalar row by scalar row already.
struct Structure {
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> column;
};

Structure scalar_structure(const sparse::BlockCsr<double>& a) {
  const std::vector<std::int32_t> first = a.offset().to_vector();
  const std::vector<std::int32_t> block = a.column().to_vector();
  require(a.value().size() <= INT32_MAX, "CusparsePeer: more values than 32 bits count");
  Structure made;
  made.column.reserve(static_cast<std::size_t>(a.value().size()));
  for (std::int32_t row = 0; row < a.rows(); ++row) {
    for (int i = 0; i < a.height(); ++i) {
      for (std::int32_t k = first[row]; k < first[row + 1]; ++k) {
        for (int j = 0; j < a.width(); ++j) made.column.push_back(block[k] * a.width() + j);
      }
      made.offset.push_back(static_cast<std::int32_t>(made.column.size()));
    }
  }
  return made;
}

constexpr auto as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
const double one = 1;
const double zero = 0;

}  // namespace

struct CusparsePeer::State {
  exec::Device gpu;
  CusparseWay way;
  std::int64_t rows;
  std::int64_t columns;
  exec::Array<std::int32_t> offset;
  exec::Array<std::int32_t> column;
  exec::Array<double> value;
  exec::Array<char> buffer;
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  bool prepared = false;

  State(const exec::Device& device, const sparse::BlockCsr<double>& a, const Structure& structure,
        std::int64_t width, CusparseWay how)
      : gpu(device),
        way(how),
        rows(a.scalar_rows()),
        columns(width),
        offset(device, structure.offset),
        column(device, structure.column),
        value(a.value().to(device)),
        buffer(device) {}

  cusparseSpMVAlg_t vector_way() const {
    return way == CusparseWay::plain ? CUSPARSE_SPMV_ALG_DEFAULT : CUSPARSE_SPMV_CSR_ALG1;
  }
  cusparseSpMMAlg_t block_way() const {
    return way == CusparseWay::plain ? CUSPARSE_SPMM_ALG_DEFAULT : CUSPARSE_SPMM_CSR_ALG2;
  }

  void multiply_vector(const double* x, double* y);
  void multiply_block(const double* x, double* y);
};

void CusparsePeer::State::multiply_vector(const double* x, double* y) {
  cusparseConstDnVecDescr_t from = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  CHECK_CUSPARSE(cusparseCreateConstDnVec(&from, rows, x, CUDA_R_64F));
  CHECK_CUSPARSE(cusparseCreateDnVec(&to, rows, y, CUDA_R_64F));
  if (!prepared) {
    std::size_t bytes = 0;
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, as_it_is, &one, matrix, from, &zero, to, CUDA_R_64F,
                                           vector_way(), &bytes));
    buffer = exec::Array<char>(gpu, static_cast<std::int64_t>(bytes));
    if (way == CusparseWay::preprocessed) {
      CHECK_CUSPARSE(cusparseSpMV_preprocess(handle, as_it_is, &one, matrix, from, &zero, to, CUDA_R_64F,
                                             vector_way(), buffer.data()));
    }
    prepared = true;
  }
  CHECK_CUSPARSE(
      cusparseSpMV(handle, as_it_is, &one, matrix, from, &zero, to, CUDA_R_64F, vector_way(), buffer.data()));
  CHECK_CUSPARSE(cusparseDestroyDnVec(from));
  CHECK_CUSPARSE(cusparseDestroyDnVec(to));
}

void CusparsePeer::State::multiply_block(const double* x, double* y) {
  cusparseConstDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  CHECK_CUSPARSE(cusparseCreateConstDnMat(&from, rows, columns, columns, x, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  CHECK_CUSPARSE(cusparseCreateDnMat(&to, rows, columns, columns, y, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  if (!prepared) {
    std::size_t bytes = 0;
    CHECK_CUSPARSE(cusparseSpMM_bufferSize(handle, as_it_is, as_it_is, &one, matrix, from, &zero, to,
                                           CUDA_R_64F, block_way(), &bytes));
    buffer = exec::Array<char>(gpu, static_cast<std::int64_t>(bytes));
    if (way == CusparseWay::preprocessed) {
      CHECK_CUSPARSE(cusparseSpMM_preprocess(handle, as_it_is, as_it_is, &one, matrix, from, &zero, to,
                                             CUDA_R_64F, block_way(), buffer.data()));
    }
    prepared = true;
  }
  CHECK_CUSPARSE(cusparseSpMM(handle, as_it_is, as_it_is, &one, matrix, from, &zero, to, CUDA_R_64F,
                              block_way(), buffer.data()));
  CHECK_CUSPARSE(cusparseDestroyDnMat(from));
  CHECK_CUSPARSE(cusparseDestroyDnMat(to));
}

CusparsePeer::CusparsePeer(const exec::Device& gpu, const sparse::BlockCsr<double>& a, std::int64_t columns,
                           CusparseWay way)
    : state_(std::make_unique<State>(gpu, a, scalar_structure(a), columns, way)) {
  State& s = *state_;
  const cudaStream_t stream = exec::cuda::enter(gpu);
  CHECK_CUSPARSE(cusparseCreate(&s.handle));
  CHECK_CUSPARSE(cusparseSetStream(s.handle, stream));
  CHECK_CUSPARSE(cusparseCreateCsr(&s.matrix, s.rows, a.scalar_columns(), s.value.size(), s.offset.data(),
                                   s.column.data(), s.value.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
}

CusparsePeer::~CusparsePeer() {
  cusparseDestroySpMat(state_->matrix);
  cusparseDestroy(state_->handle);
}

void CusparsePeer::multiply(exec::View<const double> x, exec::View<double> y) {
  exec::cuda::enter(state_->gpu);
  if (state_->columns == 1) {
    state_->multiply_vector(x.data, y.data);
  } else {
    state_->multiply_block(x.data, y.data);
  }
}

}  // namespace setka::bench
