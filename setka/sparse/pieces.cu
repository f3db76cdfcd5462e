// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/sparse/pieces_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::sparse::kernel::FindColumns)
SETKA_INSTANTIATE_FOR(setka::sparse::kernel::CopyPiece)
SETKA_INSTANTIATE_FOR(setka::sparse::kernel::Renumber)
SETKA_INSTANTIATE_FOR(setka::sparse::kernel::Shift)
