// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "setka/fem/element.hpp"
#include "setka/mesh/shape_functions_kernel.hpp"
#include "support/dense.hpp"

namespace setka::fem::test {

using setka::test::largest;

/// All of the list.
inline constexpr auto solids = std::to_array<Element>({
#define SETKA_LISTED_ELEMENT(name, ...) Element::name,
    SETKA_SOLID_ELEMENTS(SETKA_LISTED_ELEMENT)
#undef SETKA_LISTED_ELEMENT
});

inline constexpr auto plane_elements = std::to_array<Element>({
#define SETKA_LISTED_ELEMENT(name, ...) Element::name,
    SETKA_PLANE_ELEMENTS(SETKA_LISTED_ELEMENT)
#undef SETKA_LISTED_ELEMENT
});

/// Those without a formulation of their own.
inline std::vector<Element> standard_solids() {
  std::vector<Element> all;
  for (const Element type : solids) {
    if (is_plain(type)) all.push_back(type);
  }
  return all;
}

inline std::vector<Element> standard_elements() {
  std::vector<Element> all = standard_solids();
  all.insert(all.end(), plane_elements.begin(), plane_elements.end());
  return all;
}

inline int nodes_of(Element type) {
  return mesh::node_count(fem::cell_of(type));
}

/// Zeros.
inline Dense square(std::size_t size) {
  return {static_cast<std::int64_t>(size), static_cast<std::int64_t>(size)};
}

/// Isotropic elasticity, [6, 6].
inline Dense isotropic(double young, double poisson) {
  Dense d(6, 6);
  const double shear = young / (2 * (1 + poisson));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) d(i, j) = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    d(i, i) += 2 * shear;
    d(i + 3, i + 3) = shear;
  }
  return d;
}

/// The same D at every point: [p, 36].
inline std::vector<double> at_points(Element type, const Dense& d) {
  std::vector<double> all;
  for (int p = 0; p < point_count(type); ++p) all.insert(all.end(), d.values().begin(), d.values().end());
  return all;
}

/// [3n, 3n]; symmetric, as are mass and elasticity, so that the order of memory does not matter.
inline Dense stiffness_of(Element type, const std::vector<double>& x, const Dense& d) {
  const std::int64_t size = std::int64_t{3} * nodes_of(type);
  Dense k(size, size);
  stiffness(type, x, at_points(type, d), k.values());
  return k;
}

}  // namespace setka::fem::test
