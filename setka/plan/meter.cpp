// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/meter.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "setka/base/interrupt.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"

namespace setka::plan {
namespace {

double batch(const exec::Device& device, const std::function<void(std::int64_t)>& work, std::int64_t calls) {
  throw_if_interrupted();
  // Wall time around the wait, not events: a launch that the host is late with counts as well.
  device.synchronize();
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < calls; ++i) work(i);
  device.synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

double seconds_of_one(const exec::Device& device, const std::function<void(std::int64_t)>& work,
                      const Batches& batches, double max_seconds) {
  constexpr std::int64_t max_calls = 1 << 14;
  double spent = batch(device, work, 1);  // warms up
  std::int64_t calls = 1;
  double seconds = batch(device, work, calls);
  spent += seconds;
  while (seconds < batches.seconds && calls < max_calls && spent < max_seconds / 2) {
    const double more = std::clamp(1.2 * batches.seconds / std::max(seconds, 1e-7), 2.0, 50.0);
    calls = std::min(max_calls, static_cast<std::int64_t>(static_cast<double>(calls) * more));
    seconds = batch(device, work, calls);
    spent += seconds;
  }
  std::vector<double> times{seconds};
  while (times.size() < batches.most && spent + seconds <= max_seconds) {
    times.push_back(batch(device, work, calls));
    spent += times.back();
  }
  // The lower of the two in the middle: what disturbs makes it longer.
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle / static_cast<double>(calls);
}

void wake(const exec::Device& device) {
  if (!device.is_cuda()) return;
  constexpr double enough = 0.4;
  constexpr std::int64_t values = 1 << 22;
  constexpr std::int64_t calls = 64;
  exec::Array<double> some(device, values);
  const TimeBudget time(enough, 1);
  while (time.left() > 0) {
    batch(
        device, [&](std::int64_t i) { exec::fill(device, some, static_cast<double>(i)); }, calls);
  }
}

double Meter::seconds(const std::function<void(std::int64_t)>& work) {
  const double found = seconds_of_one(device_, work, batches_, budget_.limit());
  budget_.done();
  return found;
}

void Meter::point(Curve& curve, double size, const std::function<void(std::int64_t)>& work) {
  constexpr std::size_t few = 2;
  if (curve.size.size() >= few && 2 * curve.at(size) > budget_.limit()) {
    ++left_out_;
    budget_.done();
    return;
  }
  const double found = seconds(work);
  curve.size.push_back(size);
  curve.seconds.push_back(found);
}

}  // namespace setka::plan
