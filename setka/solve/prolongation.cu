// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/prolongation_kernel.hpp"
#include "setka/sparse/block_shapes.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::CountJoined)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::Orthonormalise)
#define SETKA_SMOOTH_ROW(n) SETKA_INSTANTIATE_FOR(setka::solve::kernel::SmoothRow<n>)
SETKA_BLOCK_SIZES(SETKA_SMOOTH_ROW)
