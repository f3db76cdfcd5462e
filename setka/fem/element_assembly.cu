// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/element_assembly_kernel.hpp"

#define SETKA_ASSEMBLY_OF(components)                                  \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::AssembleBlock<components>) \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ForcesOfShifts<components>)
SETKA_FIELD_COMPONENTS(SETKA_ASSEMBLY_OF)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::CountNeighbours)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::ListNeighbours)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::NarrowOffsets)
