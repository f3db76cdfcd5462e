// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/interpolation_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::StiffenRow)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::AddRow)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::WeightedRow)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::KeptModes)
