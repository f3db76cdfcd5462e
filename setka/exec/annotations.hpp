// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks a function that runs on the host and on the GPU alike.
#ifdef __CUDACC__
#  define SETKA_HD __host__ __device__
#else
#  define SETKA_HD
#endif

/// Before a short loop of fixed length over arrays that are to stay in registers of the GPU.
#ifdef __CUDA_ARCH__
#  define SETKA_UNROLL _Pragma("unroll")
#else
#  define SETKA_UNROLL
#endif
