// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/gmres_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::GmresBegin)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::GmresExtend)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::GmresRotate)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::GmresUpdate)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::GmresSubstitute)
