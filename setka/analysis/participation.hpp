// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/operator.hpp"

namespace setka::analysis {

/// How modes take part in the six rigid motions: translations along and rotations about x, y and z through
/// the origin, of the unknowns alone. What is held does not move and has no part, as in CalculiX.
struct Participation {
  std::vector<std::array<double, 6>> factors;  // [modes] x' M r
  std::array<double, 6> total_mass{};          // r' M r
};

/// r: [places, 6], rigid motions in the directions of the unknowns. Those that no node of the mesh has, such
/// as changes of thickness, stay at rest.
std::vector<double> rigid_motions(const Setup& setup, const fem::Constraints& of_users,
                                  const fem::Space& space, int threads);

/// of_users: constraints of what the user moves; mass: products over the places, on any device; shapes:
/// [unknowns, modes], M-orthonormal. Sums have an order of their own, whatever the number of threads.
Participation participation_factors(const Setup& setup, const fem::Constraints& of_users,
                                    const fem::Space& space, const solve::Operator& mass,
                                    std::span<const double> shapes, std::size_t modes, int threads);

}  // namespace setka::analysis
