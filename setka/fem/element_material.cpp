// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_material.hpp"

#include <cstddef>

#include "setka/base/dense.hpp"

namespace setka::fem {

std::array<double, 36> isotropic_elasticity(double young, double poisson) {
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  const double mu = young / (2 * (1 + poisson));
  std::array<double, 36> d{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) d[6 * i + j] = lambda;
    d[7 * i] += 2 * mu;
    d[7 * (i + 3)] = mu;
  }
  return d;
}

std::array<double, 36> plane_stress_elasticity(const std::array<double, 36>& d) {
  constexpr std::array<std::size_t, 3> in_plane{0, 1, 3};
  constexpr std::array<std::size_t, 3> across{2, 4, 5};
  const auto part = [&](const std::array<std::size_t, 3>& rows, const std::array<std::size_t, 3>& columns) {
    Dense made(3, 3);
    for (std::size_t i = 0; i < 9; ++i) made.values()[i] = d[6 * rows[i % 3] + columns[i / 3]];
    return made;
  };
  Dense sheet = part(in_plane, in_plane);
  multiply(-1, part(in_plane, across), solution(part(across, across), part(across, in_plane)), 1, sheet);
  std::array<double, 36> reduced{};
  for (std::size_t i = 0; i < 9; ++i) reduced[6 * in_plane[i % 3] + in_plane[i / 3]] = sheet.values()[i];
  return reduced;
}

}  // namespace setka::fem
