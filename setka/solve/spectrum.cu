// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/solve/spectrum_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::solve::kernel::Noise<float>)
SETKA_INSTANTIATE_FOR(setka::solve::kernel::Noise<double>)
