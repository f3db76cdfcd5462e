// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/patches_kernel.hpp"
#include "setka/sparse/block_shapes.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::CountCoupled)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::ListCoupled)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::ClearRow)

#define SETKA_PATCHES(n)                                        \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InverseSize<n>)   \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::Couple<n>)        \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::InvertPatch<n>)   \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::PatchResidual<n>) \
  SETKA_INSTANTIATE_FOR(setka::solve::kernel::AddPatchRow<n>)
SETKA_BLOCK_SIZES(SETKA_PATCHES)
