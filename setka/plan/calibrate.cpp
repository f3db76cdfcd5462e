// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/calibrate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

#include <fmt/core.h>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat.hpp"
#include "setka/grid/long_vector.hpp"
#include "setka/grid/plane_sweep.hpp"
#include "setka/grid/sweep.hpp"
#include "setka/plan/formulas.hpp"

namespace setka::plan {
namespace {

using exec::Array;
using exec::Device;

double batch(const Device& device, const std::function<void(std::int64_t)>& work, std::int64_t calls) {
  // Wall time around the wait, not events: a launch that the host is late with counts as well.
  device.synchronize();
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < calls; ++i) work(i);
  device.synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Half an octave a step.
std::vector<std::int64_t> sizes(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> found;
  for (int k = 0;; ++k) {
    const auto size =
        static_cast<std::int64_t>(std::llround(static_cast<double>(first) * std::exp2(0.5 * k)));
    if (size > last) return found;
    if (found.empty() || size > found.back()) found.push_back(size);
  }
}

double seconds_of(const Device& device, double batch_seconds, const std::function<void(std::int64_t)>& work) {
  return seconds_of_one(device, work, batch_seconds);
}

void add_point(Curve& curve, double size, double seconds) {
  curve.size.push_back(size);
  curve.seconds.push_back(seconds);
}

/// Vector operations on three arrays in turn, each reading what the last one wrote: caches see the traffic of
/// a step of LongVectorHeat.
void measure_vectors(const Device& device, double batch_seconds, std::int64_t most, DeviceProfile& profile) {
  std::array<Array<double>, 3> v{Array<double>(device, most + 2), Array<double>(device, most + 2),
                                 Array<double>(device, most + 2)};
  for (Array<double>& one : v) exec::fill(device, one, 0.5);
  const exec::Stream stream = device.stream();
  const auto of = [&](std::int64_t call, int k) {
    return v[static_cast<std::size_t>((call + k) % 3)].data();
  };
  for (const std::int64_t n : sizes(64, most)) {
    add_point(profile.curves["add"], static_cast<double>(n),
              seconds_of(device, batch_seconds, [&](std::int64_t i) {
                grid::vector_add<double>(stream, n, of(i, 0) + 1, of(i, 0) + 2, of(i, 1));
              }));
    add_point(profile.curves["saxpy"], static_cast<double>(n),
              seconds_of(device, batch_seconds, [&](std::int64_t i) {
                grid::vector_saxpy<double>(stream, n, 0.5, of(i, 0) + 1, 0.5, of(i, 1) + 1);
              }));
  }
  for (std::int64_t width = 8; width * width <= most; width *= 2) {
    add_point(profile.curves["border"], static_cast<double>(width),
              seconds_of(device, batch_seconds,
                         [&](std::int64_t i) { grid::zero_border(stream, width, of(i, 0)); }));
  }
  profile.launch = seconds_of(device, batch_seconds, [&](std::int64_t) {
    grid::vector_add<double>(stream, 1, of(0, 0), of(0, 0), of(0, 1));
  });
}

/// Sweeps over 1, 2, 4 ... planes of a grid that is larger than any cache; planes as wide as in the paper.
void measure_stencil(const Device& device, double batch_seconds, std::int64_t side, std::int64_t planes,
                     DeviceProfile& profile) {
  const grid::StationaryHeat heat({{planes, 1, 1}, {side, 1, 1}, {side, 1, 1}});
  const Array<double> f(device, heat.nodes());
  Array<double> u(device, heat.nodes());
  Array<double> v(device, heat.nodes());
  exec::fill(device, u, 0.5);
  exec::fill(device, v, 0.5);
  exec::fill(device, exec::View<double>{const_cast<double*>(f.data()), f.size()}, 0.5);
  auto sweep = grid::plane_sweep<double>(heat, 1);
  sweep.f = {f.data(), planes};
  std::vector<std::int64_t> counts{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192};
  std::erase_if(counts, [&](std::int64_t count) { return count > planes - 2; });
  for (const std::int64_t count : counts) {
    const auto nodes = static_cast<double>(count * side * side);
    add_point(profile.curves["stencil"], nodes, seconds_of(device, batch_seconds, [&](std::int64_t i) {
                // One run of planes after the other, from u to v and back when all are through.
                const std::int64_t runs = (planes - 2) / count;
                const bool back = i / runs % 2 == 1;
                sweep.first = 1 + i % runs * count;
                sweep.count = count;
                sweep.in = {back ? v.data() : u.data(), planes};
                sweep.out = {back ? u.data() : v.data(), planes};
                grid::run<double>(device, 3, sweep, nullptr);
              }));
  }
}

void measure_explicit(const Device& device, double batch_seconds, std::int64_t most, DeviceProfile& profile) {
  for (std::int64_t n = 32; n * n <= most; n *= 2) {
    const grid::HeatAxis axis{n, 1.0, 1.0, grid::Ends::periodic};
    const grid::ExplicitHeat heat({axis, axis}, 0.1);
    Array<double> u(device, n * n);
    Array<double> v(device, n * n);
    exec::fill(device, u, 1.0);
    exec::fill(device, v, 1.0);
    add_point(profile.curves["explicit"], static_cast<double>(n * n),
              seconds_of(device, batch_seconds, [&](std::int64_t i) {
                heat.advance<double>(device, i % 2 == 0 ? u : v, i % 2 == 0 ? v : u);
              }));
  }
}

void measure_sweeps(const Device& device, double batch_seconds, std::int64_t most, DeviceProfile& profile) {
  const std::int64_t largest = most;
  std::array<Array<double>, 3> band{Array<double>(device, largest), Array<double>(device, largest),
                                    Array<double>(device, largest)};
  Array<double> d(device, largest);
  Array<double> x(device, largest);
  exec::fill(device, band[0], -1.0);
  exec::fill(device, band[1], 4.0);
  exec::fill(device, band[2], -1.0);
  exec::fill(device, d, 1.0);
  for (const bool constant : {false, true}) {
    for (const bool along : {true, false}) {
      for (const grid::SweepMethod method : {grid::SweepMethod::fused, grid::SweepMethod::split}) {
        for (const std::int64_t rows : sweep_rows) {
          Curve curve;
          for (std::int64_t lines = 64; lines * rows <= most; lines *= 2) {
            const auto matrix = constant
                                    ? grid::Tridiagonal<double>::constant(-1.0, 4.0, -1.0)
                                    : grid::Tridiagonal<double>::each(band[0].view().part(0, lines * rows),
                                                                      band[1].view().part(0, lines * rows),
                                                                      band[2].view().part(0, lines * rows));
            const grid::Lines shape =
                along ? grid::Lines::along(1, {lines, rows}) : grid::Lines::along(0, {rows, lines});
            grid::SweepOptions options;
            options.periodic = true;
            options.method = method;
            add_point(curve, static_cast<double>(lines), seconds_of(device, batch_seconds, [&](std::int64_t) {
                        grid::sweep<double>(device, shape, matrix, d.view().part(0, lines * rows),
                                            x.view().part(0, lines * rows), options);
                      }));
          }
          if (!curve.empty())
            profile.curves[sweep_curve({lines_any, rows, along, constant}, method)] = std::move(curve);
        }
      }
    }
  }
}

}  // namespace

double seconds_of_one(const Device& device, const std::function<void(std::int64_t)>& work,
                      double batch_seconds) {
  batch(device, work, 3);  // warms up
  std::int64_t calls = 4;
  double seconds = batch(device, work, calls);
  while (seconds < batch_seconds && calls < (1 << 14)) {
    calls = std::min<std::int64_t>(
        1 << 14,
        static_cast<std::int64_t>(static_cast<double>(calls) *
                                  std::clamp(1.2 * batch_seconds / std::max(seconds, 1e-7), 2.0, 50.0)));
    seconds = batch(device, work, calls);
  }
  std::array<double, 5> times{};
  times[0] = seconds;
  const std::size_t repeats = seconds > 20 * batch_seconds ? 3 : times.size();
  for (std::size_t i = 1; i < repeats; ++i) times[i] = batch(device, work, calls);
  std::sort(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(repeats));
  return times[repeats / 2] / static_cast<double>(calls);
}

Transfer measure_transfer(const Device& device, bool up, bool pinned, std::int64_t bytes) {
  const Device cpu = Device::cpu();
  Array<char> host = pinned ? exec::pinned_array<char>(cpu, bytes) : Array<char>(cpu, bytes);
  Array<char> there(device, bytes);
  exec::fill<float>(cpu, {reinterpret_cast<float*>(host.data()), bytes / 4}, 1.0F);
  const exec::Stream stream = device.stream();
  const auto seconds = [&](std::int64_t size) {
    return seconds_of_one(device, [&](std::int64_t) {
      if (up) {
        exec::copy_async<char>(stream, {host.data(), size}, {there.data(), size});
      } else {
        exec::copy_async<char>(stream, {there.data(), size}, {host.data(), size});
      }
    });
  };
  const double few = seconds(64);
  const double all = seconds(bytes);
  return {few, static_cast<double>(bytes) / std::max(all - few, 1e-12)};
}

double measure_both_ways(const Device& device, std::int64_t bytes) {
  const Device cpu = Device::cpu();
  Array<char> from = exec::pinned_array<char>(cpu, bytes);
  Array<char> to = exec::pinned_array<char>(cpu, bytes);
  Array<char> a(device, bytes);
  Array<char> b(device, bytes);
  const exec::Stream up = device.make_stream();
  const exec::Stream down = device.make_stream();
  const double seconds = seconds_of_one(device, [&](std::int64_t) {
    exec::copy_async<char>(up, {from.data(), bytes}, {a.data(), bytes});
    exec::copy_async<char>(down, {b.data(), bytes}, {to.data(), bytes});
  });
  return static_cast<double>(bytes) / seconds;
}

DeviceProfile calibrate(const Device& device, bool quick, Monitor& monitor) {
  const bool gpu = device.is_cuda();
  const double batch_seconds = quick ? 2e-5 : 1e-3;
  // Six arrays of so many values take less than two thirds of the memory that is free.
  const auto fits = static_cast<std::int64_t>(device.info().free_memory / 80);
  const auto values = [&](int on_gpu, int on_cpu) {
    return std::min(fits, std::int64_t{1} << (quick ? 12 : gpu ? on_gpu : on_cpu));
  };
  DeviceProfile profile;
  profile.device = device.label();
  profile.hardware = hardware_identity(device);
  profile.date = date_text(std::time(nullptr));
  profile.threads_at_once = threads_at_once(device);
  profile.overlaps = gpu;
  const auto stage = [&](const char* what) {
    return monitor.stage(fmt::format("{}: {}", device.label(), what));
  };
  {
    const auto timed = stage("transfers");
    const std::int64_t bytes = std::int64_t{quick ? 1 : gpu ? 256 : 32} << 20;
    profile.up = measure_transfer(device, true, false, bytes);
    profile.down = measure_transfer(device, false, false, bytes);
    profile.up_pinned = measure_transfer(device, true, true, bytes);
    profile.down_pinned = measure_transfer(device, false, true, bytes);
    profile.both_pinned = measure_both_ways(device, bytes);
  }
  {
    const auto timed = stage("vectors");
    measure_vectors(device, batch_seconds, values(26, 22), profile);
  }
  {
    const auto timed = stage("stencils");
    measure_stencil(device, batch_seconds,
                    quick ? 16
                    : gpu ? 800
                          : 128,
                    quick ? 10
                    : gpu ? 200
                          : 130,
                    profile);
    measure_explicit(device, batch_seconds, values(26, 22), profile);
  }
  {
    const auto timed = stage("sweeps");
    measure_sweeps(device, batch_seconds, 4 * values(24, 19), profile);
  }
  return profile;
}

}  // namespace setka::plan
