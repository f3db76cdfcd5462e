// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "setka/model/model.hpp"

namespace setka::analysis {

enum class SpringKind : std::uint8_t {
  grounded,  // holds one node along a direction
  relative,  // ties a direction of one node to a direction of another
  axial,     // acts along the line between two nodes
};

/// A spring, linear or with a curve. As in CalculiX a linear step has the slope of the curve where the spring
/// is not stretched; the force is that of the curve.
struct Spring {
  SpringKind kind;
  double constant = 0;                                // force per length; of a curve its slope at zero
  int first_direction = 1;                            // 1..3, of grounded and relative ones
  int second_direction = 1;                           // of relative ones
  const model::LocalSystem* system = nullptr;         // whose directions they are, at each node; null: global
  std::span<const std::array<double, 2>> curve = {};  // elongation, rising, and force; empty: linear

  /// The change of length is g times the displacements, linear about the place x. g: [3n], the rest zero
  std::array<double, 6> gradient(std::span<const double> x) const;

  /// What a spring answers to a change of its length.
  struct Response {
    double force;
    double slope;   // beyond a bend that of the longer side
    double energy;  // since zero
  };
  Response response(double change) const;

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
