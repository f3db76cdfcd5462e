// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/superposition.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {

namespace {

/// exp(A): Taylor's series of A over a power of two, squared as often.
Dense exponential(Dense a) {
  double norm = 0;
  for (std::int64_t j = 0; j < a.columns(); ++j) {
    double sum = 0;
    for (const double value : a.column(j)) sum += std::abs(value);
    norm = std::max(norm, sum);
  }
  const int halvings = norm > 0.25 ? static_cast<int>(std::ceil(std::log2(norm / 0.25))) : 0;
  const double scale = std::ldexp(1.0, -halvings);
  for (double& value : a.values()) value *= scale;
  constexpr int terms = 12;  // 0.25^13 / 13! is below rounding
  Dense sum = Dense::identity(a.rows());
  for (int k = terms; k >= 1; --k) {
    sum = product(a, sum);
    for (double& value : sum.values()) value /= k;
    for (std::int64_t i = 0; i < sum.rows(); ++i) sum(i, i) += 1;
  }
  for (int k = 0; k < halvings; ++k) sum = product(sum, sum);
  return sum;
}

}  // namespace

ModalMotion::ModalMotion(std::vector<Oscillator> modes, Dense coupling)
    : modes_(std::move(modes)), coupling_(std::move(coupling)), state_(modes_.size()) {
  const auto count = static_cast<std::int64_t>(modes_.size());
  require(coupling_.rows() == 0 || (coupling_.rows() == count && coupling_.columns() == count), [&] {
    return fmt::format("a coupling of [{} x {}] for {} modes", coupling_.rows(), coupling_.columns(), count);
  });
  double largest = 0;
  for (const Oscillator& mode : modes_) largest = std::max(largest, std::abs(mode.stiffness));
  if (largest > 0) rate_ = std::sqrt(largest);
}

std::vector<double> ModalMotion::coupling_forces() const {
  std::vector<double> forces(modes_.size(), 0.0);
  for (std::int64_t j = 0; j < coupling_.columns(); ++j) {
    for (std::int64_t i = 0; i < coupling_.rows(); ++i)
      forces[static_cast<std::size_t>(i)] -= coupling_(i, j) * state_[static_cast<std::size_t>(j)].velocity;
  }
  return forces;
}

void ModalMotion::advance_coupled(double length, std::span<const double> before,
                                  std::span<const double> after) {
  const auto count = static_cast<std::int64_t>(modes_.size());
  if (length != length_ || coupled_step_.rows() == 0) {
    require(length > 0, [&] { return fmt::format("a step of modes of length {}", length); });
    // d/dt of (rate q, v, f, change of f over the step), times the length of the step
    Dense a(4 * count, 4 * count);
    for (std::int64_t i = 0; i < count; ++i) {
      const Oscillator& mode = modes_[static_cast<std::size_t>(i)];
      a(i, count + i) = rate_ * length;
      a(count + i, i) = -mode.stiffness / rate_ * length;
      for (std::int64_t j = 0; j < count; ++j) a(count + i, count + j) = -coupling_(i, j) * length;
      a(count + i, count + i) -= mode.damping * length;
      a(count + i, 2 * count + i) = length;
      a(2 * count + i, 3 * count + i) = 1;
    }
    coupled_step_ = Dense(exponential(std::move(a)).view().block(0, 0, 2 * count, 4 * count));
    length_ = length;
  }
  Dense from(4 * count, 1);
  for (std::int64_t j = 0; j < count; ++j) {
    const auto i = static_cast<std::size_t>(j);
    from(j, 0) = rate_ * state_[i].position;
    from(count + j, 0) = state_[i].velocity;
    from(2 * count + j, 0) = before[i];
    from(3 * count + j, 0) = after[i] - before[i];
  }
  const Dense to = product(coupled_step_, from);
  for (std::int64_t j = 0; j < count; ++j)
    state_[static_cast<std::size_t>(j)] = {to(j, 0) / rate_, to(count + j, 0)};
}

void ModalMotion::set_state(std::vector<Motion> state) {
  require(state.size() == modes_.size(),
          [&] { return fmt::format("a state of {} modes for {} modes", state.size(), modes_.size()); });
  state_ = std::move(state);
}

void ModalMotion::advance(double length, std::span<const double> before, std::span<const double> after) {
  require(before.size() == modes_.size() && after.size() == modes_.size(), [&] {
    return fmt::format("loads of {} and {} modes for {} modes", before.size(), after.size(), modes_.size());
  });
  if (coupling_.rows() > 0) return advance_coupled(length, before, after);
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
