// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/cg_kernel.hpp"

SETKA_INSTANTIATE_REDUCE(setka::solve::kernel::CgStep)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::CgDirection)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::CgAdvance)
