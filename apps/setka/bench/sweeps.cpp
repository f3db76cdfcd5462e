// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/sweeps.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "bench/timing.hpp"
#include "setka/base/text.hpp"
#include "setka/base/time_budget.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/heat_steps.hpp"
#include "setka/grid/shared_heat.hpp"
#include "setka/grid/sweep.hpp"
#include "setka/plan/meter.hpp"

namespace setka::bench {
namespace {

using exec::Array;
using exec::Device;

/// Measures one thing after the other, each in its share of the time.
class Table {
 public:
  static constexpr int measurements = 10;  // of a row

  Table(bool quick, std::int64_t rows, Monitor& monitor)
      : quick_(quick),
        time_(sweeps_seconds, rows * measurements),
        stage_(monitor.stage("sweeps", rows * measurements)) {}

  const TimeBudget& time() const { return time_; }

  double seconds(const Device& device, const std::string& what, const std::function<void()>& work) {
    stage_.note(what);
    const double found = plan::seconds_of_one(
        device, [&](std::int64_t) { work(); }, {}, quick_ ? 0 : time_.limit());
    done();
    return found;
  }

  /// Steps of heat that one call makes several of, `advance(steps)`: what a call costs beside them, memory or
  /// threads to begin with, is shared by them.
  double step(const std::string& what, const std::function<void(int)>& advance) {
    stage_.note(what);
    const auto wall = [&](int steps) {
      const TimeBudget clock(0, 1);
      advance(steps);
      return clock.spent();
    };
    constexpr int most_steps = 10;
    const double one = wall(1);
    const double limit = quick_ ? 0 : time_.limit();
    const int steps = std::clamp(static_cast<int>(limit / (3 * one)), 1, most_steps);
    std::vector<double> times{wall(steps)};
    double spent = one + times.front();
    while (times.size() < 5 && spent + times.front() <= limit) {
      times.push_back(wall(steps));
      spent += times.back();
    }
    done();
    return median(times) / steps;
  }

  void skip_row() {
    for (int i = 0; i < measurements; ++i) done();
  }

 private:
  void done() {
    time_.done();
    stage_.advance();
  }

  bool quick_;
  TimeBudget time_;
  Stage stage_;
};

/// Systems of all lines and a place for their solution, at one time.
double sweep_seconds(Table& table, const Device& device, const SweepsRow& row, bool along,
                     grid::SweepMethod method) {
  std::vector<Array<float>> v;
  for (const float value : {-1.0F, 4.0F, -1.0F, 1.0F, 0.0F}) {
    v.emplace_back(device, row.lines * row.rows);
    exec::fill<float>(device, v.back(), value);
  }
  const auto matrix = grid::Tridiagonal<float>::each(v[0], v[1], v[2]);
  const grid::Lines shape =
      along ? grid::Lines::along(1, {row.lines, row.rows}) : grid::Lines::along(0, {row.rows, row.lines});
  grid::SweepOptions options;
  options.periodic = true;
  options.method = method;
  return table.seconds(device,
                       fmt::format("{} x {} {}, {}, {}", row.lines, row.rows, along ? "along" : "across",
                                   name(method), device.label()),
                       [&] { grid::sweep<float>(device, shape, matrix, v[3], v[4], options); });
}

void measure_row(Table& table, const Device& device, const std::vector<Device>& two, SweepsRow& row) {
  using grid::SweepMethod;
  const Device core = Device::cpu(1);
  const auto on = [&](const Device& where, bool along, SweepMethod method) {
    return sweep_seconds(table, where, row, along, method);
  };
  row.one_core = on(core, true, SweepMethod::automatic);
  row.fused_along = on(device, true, SweepMethod::automatic);
  row.fused_across = on(device, false, SweepMethod::automatic);
  row.reference_along = on(device, true, SweepMethod::reference);
  row.reference_across = on(device, false, SweepMethod::reference);
  const std::vector<grid::HeatAxis> axes{{row.lines, 1, 1, grid::Ends::periodic},
                                         {row.rows, 1, 1, grid::Ends::periodic}};
  std::vector<float> u(static_cast<std::size_t>(row.lines * row.rows), 0.5F);
  const std::string size = fmt::format("{} x {}", row.lines, row.rows);
  const grid::LodHeat alone(axes, 0.1);
  const exec::View<float> view{u.data(), row.lines * row.rows};
  row.step_one_core =
      table.seconds(core, size + ", step on one core", [&] { alone.advance<float>(core, view); });
  const auto from_host = [&](const std::vector<Device>& devices, const char* which) {
    const grid::SharedLodHeat heat(devices, axes, 0.1);
    return table.step(size + ", step from host memory on " + which,
                      [&](int steps) { heat.advance<float>(u, steps); });
  };
  const auto resident = [&](const std::vector<Device>& devices, const char* which) {
    grid::HeatProblem problem;
    problem.axes = axes;
    grid::HeatSteps<float> heat(devices, problem, grid::HeatScheme::lod, 0.1);
    Array<float> values = heat.on_devices(u);
    return table.step(size + ", step on " + which, [&](int steps) {
      heat.advance(values, steps);
      devices.front().synchronize();
    });
  };
  row.step_one_device = from_host({device}, "one device");
  row.step_two_devices = from_host(two, "two devices");
  row.resident_one_device = resident({device}, "one device");
  row.resident_two_devices = resident(two, "two devices");
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
  Table table(quick, std::ssize(sizes), monitor);
  std::vector<SweepsRow> rows;
  double of_a_value = 0;  // seconds that the last row needed at least: two calls of each measurement
  for (const auto& [lines, length] : sizes) {
    SweepsRow row;
    row.lines = lines;
    row.rows = length;
    const auto values = static_cast<double>(lines * length);
    if (!quick && values * of_a_value > table.time().left()) {
      row.skipped = fmt::format("would take {}, of {:g} s {} are left", format_seconds(values * of_a_value),
                                sweeps_seconds, format_seconds(table.time().left()));
      table.skip_row();
    } else {
      row.skipped = unless_out_of_memory([&] { measure_row(table, device, two, row); });
      if (row.skipped.empty())
        of_a_value = 2 *
                     (row.one_core + row.fused_along + row.fused_across + row.reference_along +
                      row.reference_across + row.step_one_core + row.step_one_device + row.step_two_devices +
                      row.resident_one_device + row.resident_two_devices) /
                     values;
    }
    rows.push_back(row);
    show(row);
  }
  return rows;
}

}  // namespace setka::bench
