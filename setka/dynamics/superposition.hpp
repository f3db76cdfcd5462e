// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "setka/dynamics/oscillator.hpp"

namespace setka::dynamics {

/// Modes in motion: each an oscillator of its own under its modal load.
class ModalMotion {
 public:
  explicit ModalMotion(std::vector<Oscillator> modes);

  std::size_t count() const { return modes_.size(); }
  std::span<const Oscillator> modes() const { return modes_; }
  std::span<const Motion> state() const { return state_; }
  void set_state(std::vector<Motion> state);

  /// A time step in which loads are linear in time; before, after: [modes]. Exact. A step as long as the one
  /// before it costs no exponentials.
  void advance(double length, std::span<const double> before, std::span<const double> after);

 private:
  std::vector<Oscillator> modes_;
  std::vector<Motion> state_;
  std::vector<OscillatorStep> steps_;
  double length_ = 0;
};

/// The ratio of critical damping as the damping of an oscillator; of a rigid motion it is none.
Oscillator damped_by_ratio(double stiffness, double ratio);

/// C = by_mass M + by_stiffness K
Oscillator damped_by_rayleigh(double stiffness, double by_mass, double by_stiffness);

}  // namespace setka::dynamics
