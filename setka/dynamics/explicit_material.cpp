// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/explicit_material.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {

double HyperelasticMaterial::wave_speed() const {
  return std::sqrt((small_lame() + 2 * small_shear()) / density);
}

fem::ElementMaterial HyperelasticMaterial::small_strains() const {
  fem::ElementMaterial made;
  made.density = density;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) made.d[6 * i + j] = small_lame();
    made.d[7 * i] += 2 * small_shear();
    made.d[7 * (i + 3)] = small_shear();
  }
  return made;
}

void check(const HyperelasticMaterial& material) {
  const double shear = material.small_shear();
  const double bulk = material.small_lame() + 2.0 / 3 * shear;
  if (!(shear > 0 && bulk > 0 && std::isfinite(shear) && std::isfinite(bulk))) {
    throw Error(
        Fault::input,
        fmt::format("material: at small strains the shear modulus is {:g} and the bulk modulus {:g}", shear,
                    bulk),
        "both must be positive: of E and nu, E > 0 and -1 < nu < 0.5; of C10, C01 and D1, C10 + C01 > 0 and "
        "D1 > 0");
  }
  if (!(material.density > 0 && std::isfinite(material.density))) {
    throw Error(Fault::input, fmt::format("material: the density is {:g}", material.density),
                "explicit dynamics needs a positive density");
  }
}

HyperelasticMaterial saint_venant_kirchhoff(double young, double poisson, double density) {
  HyperelasticMaterial made;
  made.lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  made.shear = young / (2 * (1 + poisson));
  made.density = density;
  check(made);
  return made;
}

HyperelasticMaterial neo_hooke(double c10, double d1, double density) {
  return mooney_rivlin(c10, 0, d1, density);
}

HyperelasticMaterial mooney_rivlin(double c10, double c01, double d1, double density) {
  HyperelasticMaterial made;
  made.c10 = c10;
  made.c01 = c01;
  made.bulk = 2 / d1;
  made.density = density;
  check(made);
  return made;
}

}  // namespace setka::dynamics
