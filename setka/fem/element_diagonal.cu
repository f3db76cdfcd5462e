// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/element_diagonal_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::fem::kernel::PickedDiagonal)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::GeneralDiagonal)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::NodeBlocks)
