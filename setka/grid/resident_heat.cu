// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/grid/exchange_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::grid::kernel::SharesOfRows<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SharesOfRows<double>)
