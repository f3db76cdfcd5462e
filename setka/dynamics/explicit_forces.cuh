// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/dynamics/explicit_elements_kernel.hpp"
#include "setka/exec/parallel.cuh"

/// The kernels of all elements in one precision; each has a source of its own, since they compile for long.
namespace setka::dynamics::kernel {

template <class T, ElementType type, bool stored = false>
using LinearForces = ElementForces<T, type, stored, SaintVenantKirchhoff>;
template <class T, ElementType type, bool stored = false>
using GeneralForces = ElementForces<T, type, stored, Hyperelastic>;

}  // namespace setka::dynamics::kernel

#define SETKA_FORCES_OF(...)                                                \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::LinearForces<__VA_ARGS__>) \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::GeneralForces<__VA_ARGS__>)

#define SETKA_FORCES(T)                                                                              \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d4)                                                 \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d6)                                                 \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d8)                                                 \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d8, true)                                           \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d8r)                                                \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d10)                                                \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d15)                                                \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d20)                                                \
  SETKA_FORCES_OF(T, setka::mesh::ElementType::c3d20r)                                               \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ElementGeometry<T, setka::mesh::ElementType::c3d8>) \
  SETKA_INSTANTIATE_FOR(setka::dynamics::kernel::ElementGeometry<T, setka::mesh::ElementType::c3d8r>)
