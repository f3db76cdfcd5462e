// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/entries_kernel.hpp"
#include "setka/exec/parallel.cuh"

SETKA_INSTANTIATE_FOR(setka::exec::kernel::UpdateEntry)
