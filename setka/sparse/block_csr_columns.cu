// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr_columns.cuh"

#define SETKA_COLUMNS_OF(H, W, T)                                          \
  SETKA_INSTANTIATE_COLUMNS(H, W, T, setka::sparse::kernel::PutColumns<T>) \
  SETKA_INSTANTIATE_COLUMNS(H, W, T, setka::sparse::kernel::StoreColumns<T>)
#define SETKA_COLUMNS(T)    \
  SETKA_COLUMNS_OF(1, 1, T) \
  SETKA_COLUMNS_OF(2, 2, T) \
  SETKA_COLUMNS_OF(3, 3, T) \
  SETKA_COLUMNS_OF(3, 6, T) \
  SETKA_COLUMNS_OF(6, 3, T) \
  SETKA_COLUMNS_OF(6, 6, T)
SETKA_COLUMNS(float)
SETKA_COLUMNS(double)
