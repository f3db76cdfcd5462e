// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/grid/long_vector_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::grid::kernel::VectorAdd<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::VectorAdd<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::VectorSaxpy<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::VectorSaxpy<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::ZeroBorder<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::ZeroBorder<double>)
