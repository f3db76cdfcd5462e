// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/space_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::fem::kernel::ModesOfPlace)
