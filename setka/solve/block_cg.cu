// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/block_cg_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::BlockResidual)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::TakeColumns)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::FillColumn)
