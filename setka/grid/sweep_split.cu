// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/grid/sweep_split_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::grid::kernel::EliminatePieces<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::EliminatePieces<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::ReducePieces<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::ReducePieces<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SolvePieces<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SolvePieces<double>)
