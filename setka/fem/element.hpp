// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/fem/elements.hpp"

/// One linear solid element on the host: C3D4, C3D6, C3D8, C3D8I, C3D8R, C3D10, C3D15, C3D20, C3D20R, with
/// the formulations, integration points and their order of CalculiX 2.20. The arithmetic is in
/// solid_kernel.hpp, for loops over elements on any device.
///
/// n: nodes of the element, p: its integration points; everything row-major. Tensors are in the order
/// xx yy zz xy xz yz; strains have engineering shear; D: [6, 6] maps such strains to stresses. Another type,
/// or a span of another length, is an Error(Fault::usage). Outputs are overwritten.
namespace setka::fem {

/// Whether its stiffness is the sum of B^T D B w alone, which products free of matrices need.
bool is_plain(Element type);

/// None of springs.
int point_count(Element type);

/// K = sum over points of B^T D B w. C3D8I: internal modes eliminated; C3D8R: with hourglass resistance.
/// x: [n, 3]; d: [p, 36]; k: [3n, 3n], all of it.
void stiffness(Element type, std::span<const double> x, std::span<const double> d, std::span<double> k);

/// Consistent mass at the same points as the stiffness; m: [3n, 3n]. CalculiX gives the internal modes of
/// C3D8I mass too: with d: [p, 36] they follow the nodes statically, without it they are left out. Other
/// types do not look at d.
void mass(Element type, std::span<const double> x, double density, std::span<double> m,
          std::span<const double> d = {});

/// u: [n, 3]; e: [p, 6], total strains. Only C3D8I looks at d: [p, 36] and at initial_stress: [p, 6] (what is
/// there without strain, as -D times thermal strain), which moves its internal modes.
void strains(Element type, std::span<const double> x, std::span<const double> u, std::span<const double> d,
             std::span<double> e, std::span<const double> initial_stress = {});

/// f = sum over points of B^T s w, for thermal and initial stresses; stress: [p, 6]; f: [3n]. For initial
/// stresses C3D8I needs d: [p, 36], to let its internal modes follow; without it they are held.
void internal_force(Element type, std::span<const double> x, std::span<const double> stress,
                    std::span<double> f, std::span<const double> d = {});

/// force: [p, 3] per volume; f: [3n]
void body_force(Element type, std::span<const double> x, std::span<const double> force, std::span<double> f);

/// Forces of a pressure on one face, from 0; positive pushes into the element. f: [3n], of all nodes.
void face_pressure(Element type, int face, std::span<const double> x, double pressure, std::span<double> f);

/// Adds to the stiffness what a pressure that turns with its face has in it at displacements u. The sum is
/// that of CalculiX 2.20: k + k', k the derivative of what balances face_pressure() at x + u, which is twice
/// the symmetric part, but the symmetric part itself where the undeformed face's normal is along a global
/// axis. x, u: [n, 3]; k: [3n, 3n]
void add_pressure_stiffness(Element type, int face, std::span<const double> x, std::span<const double> u,
                            double pressure, std::span<double> k);

/// A point of the integration over a face, those of face_pressure().
struct FacePoint {
  std::span<const std::int8_t> nodes;  // of the element that the face has
  std::array<double, 8> shape{};       // values of the shape functions of those nodes
  std::array<double, 3> area{};        // its share of the area times the outward normal
};
std::vector<FacePoint> face_points(Element type, int face, std::span<const double> x);

/// at: [p, 3]
void point_coordinates(Element type, std::span<const double> x, std::span<double> at);

/// w: [p]; their sum is the volume.
void point_volumes(Element type, std::span<const double> x, std::span<double> w);

/// Shape functions at the points; values: [p, n]
void point_shape_values(Element type, std::span<double> values);

/// Temperatures at the points as CalculiX takes them for thermal strains and for materials: those of the
/// shape functions, but the nodes' mean in C3D8 and C3D8I, and a trilinear field in C3D20. nodal: [n]; at:
/// [p]
void point_temperatures(Element type, std::span<const double> nodal, std::span<double> at);

/// From points to nodes as CalculiX does for the .frd file, before it averages over elements.
/// at_points: [p, components]; at_nodes: [n, components]
void extrapolate(Element type, int components, std::span<const double> at_points, std::span<double> at_nodes);

/// det(dx/dr) at the points and the corner nodes: where the least is not positive, the element is inside out
/// or flat there. scaled: the least, over the corners, of the volume that the edges' directions span there,
/// over that of the ideal shape (a cube, a regular tetrahedron, a wedge over a regular triangle, which have
/// 1); 0 where an edge has no direction.
struct JacobianRange {
  double least;
  double most;
  double scaled;
};
JacobianRange jacobian_range(Element type, std::span<const double> x);

/// The same alone: smallest det(dx/dr); not positive: inside out or flat.
double least_jacobian(Element type, std::span<const double> x);

}  // namespace setka::fem
