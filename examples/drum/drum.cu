// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "drum_kernel.hpp"
#include "setka/exec/parallel.cuh"

SETKA_INSTANTIATE_FOR(StretchSkin)
SETKA_INSTANTIATE_FOR(CopyColumns)
