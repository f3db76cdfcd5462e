// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Stationary heat by Jacobi's sweeps: on the device, and in pyramids of planes from host memory.
//
//   grid_bench --benchmark_out=grid.json --benchmark_out_format=json
//
// jacobi_H: the whole grid on the device, H sweeps of a block while it is in the cache (H = 1: plain sweeps,
// H = 0: chosen); red_black: successive over-relaxation. pyramid_SHAPE_hH: n^3 doubles on the host, 2 GiB of
// a GPU (64 MiB of a CPU); chosen: the height that the model chooses with what is measured here first. Times
// are of one sweep. transfer_floor_ms: u and f up once in H sweeps at the rate of pinned memory in the same
// run; compute_floor_ms: 24 bytes a node at the rate of a copy on the device; over_limit: the time over the
// larger of the two (their sum on a CPU, where nothing overlaps).
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/grid/stationary.hpp"
#include "setka/plan/calibrate.hpp"
#include "setka/plan/decide.hpp"
#include "support/context.hpp"
#include "support/limits.hpp"

namespace {

using setka::exec::Array;
using setka::exec::Device;
using setka::grid::PyramidOptions;
using setka::grid::PyramidShape;
using setka::grid::StationaryHeat;
using setka::grid::StationaryOptions;

StationaryHeat cube(std::int64_t n) {
  return StationaryHeat({{n, 1, 1}, {n, 1, 1}, {n, 1, 1}});
}

/// What a device is held against; measured when it is first asked for.
struct Machine {
  Device device;
  bool smoke;
  std::optional<double> copy_rate;
  std::optional<setka::plan::DeviceProfile> profile;

  double copy() {
    if (!copy_rate) {
      const std::int64_t size = smoke ? 1 << 16 : device.is_cuda() ? 1 << 28 : 1 << 25;
      copy_rate = setka::bench::MemoryRates(device, size).copy();
    }
    return *copy_rate;
  }
  const setka::plan::DeviceProfile& measured() {
    setka::Monitor monitor;
    if (!profile) profile = setka::plan::calibrate(device, smoke, monitor);
    return *profile;
  }
};

/// u and f on the host, made once for all heights.
struct HostGrid {
  Array<double> u, f;

  explicit HostGrid(std::int64_t nodes)
      : u(setka::exec::pinned_array<double>(Device::cpu(), nodes)),
        f(setka::exec::pinned_array<double>(Device::cpu(), nodes)) {
    setka::exec::fill(u.device(), u, 0.5);
    setka::exec::fill(f.device(), f, 0.25);
  }
};

void add_in_core(const std::shared_ptr<Machine>& on, std::int64_t n, int height) {
  const std::string what = height < 0 ? "red_black" : fmt::format("jacobi_{}", height);
  benchmark::RegisterBenchmark(fmt::format("{}/{}^3/{}", what, n, on->device.label()).c_str(),
                               [=](benchmark::State& state) {
                                 const StationaryHeat heat = cube(n);
                                 Array<double> u(on->device, heat.nodes());
                                 Array<double> f(on->device, heat.nodes());
                                 setka::exec::fill(on->device, u, 0.5);
                                 setka::exec::fill(on->device, f, 0.25);
                                 StationaryOptions options;
                                 options.sweeps = 16;
                                 options.height = std::max(height, 0);
                                 const double seconds = setka::bench::measure(state, on->device, [&] {
                                   if (height < 0) {
                                     heat.red_black<double>(on->device, u, f, options);
                                   } else {
                                     heat.jacobi<double>(on->device, u, f, options);
                                   }
                                 });
                                 const double floor = 24 * static_cast<double>(heat.nodes()) / on->copy();
                                 state.counters["sweep_ms"] = 1e3 * seconds / 16;
                                 state.counters["compute_floor_ms"] = 1e3 * floor;
                                 state.counters["over_limit"] = seconds / 16 / floor;
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// height 0: the model's choice.
void add_pyramid(const std::shared_ptr<Machine>& on, std::int64_t n, std::uint64_t memory, PyramidShape shape,
                 int height, const std::shared_ptr<std::unique_ptr<HostGrid>>& host) {
  benchmark::RegisterBenchmark(
      fmt::format("pyramid_{}_{}/{}^3/{}", name(shape), height == 0 ? "chosen" : fmt::format("h{}", height),
                  n, on->device.label())
          .c_str(),
      [=](benchmark::State& state) {
        const StationaryHeat heat = cube(n);
        if (*host == nullptr) *host = std::make_unique<HostGrid>(heat.nodes());
        PyramidOptions pyramid;
        pyramid.shape = shape;
        pyramid.memory = memory;
        pyramid.height =
            height > 0 ? height : setka::plan::best_pyramid(on->measured(), heat, 8, memory, shape).height;
        const auto layout = setka::grid::pyramid_layout(heat, 8, memory, pyramid);
        StationaryOptions options;
        const std::int64_t passes = std::max(3, (on->smoke ? 4 : 60) / pyramid.height);
        options.sweeps = passes * pyramid.height;
        std::vector<double> times;
        for (auto _ : state) {
          const auto begin = on->device.stream().record();
          setka::grid::pyramid_jacobi<double>(on->device, heat, (*host)->u.host(), (*host)->f.host(), options,
                                              pyramid);
          times.push_back(on->device.stream().record().seconds_since(begin));
          state.SetIterationTime(times.back());
        }
        const double sweep = setka::bench::median(times) / static_cast<double>(options.sweeps);
        const auto& measured = on->measured();
        const double bytes = 8 * static_cast<double>(heat.nodes());
        const double transfer = 2 * bytes / measured.up_pinned.rate / pyramid.height;
        const double compute = 3 * bytes / on->copy();
        const double limit = on->device.is_cuda() ? std::max(transfer, compute) : transfer + compute;
        const double predicted = setka::plan::pyramid_passes(measured, heat, 8, layout, passes).seconds() /
                                 static_cast<double>(options.sweeps);
        state.counters["height"] = pyramid.height;
        state.counters["planes"] = static_cast<double>(layout.planes);
        state.counters["blocks"] = static_cast<double>(layout.blocks);
        state.counters["device_MiB"] = static_cast<double>(layout.bytes >> 20);
        state.counters["sweep_ms"] = 1e3 * sweep;
        state.counters["transfer_floor_ms"] = 1e3 * transfer;
        state.counters["compute_floor_ms"] = 1e3 * compute;
        state.counters["over_limit"] = sweep / limit;
        state.counters["predicted_ms"] = 1e3 * predicted;
      })
      ->UseManualTime()
      ->Iterations(on->smoke ? 1 : 3)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  return setka::bench::run(argc, argv, [](bool smoke) {
    for (const Device& device : setka::bench::devices()) {
      const bool gpu = device.is_cuda();
      const auto on = std::make_shared<Machine>(Machine{device, smoke, {}, {}});
      const std::int64_t n = smoke ? 20 : gpu ? 800 : 320;
      for (const int height : {1, 0, 4, -1}) add_in_core(on, n, height);
      const std::uint64_t memory = smoke ? std::uint64_t{64000}
                                   : gpu ? std::uint64_t{2} << 30
                                         : std::uint64_t{64} << 20;
      const auto host = std::make_shared<std::unique_ptr<HostGrid>>();
      const std::vector<int> skewed = smoke ? std::vector<int>{0, 2}
                                      : gpu ? std::vector<int>{0, 1, 2, 5, 10, 20, 40, 50, 60, 70, 80, 100}
                                            : std::vector<int>{0, 1, 2, 4, 8, 12};
      for (const int height : skewed) add_pyramid(on, n, memory, PyramidShape::skewed, height, host);
      if (smoke) continue;
      const std::vector<int> overlapping =
          gpu ? std::vector<int>{0, 5, 10, 15, 20} : std::vector<int>{0, 1, 2};
      for (const int height : overlapping)
        add_pyramid(on, n, memory, PyramidShape::overlapping, height, host);
    }
  });
}
