// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/timing.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/interrupt.hpp"

namespace setka::bench {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_seconds(const exec::Device& device, const std::function<void()>& work, int repeats,
                      int warm_ups) {
  for (int i = 0; i < warm_ups; ++i) {
    throw_if_interrupted();
    work();
  }
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    throw_if_interrupted();
    const exec::Event begin = device.stream().record();
    work();
    times.push_back(device.stream().record().seconds_since(begin));
  }
  return median(times);
}

std::string lack_of_memory(const exec::Device& device, double bytes) {
  const auto free = static_cast<double>(device.info().free_memory);
  if (bytes <= free) return {};
  return fmt::format("needs about {:.1f} GB, but {} has {:.1f} GB free", 1e-9 * bytes, device.label(),
                     1e-9 * free);
}

std::string unless_out_of_memory(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.fault() != Fault::resource) throw;
    return error.message();
  }
  return {};
}

}  // namespace setka::bench
