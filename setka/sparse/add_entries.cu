// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/sparse/add_entries_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::sparse::kernel::AddEntries)
