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

}  // namespace setka::fem
