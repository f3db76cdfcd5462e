// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_kernel.hpp"
#include "setka/exec/parallel.cuh"

SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ExplicitStep<float>)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ExplicitStep<double>)
SETKA_INSTANTIATE_REDUCE(setka::dynamics::kernel::NodeEnergySum)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ExplicitLook<float>)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ExplicitLook<double>)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::PickNodes<float>)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::PickNodes<double>)
