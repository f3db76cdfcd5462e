// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/chebyshev_kernel.hpp"
#include "setka/sparse/block_csr_columns.cuh"
#include "setka/sparse/block_csr_product.cuh"
#include "setka/sparse/block_shapes.hpp"

#define SETKA_CHEBYSHEV(H)                                                                    \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(H, H, float, setka::solve::kernel::ChebyshevStep<float>)    \
  SETKA_INSTANTIATE_COLUMNS(H, H, float, setka::solve::kernel::ChebyshevColumnsStep<float>)   \
  SETKA_INSTANTIATE_PRODUCT_SHAPE(H, H, float, setka::solve::kernel::ChebyshevBeside<float>)  \
  SETKA_INSTANTIATE_COLUMNS(H, H, float, setka::solve::kernel::ChebyshevColumnsBeside<float>) \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::ChebyshevStart<H, float>)                       \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::ChebyshevColumnsStart<H, float>)
SETKA_BLOCK_SIZES(SETKA_CHEBYSHEV)
