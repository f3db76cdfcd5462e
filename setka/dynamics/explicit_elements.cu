// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_elements_kernel.hpp"
#include "setka/exec/parallel.cuh"

using setka::dynamics::kernel::ElementFrequency;
using setka::dynamics::kernel::ElementMass;
using setka::mesh::ElementType;

#define SETKA_SETUP_OF(type)               \
  SETKA_INSTANTIATE_FOR(ElementMass<type>) \
  SETKA_INSTANTIATE_FOR(ElementFrequency<type>)

SETKA_SETUP_OF(ElementType::c3d4)
SETKA_SETUP_OF(ElementType::c3d6)
SETKA_SETUP_OF(ElementType::c3d8)
SETKA_SETUP_OF(ElementType::c3d8r)
SETKA_SETUP_OF(ElementType::c3d10)
SETKA_SETUP_OF(ElementType::c3d15)
SETKA_SETUP_OF(ElementType::c3d20)
SETKA_SETUP_OF(ElementType::c3d20r)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::NodeMass)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::Widen)
SETKA_INSTANTIATE_REDUCE(setka::dynamics::kernel::EnergySum)
