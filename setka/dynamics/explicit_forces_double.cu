// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_elements_kernel.hpp"
#include "setka/exec/parallel.cuh"

namespace setka::dynamics::kernel {
namespace {

template <ElementType type, bool stored = false>
using LinearForces = ElementForces<double, type, stored, SaintVenantKirchhoff>;
template <ElementType type, bool stored = false>
using GeneralForces = ElementForces<double, type, stored, Hyperelastic>;

}  // namespace
}  // namespace setka::dynamics::kernel

using setka::dynamics::kernel::ElementGeometry;
using setka::dynamics::kernel::GeneralForces;
using setka::dynamics::kernel::LinearForces;
using setka::mesh::ElementType;

#define SETKA_FORCES_OF(...)                       \
  SETKA_INSTANTIATE_FOR(LinearForces<__VA_ARGS__>) \
  SETKA_INSTANTIATE_FOR(GeneralForces<__VA_ARGS__>)

SETKA_FORCES_OF(ElementType::c3d4)
SETKA_FORCES_OF(ElementType::c3d6)
SETKA_FORCES_OF(ElementType::c3d8)
SETKA_FORCES_OF(ElementType::c3d8, true)
SETKA_FORCES_OF(ElementType::c3d8r)
SETKA_FORCES_OF(ElementType::c3d10)
SETKA_FORCES_OF(ElementType::c3d15)
SETKA_FORCES_OF(ElementType::c3d20)
SETKA_FORCES_OF(ElementType::c3d20r)
SETKA_INSTANTIATE_FOR(ElementGeometry<double, ElementType::c3d8>)
SETKA_INSTANTIATE_FOR(ElementGeometry<double, ElementType::c3d8r>)
