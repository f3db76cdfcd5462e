// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/minres_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::MinresBegin)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::MinresLanczos)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::MinresRotate)
SETKA_INSTANTIATE_REDUCE(setka::solve::kernel::MinresStep)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::MinresJudge)
