// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/dynamics/explicit_elements_kernel.hpp"
#include "setka/exec/parallel.cuh"
#include "setka/fem/elements.hpp"

/// The kernels of all elements in one precision; each has a source of its own, since they compile for long.
namespace setka::dynamics::kernel {

template <class T, Element type, bool stored = false>
using LinearForces = ElementForces<T, type, stored, SaintVenantKirchhoff>;
template <class T, Element type, bool stored = false>
using GeneralForces = ElementForces<T, type, stored, Hyperelastic>;

}  // namespace setka::dynamics::kernel

#define SETKA_FORCES_OF(...)                                                \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::LinearForces<__VA_ARGS__>) \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::GeneralForces<__VA_ARGS__>)

#define SETKA_FORCES_full(T, name) SETKA_FORCES_OF(T, setka::fem::Element::name)
#define SETKA_FORCES_reduced(T, name) SETKA_FORCES_full(T, name)
#define SETKA_FORCES_incompatible(T, name)  // no formulation for large strains
#define SETKA_DOUBLE_FORCES(name, cell, integration, ...) SETKA_FORCES_##integration(double, name)
#define SETKA_FLOAT_FORCES(name, cell, integration, ...) SETKA_FORCES_##integration(float, name)

/// forces: SETKA_DOUBLE_FORCES or SETKA_FLOAT_FORCES, for T.
#define SETKA_FORCES(T, forces)                                                                 \
  SETKA_SOLID_ELEMENTS(forces)                                                                  \
  SETKA_FORCES_OF(T, setka::fem::Element::hex8, true)                                           \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ElementGeometry<T, setka::fem::Element::hex8>) \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ElementGeometry<T, setka::fem::Element::hex8_uniform>)
