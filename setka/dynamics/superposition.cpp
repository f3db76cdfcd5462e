// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/superposition.hpp"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {

ModalMotion::ModalMotion(std::vector<Oscillator> modes) : modes_(std::move(modes)), state_(modes_.size()) {}

void ModalMotion::set_state(std::vector<Motion> state) {
  require(state.size() == modes_.size(),
          [&] { return fmt::format("a state of {} modes for {} modes", state.size(), modes_.size()); });
  state_ = std::move(state);
}

void ModalMotion::advance(double length, std::span<const double> before, std::span<const double> after) {
  require(before.size() == modes_.size() && after.size() == modes_.size(), [&] {
    return fmt::format("loads of {} and {} modes for {} modes", before.size(), after.size(), modes_.size());
  });
  if (length != length_ || steps_.empty()) {
    steps_.clear();
    for (const Oscillator& mode : modes_) steps_.emplace_back(mode, length);
    length_ = length;
  }
  for (std::size_t j = 0; j < modes_.size(); ++j)
    state_[j] = steps_[j].advance(state_[j], before[j], after[j]);
}

Oscillator damped_by_ratio(double stiffness, double ratio) {
  return {stiffness, stiffness > 0 ? 2 * ratio * std::sqrt(stiffness) : 0.0};
}

Oscillator damped_by_rayleigh(double stiffness, double by_mass, double by_stiffness) {
  return {stiffness, by_mass + by_stiffness * stiffness};
}

}  // namespace setka::dynamics
