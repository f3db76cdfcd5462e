// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/parallel.cuh"
#include "setka/fem/elements.hpp"
#include "setka/fem/lumped_mass_kernel.hpp"

#define SETKA_MASS_OF(name, ...) \
  SETKA_INSTANTIATE_FOR(setka::fem::kernel::ElementMass<setka::fem::Element::name>)

SETKA_SOLID_ELEMENTS(SETKA_MASS_OF)
SETKA_INSTANTIATE_FOR(setka::fem::kernel::NodeMass)
