// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/limits.hpp"

#include "bench/timing.hpp"
#include "setka/exec/vector.hpp"

namespace setka::bench {

MemoryRates::MemoryRates(const exec::Device& device, std::int64_t size)
    : x_(device, size), y_(device, size), z_(device, size) {
  exec::fill(device, x_, 1.0);
  exec::fill(device, y_, 2.0);
  exec::fill(device, z_, 0.0);
  for (int i = 0; i < 3; ++i) sample();  // to warm up
  forget();
  for (int i = 0; i < 15; ++i) sample();
}

void MemoryRates::forget() {
  copy_seconds_.clear();
  triad_seconds_.clear();
}

void MemoryRates::sample() {
  const exec::Device& device = x_.device();
  const exec::Event begin = device.stream().record();
  exec::copy(x_, z_);
  const exec::Event middle = device.stream().record();
  exec::combine(device, 1.0, x_, 3.0, y_, z_);
  const exec::Event end = device.stream().record();
  copy_seconds_.push_back(middle.seconds_since(begin));
  triad_seconds_.push_back(end.seconds_since(middle));
}

double MemoryRates::copy() const {
  std::vector<double> seconds = copy_seconds_;
  return 16.0 * static_cast<double>(x_.size()) / median(seconds);
}

double MemoryRates::triad() const {
  std::vector<double> seconds = triad_seconds_;
  return 24.0 * static_cast<double>(x_.size()) / median(seconds);
}

}  // namespace setka::bench
