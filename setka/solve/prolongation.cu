// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/prolongation_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::Orthonormalise)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::SmoothRow<1>)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::SmoothRow<2>)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::SmoothRow<3>)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::SmoothRow<6>)
