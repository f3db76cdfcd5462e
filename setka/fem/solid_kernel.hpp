// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/incompatible_kernel.hpp"
#include "setka/fem/uniform_strain_kernel.hpp"
#include "setka/mesh/quadrature_kernel.hpp"

/// The solid elements by type, all with the same functions: what a kernel over elements calls.
namespace setka::fem::kernel {

/// Cell and integration points as the list has them.
template <Element>
struct Listed;
#define SETKA_LISTED(name, cell_, integration_, points_, triangle_points_, quad_points_) \
  template <>                                                                            \
  struct Listed<Element::name> {                                                         \
    static constexpr mesh::Cell cell = mesh::Cell::cell_;                                \
    using Points = mesh::points_;                                                        \
    using TrianglePoints = mesh::triangle_points_;                                       \
    using QuadPoints = mesh::quad_points_;                                               \
  };
SETKA_SOLID_ELEMENTS(SETKA_LISTED)
#undef SETKA_LISTED
#define SETKA_LISTED(name, cell_, integration_, points_)  \
  template <>                                             \
  struct Listed<Element::name> {                          \
    static constexpr mesh::Cell cell = mesh::Cell::cell_; \
    using Points = mesh::points_;                         \
  };
SETKA_PLANE_ELEMENTS(SETKA_LISTED)
#undef SETKA_LISTED

/// What every listed element has.
template <Element element>
struct Integrated {
  using Functions = mesh::ShapeFunctions<Listed<element>::cell>;
  using Points = typename Listed<element>::Points;
  static constexpr int nodes = Functions::nodes;
  static constexpr int dimension = Functions::dimension;
  static constexpr int points = Points::points;
};

/// x: [nodes, 3]; u, f: [nodes, 3]; d: [points, 36]; strains and stresses: [points, 6]; k, m: [3 nodes, 3
/// nodes].
template <Element element>
struct StandardSolid {
  static constexpr mesh::Cell cell = Listed<element>::cell;
  using Functions = mesh::ShapeFunctions<cell>;
  using Points = typename Listed<element>::Points;
  using TrianglePoints = typename Listed<element>::TrianglePoints;  // of triangular faces
  using QuadPoints = typename Listed<element>::QuadPoints;          // of quadrilateral faces

  /// K = sum of B' D B w, and nothing else: what the loops that know only that may be used for.
  static constexpr bool plain = true;
  static constexpr int nodes = Functions::nodes;
  static constexpr int points = Points::points;

  SETKA_HD static void stiffness(const double* x, const double* d, double* k) {
    kernel::stiffness<Functions, Points>(x, d, k);
  }
  /// Only elements with internal modes look at d, which may be null for the others.
  SETKA_HD static void mass(const double* x, double density, const double* /*d*/, double* m) {
    kernel::mass<Functions, Points>(x, density, m);
  }
  SETKA_HD static void strains(const double* x, const double* u, const double* /*d*/,
                               const double* /*initial*/, double* e) {
    kernel::strains<Functions, Points>(x, u, e);
  }
  SETKA_HD static void internal_force(const double* x, const double* stress, const double* /*d*/, double* f) {
    kernel::internal_force<Functions, Points>(x, stress, f);
  }
  SETKA_HD static void body_force(const double* x, const double* force, double* f) {
    kernel::body_force<Functions, Points>(x, force, f);
  }
  SETKA_HD static void point_coordinates(const double* x, double* at) {
    kernel::point_coordinates<Functions, Points>(x, at);
  }
  SETKA_HD static void point_volumes(const double* x, double* w) {
    kernel::point_volumes<Functions, Points>(x, w);
  }
  /// nodal: [nodes]; at: [points]
  SETKA_HD static void point_temperatures(const double* nodal, double* at) {
    kernel::interpolate<Functions, Points>(nodal, at);
  }
};

template <Element element>
struct Solid : StandardSolid<element> {};

template <>
struct Solid<Element::hex8> : StandardSolid<Element::hex8> {
  /// One temperature for the whole element, whose strains are about constant too.
  SETKA_HD static void point_temperatures(const double* nodal, double* at) {
    kernel::mean_to_points<nodes, points>(nodal, at);
  }
};

template <>
struct Solid<Element::hex20> : StandardSolid<Element::hex20> {
  /// The trilinear field through the values at the 2 x 2 x 2 points, where it equals that of hex20_reduced:
  /// linear like the strains, where the nodes' field would be quadratic.
  SETKA_HD static void point_temperatures(const double* nodal, double* at) {
    kernel::trilinear_to_points<Points>(nodal, at);
  }
};

template <>
struct Solid<Element::hex8_incompatible> : StandardSolid<Element::hex8_incompatible> {
  static constexpr bool plain = false;
  SETKA_HD static void stiffness(const double* x, const double* d, double* k) {
    Incompatible::stiffness(x, d, k);
  }
  SETKA_HD static void mass(const double* x, double density, const double* d, double* m) {
    if (d == nullptr) return kernel::mass<Functions, Points>(x, density, m);
    Incompatible::mass(x, density, d, m);
  }
  SETKA_HD static void strains(const double* x, const double* u, const double* d, const double* initial,
                               double* e) {
    Incompatible::strains(x, u, d, initial, e);
  }
  SETKA_HD static void internal_force(const double* x, const double* stress, const double* d, double* f) {
    Incompatible::internal_force(x, stress, d, f);
  }
  SETKA_HD static void point_temperatures(const double* nodal, double* at) {
    kernel::mean_to_points<nodes, points>(nodal, at);
  }
};

template <>
struct Solid<Element::hex8_uniform> : StandardSolid<Element::hex8_uniform> {
  static constexpr bool plain = false;
  SETKA_HD static void stiffness(const double* x, const double* d, double* k) {
    UniformStrain::stiffness(x, d, k);
  }
  SETKA_HD static void mass(const double* x, double density, const double* /*d*/, double* m) {
    UniformStrain::mass(x, density, m);
  }
  SETKA_HD static void strains(const double* x, const double* u, const double* /*d*/,
                               const double* /*initial*/, double* e) {
    UniformStrain::strains(x, u, e);
  }
  SETKA_HD static void internal_force(const double* x, const double* stress, const double* /*d*/, double* f) {
    UniformStrain::internal_force(x, stress, f);
  }
  SETKA_HD static void body_force(const double* x, const double* force, double* f) {
    UniformStrain::body_force(x, force, f);
  }
  SETKA_HD static void point_volumes(const double* x, double* w) { w[0] = UniformStrain::volume(x); }
};

/// Whether a form's integral over the points is all there is to it.
template <Element type>
inline constexpr bool is_standard = [] {
  if constexpr (Integrated<type>::dimension == 3) {
    return Solid<type>::plain;
  } else {
    return true;
  }
}();

}  // namespace setka::fem::kernel
