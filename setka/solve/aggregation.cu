// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/aggregation_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::MeasureRow)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::CountStrong)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::ListStrong)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::JoinNearest)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::CopyLists)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::CountUp)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::FindFirst)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::MeanPlace)
