// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/block_diagonal_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<1, double>)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<2, double>)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<3, double>)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::MultiplyDiagonal<6, double>)
