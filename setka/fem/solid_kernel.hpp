// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/annotations.hpp"
#include "setka/fem/element_kernel.hpp"
#include "setka/fem/incompatible_kernel.hpp"
#include "setka/fem/uniform_strain_kernel.hpp"
#include "setka/mesh/element_type.hpp"
#include "setka/mesh/quadrature_kernel.hpp"

/// The solid elements by type, all with the same functions: what a kernel over elements calls.
namespace setka::fem::kernel {

/// x: [nodes, 3]; u, f: [nodes, 3]; d: [points, 36]; strains and stresses: [points, 6]; k, m: [3 nodes, 3
/// nodes].
template <mesh::Shape shape_, class Points_, class TrianglePoints_, class QuadPoints_>
struct StandardSolid {
  static constexpr mesh::Shape shape = shape_;
  using Functions = mesh::ShapeFunctions<shape_>;
  using Points = Points_;
  using TrianglePoints = TrianglePoints_;  // of triangular faces
  using QuadPoints = QuadPoints_;          // of quadrilateral faces
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

template <mesh::ElementType>
struct Solid;

template <>
struct Solid<mesh::ElementType::c3d4>
    : StandardSolid<mesh::Shape::tetra4, mesh::GaussTetra<1>, mesh::GaussTriangle<1>, void> {};

template <>
struct Solid<mesh::ElementType::c3d10>
    : StandardSolid<mesh::Shape::tetra10, mesh::GaussTetra<4>, mesh::GaussTriangle<3>, void> {};

template <>
struct Solid<mesh::ElementType::c3d6>
    : StandardSolid<mesh::Shape::wedge6, mesh::GaussWedge<1, 2>, mesh::GaussTriangle<1>, mesh::GaussQuad<1>> {
};

template <>
struct Solid<mesh::ElementType::c3d15> : StandardSolid<mesh::Shape::wedge15, mesh::GaussWedge<3, 3>,
                                                       mesh::GaussTriangle<3>, mesh::GaussQuad<2>> {};

template <>
struct Solid<mesh::ElementType::c3d8>
    : StandardSolid<mesh::Shape::hexa8, mesh::GaussHexa<2>, void, mesh::GaussQuad<2>> {
  /// One temperature for the whole element, whose strains are about constant too.
  SETKA_HD static void point_temperatures(const double* nodal, double* at) {
    kernel::mean_to_points<nodes, points>(nodal, at);
  }
};

template <>
struct Solid<mesh::ElementType::c3d20>
    : StandardSolid<mesh::Shape::hexa20, mesh::GaussHexa<3>, void, mesh::GaussQuad<3>> {
  /// The trilinear field through the values at the 2 x 2 x 2 points, where it equals that of C3D20R: linear
  /// like the strains, where the nodes' field would be quadratic.
  SETKA_HD static void point_temperatures(const double* nodal, double* at) {
    kernel::trilinear_to_points<Points>(nodal, at);
  }
};

template <>
struct Solid<mesh::ElementType::c3d20r>
    : StandardSolid<mesh::Shape::hexa20, mesh::GaussHexa<2>, void, mesh::GaussQuad<2>> {};

template <>
struct Solid<mesh::ElementType::c3d8i>
    : StandardSolid<mesh::Shape::hexa8, mesh::GaussHexa<2>, void, mesh::GaussQuad<2>> {
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
struct Solid<mesh::ElementType::c3d8r>
    : StandardSolid<mesh::Shape::hexa8, mesh::GaussHexa<1>, void, mesh::GaussQuad<1>> {
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

}  // namespace setka::fem::kernel
