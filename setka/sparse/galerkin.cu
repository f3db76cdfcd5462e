// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/sparse/galerkin_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::sparse::kernel::MeetsColumns)
SETKA_INSTANTIATE_FOR(setka::sparse::kernel::ListRows)
SETKA_INSTANTIATE_FOR(setka::sparse::kernel::TakeRows)
SETKA_INSTANTIATE_FOR(setka::sparse::kernel::ShiftOffsets)
