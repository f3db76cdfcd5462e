// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/element_diagonal_kernel.hpp"

#define SETKA_DIAGONAL_OF(components)                                    \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::PickedDiagonal<components>)  \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::GeneralDiagonal<components>) \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::NodeBlocks<components>)
SETKA_FIELD_COMPONENTS(SETKA_DIAGONAL_OF)
