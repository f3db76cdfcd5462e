// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "setka/fem/element_material.hpp"
#include "setka/fem/laws.hpp"

namespace setka::fem {

/// A material for forms with a law.
struct LawMaterial {
  Law law = Law::saint_venant_kirchhoff;
  std::vector<double> constants;  // of the law, as laws.hpp lists them
  double density = 0;

  /// D of the law without strains, and the density.
  ElementMaterial small_strains() const;
  /// Moduli of small strains; those of an isotropic material nearest to it (Voigt's mean) where it is not.
  double small_shear() const;
  double small_bulk() const;
};

/// Error(Fault::usage) where the law has another number of constants, Error(Fault::input) for constants of a
/// material that is not stable at small strains, or for a density that is not positive.
void check(const LawMaterial& material);

/// All are checked. d: [6, 6] in global axes, strains with the shear of engineers.
LawMaterial linear_elastic(const std::array<double, 36>& d, double density);
/// By Young's modulus and Poisson's ratio.
LawMaterial saint_venant_kirchhoff(double young, double poisson, double density);
LawMaterial neo_hooke(double c10, double d1, double density);
LawMaterial mooney_rivlin(double c10, double c01, double d1, double density);

}  // namespace setka::fem
