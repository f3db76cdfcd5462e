// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/block_diagonal_kernel.hpp"
#include "setka/sparse/block_shapes.hpp"

#define SETKA_DIAGONAL(n)                                                 \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InvertBlocks<n>)            \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InvertDiagonal<n>)          \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InvertInPlace<n>)           \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InverseScales<n>)           \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<n, float>) \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<n, double>)
SETKA_BLOCK_SIZES(SETKA_DIAGONAL)
