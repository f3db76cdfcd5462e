// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/context.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/base/build_info.hpp"
#include "setka/base/error.hpp"

namespace setka::bench {

namespace {

double timed(benchmark::State& state, const exec::Device& device, const std::function<void()>& work,
             const std::function<void()>& before) {
  for (int i = 0; i < 3; ++i) work();
  device.synchronize();
  std::vector<double> times;
  for (auto _ : state) {
    before();
    const exec::Event begin = device.stream().record();
    work();
    times.push_back(device.stream().record().seconds_since(begin));
    state.SetIterationTime(times.back());
  }
  const double seconds = median(times);
  state.counters["median_ms"] = 1e3 * seconds;
  return seconds;
}

}  // namespace

std::vector<exec::Device> devices() {
  std::vector<exec::Device> found{exec::Device::cpu()};
  if (exec::why_no_cuda().empty()) found.push_back(exec::Device::cuda(0));
  return found;
}

double measure(benchmark::State& state, const exec::Device& device, const std::function<void()>& work) {
  return timed(state, device, work, [] {});
}

double measure(benchmark::State& state, const exec::Device& device, MemoryRates& rates, double bytes,
               const std::function<void()>& work) {
  const bool in_turn = !device.is_cuda();
  if (in_turn) rates.forget();
  const double seconds = timed(state, device, work, [&] {
    if (in_turn) rates.sample();
  });
  state.counters["GB/s"] = 1e-9 * bytes / seconds;
  state.counters["%_of_copy"] = 100 * bytes / seconds / rates.copy();
  state.counters["%_of_triad"] = 100 * bytes / seconds / rates.triad();
  return seconds;
}

int run(int argc, char** argv, const std::function<void(bool)>& add) {
  bool smoke = false;
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--smoke") == 0) {
      smoke = true;
    } else {
      arguments.push_back(argv[i]);
    }
  }
  char least_time[] = "--benchmark_min_time=0.001";
  if (smoke) arguments.push_back(least_time);
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
    return static_cast<int>(ExitCode::usage);

  const BuildInfo& build = build_info();
  benchmark::AddCustomContext("setka",
                              fmt::format("{} {} {}", build.version, build.revision, build.build_type));
  benchmark::AddCustomContext("compiler", fmt::format("{}; nvcc {} for {}", build.compiler,
                                                      build.cuda_compiler, build.cuda_architectures));
  for (const exec::Device& device : devices()) {
    const exec::DeviceInfo info = device.info();
    benchmark::AddCustomContext(device.label(), info.name + ", " + info.description);
  }
  add(smoke);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return most / largest;
}

}  // namespace setka::bench
