// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/limits.hpp"

#include "setka/bench/timing.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"

namespace setka::bench {
namespace {

exec::Array<double> filled(const exec::Device& device, std::int64_t size, double value) {
  exec::Array<double> x(device, size);
  exec::fill(device, x, value);
  return x;
}

}  // namespace

double copy_rate(const exec::Device& device, std::int64_t size) {
  const exec::Array<double> from = filled(device, size, 1);
  exec::Array<double> to = filled(device, size, 0);
  return 16.0 * static_cast<double>(size) / median_seconds(device, [&] { copy(from, to); });
}

double triad_rate(const exec::Device& device, std::int64_t size) {
  const exec::Array<double> x = filled(device, size, 1);
  const exec::Array<double> y = filled(device, size, 2);
  exec::Array<double> z = filled(device, size, 0);
  return 24.0 * static_cast<double>(size) /
         median_seconds(device, [&] { exec::combine(device, 1.0, x, 3.0, y, z); });
}

}  // namespace setka::bench
