// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/bench/sweeps.hpp"

#include <chrono>
#include <utility>

#include "setka/bench/timing.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/shared_heat.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;

/// Systems of all lines and a place for their solution, at one time.
double sweep_seconds(const Device& device, std::int64_t lines, std::int64_t rows, bool along,
                     grid::SweepMethod method, int repeats) {
  std::vector<Array<float>> v;
  for (const float value : {-1.0F, 4.0F, -1.0F, 1.0F, 0.0F}) {
    v.emplace_back(device, lines * rows);
    exec::fill<float>(device, v.back(), value);
  }
  const auto matrix = grid::Tridiagonal<float>::each(v[0], v[1], v[2]);
  const grid::Lines shape =
      along ? grid::Lines::along(1, {lines, rows}) : grid::Lines::along(0, {rows, lines});
  grid::SweepOptions options;
  options.periodic = true;
  options.method = method;
  return median_seconds(
      device, [&] { grid::sweep<float>(device, shape, matrix, v[3], v[4], options); }, repeats, 1);
}

/// Several devices have no clock in common: the host's.
double wall_seconds(int repeats, const std::function<void()>& work) {
  work();
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return median(times);
}

}  // namespace

std::vector<SweepsRow> sweeps_table(const Device& device, const std::vector<Device>& two, bool quick,
                                    const ShowSweeps& show, Monitor& monitor) {
  using Size = std::pair<std::int64_t, std::int64_t>;
  const std::vector<Size> sizes =
      quick ? std::vector<Size>{{64, 96}}
      : device.is_cuda()
          ? std::vector<Size>{{512, 512},   {1024, 1024}, {1024, 4096}, {4096, 1024},
                              {2048, 2048}, {4096, 4096}, {7680, 7680}}
          : std::vector<Size>{{512, 512}, {512, 2048}, {2048, 512}, {1024, 1024}, {2048, 2048}};
  const int repeats = quick ? 1 : 5;
  const Device core = Device::cpu(1);
  Stage stage = monitor.stage("sweeps", static_cast<std::int64_t>(sizes.size()));
  std::vector<SweepsRow> table;
  for (const auto& [line_count, row_count] : sizes) {
    SweepsRow row;
    row.lines = line_count;
    row.rows = row_count;
    row.skipped = unless_out_of_memory([&] {
      using grid::SweepMethod;
      const auto on = [&](const Device& where, bool along, SweepMethod method) {
        return sweep_seconds(where, row.lines, row.rows, along, method, repeats);
      };
      row.one_core = on(core, true, SweepMethod::automatic);
      row.fused_along = on(device, true, SweepMethod::automatic);
      row.fused_across = on(device, false, SweepMethod::automatic);
      row.reference_along = on(device, true, SweepMethod::reference);
      row.reference_across = on(device, false, SweepMethod::reference);
      const std::vector<grid::HeatAxis> axes{{row.lines, 1, 1, grid::Ends::periodic},
                                             {row.rows, 1, 1, grid::Ends::periodic}};
      std::vector<float> u(static_cast<std::size_t>(row.lines * row.rows), 0.5F);
      const grid::LodHeat alone(axes, 0.1);
      const exec::View<float> view{u.data(), row.lines * row.rows};
      row.step_one_core = wall_seconds(repeats, [&] { alone.advance<float>(core, view); });
      // Ten steps: memory is taken once a call.
      constexpr int steps = 10;
      const auto shared = [&](std::vector<Device> devices) {
        const grid::SharedLodHeat heat(std::move(devices), axes, 0.1);
        return wall_seconds(repeats, [&] { heat.advance<float>(u, steps); }) / steps;
      };
      row.step_one_device = shared({device});
      row.step_two_devices = shared(two);
    });
    table.push_back(row);
    show(row);
    stage.advance();
  }
  return table;
}

}  // namespace setka::bench
