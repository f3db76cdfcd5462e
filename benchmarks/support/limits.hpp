// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"

namespace setka::bench {

/// Rates of memory, read plus written, with vectors of that many doubles: what other benchmarks are held
/// against. Other programs on the same machine take their share of its memory, now more, now less; a rate
/// taken once says little there, so that it can be taken again, in turn with what is measured.
class MemoryRates {
 public:
  MemoryRates(const exec::Device& device, std::int64_t size);

  /// Starts anew: the rates are those of the samples that follow.
  void forget();
  void sample();

  /// Bytes a second by the median of the samples.
  double copy() const;
  double triad() const;  // z = x + a y

 private:
  exec::Array<double> x_;
  exec::Array<double> y_;
  exec::Array<double> z_;
  std::vector<double> copy_seconds_;
  std::vector<double> triad_seconds_;
};

}  // namespace setka::bench
