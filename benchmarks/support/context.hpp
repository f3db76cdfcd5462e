// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "setka/exec/device.hpp"
#include "support/limits.hpp"

namespace setka::bench {

/// The devices to measure: the CPU team, and the first GPU when there is one.
std::vector<exec::Device> devices();

/// Registers benchmarks through `add`, with smoke = true when only the smallest sizes are wanted (the option
/// --smoke), writes the machine, commit and flags into the JSON context, and runs. To be called from main().
int run(int argc, char** argv, const std::function<void(bool smoke)>& add);

/// Times each iteration of the work by the device's own clock; returns the median of the seconds, and
/// reports it as the counter median_ms (the time that Google Benchmark shows is their mean).
double measure(benchmark::State& state, const exec::Device& device, const std::function<void()>& work);

/// The same for work that is bound by memory: reports also what share the bytes a call must move reach of a
/// copy and of a triad. On a CPU these are taken in turn with the work.
double measure(benchmark::State& state, const exec::Device& device, MemoryRates& rates, double bytes,
               const std::function<void()>& work);

/// The largest difference of two vectors over the largest entry of the second.
double difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace setka::bench
