// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/elements.hpp"
#include "setka/fem/recovery_kernel.hpp"

#define SETKA_TO_NODES(name, ...)                                                  \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ToNodes<setka::fem::Element::name, 1>) \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ToNodes<setka::fem::Element::name, 3>) \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ToNodes<setka::fem::Element::name, 6>)

SETKA_SOLID_ELEMENTS(SETKA_TO_NODES)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::NodeMeans<1>)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::NodeMeans<3>)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::NodeMeans<6>)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::EnergyDensity)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::StressOfElement)
