// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/grid/sweep_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::grid::kernel::SweepCoefficients<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SweepCoefficients<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SweepBack<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SweepBack<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SweepJoin<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::SweepJoin<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::GatherRows<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::GatherRows<double>)
SETKA_INSTANTIATE_REDUCE(setka::grid::kernel::FirstNotFinite<float>)
SETKA_INSTANTIATE_REDUCE(setka::grid::kernel::FirstNotFinite<double>)
SETKA_INSTANTIATE_REDUCE(setka::grid::kernel::FirstNotDominant<float>)
SETKA_INSTANTIATE_REDUCE(setka::grid::kernel::FirstNotDominant<double>)
