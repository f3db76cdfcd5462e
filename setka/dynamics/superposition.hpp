// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/dynamics/oscillator.hpp"

namespace setka::dynamics {

/// Modes in motion: each an oscillator of its own under its modal load, unless dashpots couple them.
class ModalMotion {
 public:
  /// coupling: [modes, modes], symmetric, what resists the velocities beside the damping of each mode; of
  /// size 0: nothing.
  explicit ModalMotion(std::vector<Oscillator> modes, Dense coupling = {});

  std::size_t count() const { return modes_.size(); }
  std::span<const Oscillator> modes() const { return modes_; }
  std::span<const Motion> state() const { return state_; }
  void set_state(std::vector<Motion> state);

  /// A time step in which loads are linear in time; before, after: [modes]. Exact. A step as long as the one
  /// before it costs no exponentials; where modes are coupled that is one of a matrix, and products with it.
  void advance(double length, std::span<const double> before, std::span<const double> after);

  /// The force of the coupling on each mode.
  std::vector<double> coupling_forces() const;

 private:
  void advance_coupled(double length, std::span<const double> before, std::span<const double> after);

  std::vector<Oscillator> modes_;
  Dense coupling_;
  Dense coupled_step_;  // [2 modes, 4 modes], of positions times rate_, velocities, loads, their changes
  double rate_ = 1;     // 1 over time, by which positions have the size of velocities
  std::vector<Motion> state_;
  std::vector<OscillatorStep> steps_;
  double length_ = 0;
};

/// The ratio of critical damping as the damping of an oscillator; of a rigid motion it is none.
Oscillator damped_by_ratio(double stiffness, double ratio);

/// C = by_mass M + by_stiffness K
Oscillator damped_by_rayleigh(double stiffness, double by_mass, double by_stiffness);

}  // namespace setka::dynamics
