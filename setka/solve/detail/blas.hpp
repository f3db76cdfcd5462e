// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Of whatever BLAS and LAPACK CHOLMOD stands on; null where it has none. In double and in single precision
// (d and s in the names of BLAS), and under one name for both in the namespace blas.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming, bugprone-macro-parentheses): BLAS's names, and a type
#define SETKA_BLAS(letter, Value)                                                                            \
  void letter##gemm_(const char* form_a, const char* form_b, const int* m, const int* n, const int* k,       \
                     const Value* alpha, const Value* a, const int* stride_a, const Value* b,                \
                     const int* stride_b, const Value* beta, Value* c, const int* stride_c)                  \
      __attribute__((weak));                                                                                 \
  void letter##syrk_(const char* triangle, const char* form, const int* n, const int* k, const Value* alpha, \
                     const Value* a, const int* stride_a, const Value* beta, Value* c, const int* stride_c)  \
      __attribute__((weak));                                                                                 \
  void letter##trsm_(const char* side, const char* triangle, const char* form, const char* diagonal,         \
                     const int* m, const int* n, const Value* alpha, const Value* a, const int* stride_a,    \
                     Value* b, const int* stride_b) __attribute__((weak));                                   \
  void letter##gemv_(const char* form, const int* m, const int* n, const Value* alpha, const Value* a,       \
                     const int* stride_a, const Value* x, const int* step_x, const Value* beta, Value* y,    \
                     const int* step_y) __attribute__((weak));                                               \
  void letter##trsv_(const char* triangle, const char* form, const char* diagonal, const int* n,             \
                     const Value* a, const int* stride_a, Value* x, const int* step_x)                       \
      __attribute__((weak));                                                                                 \
  void letter##potrf_(const char* triangle, const int* n, Value* a, const int* stride_a, int* info)          \
      __attribute__((weak));
SETKA_BLAS(d, double)
SETKA_BLAS(s, float)
#undef SETKA_BLAS
// NOLINTEND(readability-identifier-naming, bugprone-macro-parentheses)
}

namespace setka::solve::detail {

template <class Value>
struct Blas;

template <>
struct Blas<double> {
  static constexpr auto gemm = dgemm_;
  static constexpr auto syrk = dsyrk_;
  static constexpr auto trsm = dtrsm_;
  static constexpr auto gemv = dgemv_;
  static constexpr auto trsv = dtrsv_;
  static constexpr auto potrf = dpotrf_;
};

template <>
struct Blas<float> {
  static constexpr auto gemm = sgemm_;
  static constexpr auto syrk = ssyrk_;
  static constexpr auto trsm = strsm_;
  static constexpr auto gemv = sgemv_;
  static constexpr auto trsv = strsv_;
  static constexpr auto potrf = spotrf_;
};

/// Whether there is all of it.
inline bool has_blas() {
  return dgemm_ != nullptr && dsyrk_ != nullptr && dtrsm_ != nullptr && dgemv_ != nullptr &&
         dtrsv_ != nullptr && dpotrf_ != nullptr && sgemm_ != nullptr && ssyrk_ != nullptr &&
         strsm_ != nullptr && sgemv_ != nullptr && strsv_ != nullptr && spotrf_ != nullptr;
}

}  // namespace setka::solve::detail
