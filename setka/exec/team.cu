// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/exec/team_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::exec::kernel::SumOfMembers)
SETKA_INSTANTIATE_FOR(setka::exec::kernel::SumOfRows)
