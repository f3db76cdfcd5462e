// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/exec/annotations.hpp"

namespace setka::fem::kernel {

/// How a component at a place moves in each mode of a near-nullspace: rigid motions for two and three
/// components, each component by itself otherwise.
struct Motions {
  int components;
  double middle[3];  // rotations are about it,
  double length;     // in units of 1 / length

  SETKA_HD int count() const { return components == 3 ? 6 : (components == 2 ? 3 : components); }

  /// moved: [count()]
  SETKA_HD void of(const double* x, int component, double* moved) const {
    for (int m = 0; m < count(); ++m) moved[m] = m == component ? 1 : 0;
    const auto arm = [&](int i) { return (x[i] - middle[i]) / length; };
    if (components == 2) moved[2] = component == 0 ? -arm(1) : arm(0);
    if (components == 3) {
      moved[3 + (component + 1) % 3] = arm((component + 2) % 3);
      moved[3 + (component + 2) % 3] = -arm((component + 1) % 3);
    }
  }
};

/// The modes at a place where constraints pick unknowns.
struct ModesOfPlace {
  Motions motions;
  const std::int32_t* dof;    // [places]
  const double* coordinates;  // [nodes, 3]
  double* mode;               // [places, modes]

  SETKA_HD void operator()(std::int64_t place) const {
    const int modes = motions.count();
    double* const own = mode + place * modes;
    const std::int32_t d = dof[place];
    if (d < 0) {
      for (int m = 0; m < modes; ++m) own[m] = 0;
      return;
    }
    motions.of(coordinates + 3 * std::int64_t{d / motions.components}, d % motions.components, own);
  }
};

}  // namespace setka::fem::kernel
