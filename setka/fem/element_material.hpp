// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace setka::fem {

/// Linear elasticity and density at a place.
struct ElementMaterial {
  std::array<double, 36> d{};  // strains to stresses, global axes
  double density = 0;
};

/// D of Young's modulus and Poisson's ratio, neither checked.
std::array<double, 36> isotropic_elasticity(double young, double poisson);

/// D of a sheet in the plane of x and y whose stresses zz, xz and yz vanish; their rows and columns are zero.
std::array<double, 36> plane_stress_elasticity(const std::array<double, 36>& d);

}  // namespace setka::fem
