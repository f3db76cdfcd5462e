// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/block_csr_product.cuh"

SETKA_INSTANTIATE_PRODUCT(float, setka::sparse::kernel::Store<float>)
SETKA_INSTANTIATE_PRODUCT(double, setka::sparse::kernel::Store<double>)
