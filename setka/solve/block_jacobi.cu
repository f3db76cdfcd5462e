// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/block_diagonal_kernel.hpp"

#define SETKA_DIAGONAL(n)                                                 \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InvertBlocks<n>)            \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InvertDiagonal<n>)          \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InvertInPlace<n>)           \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InverseScales<n>)           \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<n, float>) \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<n, double>)
SETKA_DIAGONAL(1)
SETKA_DIAGONAL(2)
SETKA_DIAGONAL(3)
SETKA_DIAGONAL(6)
