// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/fem/element_set.hpp"

namespace setka::dynamics {

/// A material for large strains: the sum of Saint Venant and Kirchhoff's law and that of Mooney and Rivlin,
///
///   W = lambda / 2 tr(E)^2 + mu E:E  +  C10 (J^-2/3 I1 - 3) + C01 (J^-4/3 I2 - 3) + (J - 1)^2 / D1,
///
/// of which one is usually zero.
struct HyperelasticMaterial {
  double lame = 0;
  double shear = 0;
  double c10 = 0;
  double c01 = 0;
  double bulk = 0;  // 2 / D1
  double density = 0;

  bool saint_venant() const { return c10 == 0 && c01 == 0 && bulk == 0; }

  /// Of small strains.
  double small_lame() const { return lame + bulk - 2.0 / 3 * 2 * (c10 + c01); }
  double small_shear() const { return shear + 2 * (c10 + c01); }
  double wave_speed() const;  // of pressure waves
  fem::ElementMaterial small_strains() const;
};

/// By Young's modulus and Poisson's ratio. All throw Error(Fault::input) for constants of a material that is
/// not stable at small strains, or for a density that is not positive.
HyperelasticMaterial saint_venant_kirchhoff(double young, double poisson, double density);
HyperelasticMaterial neo_hooke(double c10, double d1, double density);
HyperelasticMaterial mooney_rivlin(double c10, double c01, double d1, double density);

void check(const HyperelasticMaterial& material);

}  // namespace setka::dynamics
