// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/grid/heat_kernel.hpp"

SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatChange<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatChange<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatRows<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatRows<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatSupply<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatSupply<double>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatBound<float>)
SETKA_INSTANTIATE_FOR(setka::grid::kernel::HeatBound<double>)
