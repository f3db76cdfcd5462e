// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Vector and block operations against the copy bandwidth of the device, measured in the same run.
//
//   exec_bench --benchmark_out=exec.json --benchmark_out_format=json
//
// bytes: what must move, each input read once and each output written once. %_of_copy: their rate over the
// rate of a copy (bytes read and written) of 2^28 doubles on a GPU, 2^25 on the CPU.
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/block.hpp"
#include "setka/exec/vector.hpp"
#include "support/context.hpp"
#include "support/launch_floor.hpp"
#include "support/limits.hpp"

namespace {

using setka::exec::Array;
using setka::exec::Device;
using setka::exec::MultiVector;

struct Sizes {
  std::int64_t vector;
  std::int64_t rows;
};

struct Case {
  Device device;
  double copy_rate;  // bytes a second
};

/// Measures the work and reports the rates of its median time.
template <class Work>
void measure(benchmark::State& state, const Case& on, double bytes, double flops, const Work& work) {
  const double seconds = setka::bench::measure(state, on.device, work);
  state.counters["GB/s"] = 1e-9 * bytes / seconds;
  state.counters["%_of_copy"] = 100 * bytes / seconds / on.copy_rate;
  if (flops > 0) state.counters["GFlop/s"] = 1e-9 * flops / seconds;
}

/// Values that are not zeros and not all equal.
Array<double> values(const Device& device, std::int64_t size, double first) {
  std::vector<double> block(static_cast<std::size_t>(std::min<std::int64_t>(size, 1 << 20)));
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = first + 1e-3 * static_cast<double>(i % 1009);
  const Array<double> piece(device, block);
  Array<double> all(device, size);
  for (std::int64_t at = 0; at < size; at += piece.size()) {
    const std::int64_t count = std::min(piece.size(), size - at);
    setka::exec::copy_async<double>(device, piece.view().part(0, count), all.view().part(at, count));
  }
  device.synchronize();
  return all;
}

template <class Body>
void add_case(const std::string& name, const Case& on, std::int64_t size, Body body) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", name, on.device.label(), size).c_str(), body)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void add_vector_cases(const Case& on, std::int64_t size) {
  const auto n = static_cast<double>(size);
  add_case("copy", on, size, [=](benchmark::State& state) {
    const Array<double> x = values(on.device, size, 1);
    Array<double> y = values(on.device, size, 2);
    measure(state, on, 16 * n, 0, [&] { copy(x, y); });
  });
  add_case("triad", on, size, [=](benchmark::State& state) {
    const Array<double> x = values(on.device, size, 1);
    const Array<double> y = values(on.device, size, 2);
    Array<double> z = values(on.device, size, 3);
    measure(state, on, 24 * n, 3 * n, [&] { setka::exec::combine(on.device, 1.0, x, 3.0, y, z); });
  });
  add_case("axpy", on, size, [=](benchmark::State& state) {
    const Array<double> x = values(on.device, size, 1);
    Array<double> y = values(on.device, size, 2);
    measure(state, on, 24 * n, 2 * n, [&] { setka::exec::axpy(on.device, 1e-9, x, y); });
  });
  add_case("dot", on, size, [=](benchmark::State& state) {
    const Array<double> x = values(on.device, size, 1);
    const Array<double> y = values(on.device, size, 2);
    Array<double> result(on.device, 1);
    measure(state, on, 16 * n, 2 * n, [&] { setka::exec::dot_to(on.device, x, y, result); });
  });
}

void add_block_cases(const Case& on, std::int64_t rows, std::int64_t columns) {
  const auto n = static_cast<double>(rows);
  const auto p = static_cast<double>(columns);
  const auto name = [&](const char* what) { return fmt::format("{}_{}_columns", what, columns); };
  const auto block = [=](double first) {
    MultiVector<double> x(on.device, rows, columns);
    copy(values(on.device, rows * columns, first), x.values());
    return x;
  };
  add_case(name("inner"), on, rows, [=](benchmark::State& state) {
    const MultiVector<double> x = block(1);
    const MultiVector<double> y = block(2);
    MultiVector<double> s(on.device, columns, columns);
    measure(state, on, 16 * n * p, 2 * n * p * p, [&] { setka::exec::inner(on.device, x, y, s); });
  });
  add_case(name("multiply_small"), on, rows, [=](benchmark::State& state) {
    const MultiVector<double> x = block(1);
    MultiVector<double> y = block(2);
    MultiVector<double> s(on.device, columns, columns);
    copy(values(on.device, columns * columns, 0.5), s.values());
    measure(state, on, 16 * n * p, 2 * n * p * p,
            [&] { setka::exec::multiply_small(on.device, 1.0, x, s, 0.0, y); });
  });
  add_case(name("column_dots"), on, rows, [=](benchmark::State& state) {
    const MultiVector<double> x = block(1);
    const MultiVector<double> y = block(2);
    Array<double> d(on.device, columns);
    measure(state, on, 16 * n * p, 2 * n * p, [&] { setka::exec::column_dots(on.device, x, y, d); });
  });
  add_case(name("axpby_columns"), on, rows, [=](benchmark::State& state) {
    const MultiVector<double> x = block(1);
    MultiVector<double> y = block(2);
    const Array<double> a = values(on.device, columns, 1e-9);
    const Array<double> b = values(on.device, columns, 0);
    measure(state, on, 24 * n * p, 3 * n * p, [&] { setka::exec::axpby_columns(on.device, a, x, b, y); });
  });
}

/// One small operation after another without waiting, and with a wait after each.
void add_latency_cases(const Case& on) {
  add_case("launch_latency", on, 1, [=](benchmark::State& state) {
    constexpr int launches = 200;
    Array<double> x(on.device, 1);
    const setka::exec::Stream stream = on.device.stream();
    const double floor = setka::bench::median_seconds(on.device, [&] {
      for (int i = 0; i < launches; ++i) setka::bench::launch_empty_kernel(stream);
    });
    const double seconds = setka::bench::measure(state, on.device, [&] {
      for (int i = 0; i < launches; ++i) setka::exec::fill(on.device, x, 1.0);
    });
    state.counters["us_per_launch"] = 1e6 * seconds / launches;
    if (on.device.is_cuda()) state.counters["%_of_floor"] = 100 * floor / seconds;
  });
  add_case("dot_to_host_latency", on, 1, [=](benchmark::State& state) {
    Array<double> x(on.device, 1);
    setka::exec::fill(on.device, x, 1.0);
    setka::bench::measure(state, on.device,
                          [&] { benchmark::DoNotOptimize(setka::exec::dot(on.device, x, x)); });
  });
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const std::int64_t large = smoke              ? 10000
                                 : device.is_cuda() ? std::int64_t{1} << 28
                                                    : std::int64_t{1} << 25;
      const std::int64_t rows = smoke ? 1000 : device.is_cuda() ? 1'800'000 : 200'000;
      const Case on{device, setka::bench::MemoryRates(device, large).copy()};
      add_vector_cases(on, large);
      if (!smoke) add_vector_cases(on, large >> 8);
      for (const std::int64_t columns : {8, 16, 30, 32, 64}) add_block_cases(on, rows, columns);
      add_latency_cases(on);
    }
  });
}
