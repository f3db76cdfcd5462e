// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr_columns.cuh"
#include "setka/sparse/block_shapes.hpp"

#define SETKA_COLUMNS_OF(H, W, T)                                          \
  SETKA_INSTANTIATE_COLUMNS(H, W, T, setka::sparse::kernel::PutColumns<T>) \
  SETKA_INSTANTIATE_COLUMNS(H, W, T, setka::sparse::kernel::StoreColumns<T>)
SETKA_BLOCK_SHAPES(SETKA_COLUMNS_OF, float)
SETKA_BLOCK_SHAPES(SETKA_COLUMNS_OF, double)
