// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

namespace setka::analysis {

enum class SpringKind : std::uint8_t {
  grounded,  // holds one node along a global direction
  relative,  // ties a direction of one node to a direction of another
  axial,     // acts along the line between two nodes
};

/// A linear spring.
struct Spring {
  SpringKind kind;
  double constant = 0;       // force per length
  int first_direction = 1;   // 1..3, of grounded and relative ones
  int second_direction = 1;  // of relative ones

  /// On the undeformed place; x: [n, 3]; k: [3n, 3n], overwritten.
  void stiffness(std::span<const double> x, std::span<double> k) const;

  /// The derivative of force() at displacements u: for an axial spring that of the line between the displaced
  /// nodes, which its force also holds from turning. k: [3n, 3n], overwritten.
  void stiffness_at(std::span<const double> x, std::span<const double> u, std::span<double> k) const;

  /// What the force that small displacements u make holds an axial spring from turning with; zero of others.
  /// k: [3n, 3n], overwritten.
  void stress_stiffness(std::span<const double> x, std::span<const double> u, std::span<double> k) const;

  /// Of a dashpot: the derivative of its force by velocities of its ends on the undeformed place, as
  /// stiffness().
  static void damping(double constant, std::span<const double> x, std::span<double> c);

  /// What holds the spring at displacements u: [n, 3]; f: [3n], overwritten. Returns its energy. As in
  /// CalculiX, whose linear steps do so too, an axial spring pulls along the line between the displaced
  /// nodes, by the change of their distance.
  double force(std::span<const double> x, std::span<const double> u, std::span<double> f) const;
};

}  // namespace setka::analysis
