// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/element_assembly_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::fem::kernel::CountNeighbours)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::ListNeighbours)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::NarrowOffsets)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::AssembleBlock)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::ForcesOfShifts)
