// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_elements_kernel.hpp"
#include "setka/exec/parallel.cuh"
#include "setka/fem/elements.hpp"

using setka::dynamics::kernel::ElementFrequency;
using setka::dynamics::kernel::ElementMass;
using setka::fem::Element;

#define SETKA_SETUP_full(name)                      \
  SETKA_INSTANTIATE_FOR(ElementMass<Element::name>) \
  SETKA_INSTANTIATE_FOR(ElementFrequency<Element::name>)
#define SETKA_SETUP_reduced(name) SETKA_SETUP_full(name)
#define SETKA_SETUP_incompatible(name)  // no formulation for large strains
#define SETKA_SETUP_OF(name, cell, integration, ...) SETKA_SETUP_##integration(name)

SETKA_SOLID_ELEMENTS(SETKA_SETUP_OF)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::NodeMass)
SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::Widen)
SETKA_INSTANTIATE_REDUCE(setka::dynamics::kernel::EnergySum)
