// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Of whatever BLAS and LAPACK CHOLMOD stands on; null where it has none.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the names are BLAS's
void dgemm_(const char* form_a, const char* form_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* stride_a, const double* b, const int* stride_b,
            const double* beta, double* c, const int* stride_c) __attribute__((weak));
void dsyrk_(const char* triangle, const char* form, const int* n, const int* k, const double* alpha,
            const double* a, const int* stride_a, const double* beta, double* c, const int* stride_c)
    __attribute__((weak));
void dtrsm_(const char* side, const char* triangle, const char* form, const char* diagonal, const int* m,
            const int* n, const double* alpha, const double* a, const int* stride_a, double* b,
            const int* stride_b) __attribute__((weak));
void dgemv_(const char* form, const int* m, const int* n, const double* alpha, const double* a,
            const int* stride_a, const double* x, const int* step_x, const double* beta, double* y,
            const int* step_y) __attribute__((weak));
void dtrsv_(const char* triangle, const char* form, const char* diagonal, const int* n, const double* a,
            const int* stride_a, double* x, const int* step_x) __attribute__((weak));
void dpotrf_(const char* triangle, const int* n, double* a, const int* stride_a, int* info)
    __attribute__((weak));
// NOLINTEND(readability-identifier-naming)
}
