// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr_columns.cuh"

#define SETKA_STORE_COLUMNS(T)                                               \
  SETKA_INSTANTIATE_COLUMNS(1, 1, T, setka::sparse::kernel::StoreColumns<T>) \
  SETKA_INSTANTIATE_COLUMNS(2, 2, T, setka::sparse::kernel::StoreColumns<T>) \
  SETKA_INSTANTIATE_COLUMNS(3, 3, T, setka::sparse::kernel::StoreColumns<T>) \
  SETKA_INSTANTIATE_COLUMNS(3, 6, T, setka::sparse::kernel::StoreColumns<T>) \
  SETKA_INSTANTIATE_COLUMNS(6, 3, T, setka::sparse::kernel::StoreColumns<T>) \
  SETKA_INSTANTIATE_COLUMNS(6, 6, T, setka::sparse::kernel::StoreColumns<T>)
SETKA_STORE_COLUMNS(float)
SETKA_STORE_COLUMNS(double)
