// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/robin_faces_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::fem::kernel::RobinPoints<false>)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::RobinPoints<true>)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::RobinNodes)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::RobinEntries)
