// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/modal_sum.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::dynamics {

double correlation(const DampedFrequency& a, const DampedFrequency& b) {
  const double r = b.angular_frequency / a.angular_frequency;
  const double s = a.damping;
  const double t = b.damping;
  const double above = 8 * std::sqrt(s * t) * (s + r * t) * r * std::sqrt(r);
  const double apart = 1 - r * r;
  const double below = apart * apart + 4 * s * t * r * (1 + r * r) + 4 * (s * s + t * t) * r * r;
  if (below == 0) return 1;  // equal frequencies without damping
  return above / below;
}

ModalCombination::ModalCombination(ModalRule rule, std::vector<DampedFrequency> modes)
    : rule_(rule), count_(modes.size()) {
  if (rule != ModalRule::cqc && rule != ModalRule::ten_percent) return;
  coupling_.assign(count_ * count_, 0.0);
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t j = i + 1; j < count_; ++j) {
      const double lower = std::min(modes[i].angular_frequency, modes[j].angular_frequency);
      const double upper = std::max(modes[i].angular_frequency, modes[j].angular_frequency);
      coupling_[i * count_ + j] = rule == ModalRule::cqc         ? correlation(modes[i], modes[j])
                                  : upper - lower <= 0.1 * lower ? 1.0
                                                                 : 0.0;
    }
  }
}

double ModalCombination::operator()(std::span<const double> responses) const {
  require(responses.size() == count_,
          [&] { return fmt::format("{} responses of {} modes", responses.size(), count_); });
  double sum = 0;
  if (rule_ == ModalRule::absolute) {
    for (const double r : responses) sum += std::abs(r);
    return sum;
  }
  for (const double r : responses) sum += r * r;
  if (!coupling_.empty()) {
    for (std::size_t i = 0; i < count_; ++i) {
      double with = 0;
      for (std::size_t j = i + 1; j < count_; ++j) {
        const double product = responses[i] * responses[j];
        with += coupling_[i * count_ + j] * (rule_ == ModalRule::ten_percent ? std::abs(product) : product);
      }
      sum += 2 * with;
    }
  }
  return std::sqrt(std::max(sum, 0.0));  // rounding may leave less than nothing
}

}  // namespace setka::dynamics
