// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "setka/fem/elements.hpp"
#include "setka/fem/law_material.hpp"

namespace setka::fem {

/// At the integration points of an element under large displacements, on the host in double precision:
/// Cauchy's stress (force over present area) and the strain E of Green and Lagrange, [points, 6] in global
/// axes, xx yy zz xy xz yz with the shear of the tensor; the energy per initial volume, [points]. x, u: [n,
/// 3]. The springs against hourglasses of hex8_uniform have no part in it. Of a law with history:
/// that of a body that nothing has happened to.
void large_strains(Element type, std::span<const double> x, std::span<const double> u,
                   const LawMaterial& material, std::span<double> stress, std::span<double> strain,
                   std::span<double> energy);

}  // namespace setka::fem
