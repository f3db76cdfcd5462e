// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/implicit_kernel.hpp"
#include "setka/exec/parallel.cuh"

SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ImplicitPredict)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ImplicitCorrect)
SETKA_INSTANTIATE_REDUCE(setka::dynamics::kernel::ImplicitChange)
