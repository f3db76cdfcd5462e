// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plan/calibrate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/log.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/long_vector.hpp"
#include "setka/grid/plane_sweep.hpp"
#include "setka/plan/calibrate_heat.hpp"
#include "setka/plan/formulas.hpp"

namespace setka::plan {
namespace {

using exec::Array;
using exec::Device;

/// Half an octave a step, a quarter where caches end, and the first size that a CPU gives to a team.
std::vector<std::int64_t> vector_sizes(std::int64_t most) {
  constexpr std::int64_t of_a_team = exec::host::serial_below + 1;
  std::vector<std::int64_t> found;
  constexpr std::int64_t of_caches = 1 << 17;
  double exact = 64;
  while (true) {
    const auto size = static_cast<std::int64_t>(std::llround(exact));
    if (!found.empty() && found.back() < of_a_team && of_a_team < size && of_a_team <= most)
      found.push_back(of_a_team);
    if (size > most) return found;
    found.push_back(size);
    exact *= std::exp2(size < of_caches ? 0.5 : 0.25);
  }
}

std::vector<std::int64_t> border_widths(std::int64_t most) {
  std::vector<std::int64_t> found;
  for (std::int64_t width = 8; width * width <= most; width *= 2) found.push_back(width);
  return found;
}

constexpr std::int64_t plane_counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192};

/// Vector operations on three arrays in turn, each reading what the last one wrote: caches see the traffic of
/// a step of LongVectorHeat.
void measure_vectors(Meter& meter, std::int64_t most, DeviceProfile& profile) {
  const Device& device = meter.device();
  std::array<Array<double>, 3> v{Array<double>(device, most + 2), Array<double>(device, most + 2),
                                 Array<double>(device, most + 2)};
  for (Array<double>& one : v) exec::fill(device, one, 0.5);
  const exec::Stream stream = device.stream();
  const auto of = [&](std::int64_t call, int k) {
    return v[static_cast<std::size_t>((call + k) % 3)].data();
  };
  profile.launch =
      meter.seconds([&](std::int64_t) { grid::vector_add<double>(stream, 1, of(0, 0), of(0, 0), of(0, 1)); });
  for (const std::int64_t n : vector_sizes(most)) {
    const auto size = static_cast<double>(n);
    meter.point(profile.curves["add"], size, [&](std::int64_t i) {
      grid::vector_add<double>(stream, n, of(i, 0) + 1, of(i, 0) + 2, of(i, 1));
    });
    meter.point(profile.curves["saxpy"], size, [&](std::int64_t i) {
      grid::vector_saxpy<double>(stream, n, 0.5, of(i, 0) + 1, 0.5, of(i, 1) + 1);
    });
  }
  for (const std::int64_t width : border_widths(most)) {
    meter.point(profile.curves["border"], static_cast<double>(width),
                [&](std::int64_t i) { grid::zero_border(stream, width, of(i, 0)); });
  }
}

/// Sweeps over 1, 2, 4 ... planes of a grid that is larger than any cache; planes as wide as in the paper.
void measure_stencil(Meter& meter, std::int64_t side, std::int64_t planes, DeviceProfile& profile) {
  const Device& device = meter.device();
  const grid::StationaryHeat heat({{planes, 1, 1}, {side, 1, 1}, {side, 1, 1}});
  Array<double> f(device, heat.nodes());
  Array<double> u(device, heat.nodes());
  Array<double> v(device, heat.nodes());
  for (Array<double>* one : {&f, &u, &v}) exec::fill(device, *one, 0.5);
  auto sweep = grid::plane_sweep<double>(heat, 1);
  sweep.f = {f.data(), planes};
  for (const std::int64_t count : plane_counts) {
    if (count > planes - 2) break;
    meter.point(profile.curves["stencil"], static_cast<double>(count * side * side), [&](std::int64_t i) {
      // One run of planes after the other, from u to v and back when all are through.
      const std::int64_t runs = (planes - 2) / count;
      const bool back = i / runs % 2 == 1;
      sweep.first = 1 + i % runs * count;
      sweep.count = count;
      sweep.in = {back ? v.data() : u.data(), planes};
      sweep.out = {back ? u.data() : v.data(), planes};
      grid::run<double>(device, 3, sweep, nullptr);
    });
  }
}

}  // namespace

Transfer measure_transfer(Meter& meter, bool up, bool pinned, std::int64_t bytes) {
  const Device cpu = Device::cpu();
  const Device& device = meter.device();
  Array<char> host = pinned ? exec::pinned_array<char>(cpu, bytes) : Array<char>(cpu, bytes);
  Array<char> there(device, bytes);
  exec::fill<float>(cpu, {reinterpret_cast<float*>(host.data()), bytes / 4}, 1.0F);
  const exec::Stream stream = device.stream();
  const auto seconds = [&](std::int64_t size) {
    return meter.seconds([&](std::int64_t) {
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

double measure_both_ways(Meter& meter, std::int64_t bytes) {
  const Device cpu = Device::cpu();
  const Device& device = meter.device();
  Array<char> from = exec::pinned_array<char>(cpu, bytes);
  Array<char> to = exec::pinned_array<char>(cpu, bytes);
  Array<char> a(device, bytes);
  Array<char> b(device, bytes);
  const exec::Stream up = device.make_stream();
  const exec::Stream down = device.make_stream();
  const double seconds = meter.seconds([&](std::int64_t) {
    exec::copy_async<char>(up, {from.data(), bytes}, {a.data(), bytes});
    exec::copy_async<char>(down, {b.data(), bytes}, {to.data(), bytes});
  });
  return static_cast<double>(bytes) / seconds;
}

namespace {

struct Round {
  DeviceProfile profile;
  std::int64_t left_out = 0;  // points that there was no time for
};

/// All operations of the device; not its transfers.
Round one_round(const Device& device, bool quick, double max_seconds, Monitor& monitor) {
  const bool gpu = device.is_cuda();
  // A GPU has more points, and what disturbs its launches lasts longer than a point takes: more rounds help,
  // not more batches.
  const Batches batches = quick ? Batches{2e-5, 5} : gpu ? Batches{5e-4, 1} : Batches{1e-3, 5};
  const TimeBudget all(max_seconds, 1);
  // Six arrays of so many values take less than two thirds of the memory that is free.
  const auto fits = static_cast<std::int64_t>(device.info().free_memory / 80);
  const auto values = [&](int on_gpu, int on_cpu) {
    return std::min(fits, std::int64_t{1} << (quick ? 12 : gpu ? on_gpu : on_cpu));
  };
  Round round;
  DeviceProfile& profile = round.profile;
  /// So many points, in that part of the time that is left.
  const auto measure = [&](const char* what, std::size_t points, double part, const auto& work) {
    const Stage stage = monitor.stage(fmt::format("{}: {}", device.label(), what));
    Meter meter(device, batches, {part * all.left(), static_cast<std::int64_t>(points)});
    work(meter);
    round.left_out += meter.left_out();
  };
  const std::int64_t longest = values(26, 22);
  measure("vectors", 2 * vector_sizes(longest).size() + border_widths(longest).size() + 1, 0.25,
          [&](Meter& meter) { measure_vectors(meter, longest, profile); });
  measure("stencils", std::size(plane_counts), 0.1, [&](Meter& meter) {
    const std::int64_t side = quick ? 16 : gpu ? 800 : 128;
    const std::int64_t planes = quick ? 10 : gpu ? 200 : 130;
    measure_stencil(meter, side, planes, profile);
  });
  const std::vector<ChangePoint> changes = change_points(values(26, 21));
  measure("steps of heat", changes.size(), 0.15,
          [&](Meter& meter) { measure_changes(meter, changes, profile); });
  const std::vector<SweepPoint> sweeps = sweep_points(device, 4 * values(24, 19));
  measure("sweeps", sweeps.size(), 1, [&](Meter& meter) { measure_sweeps(meter, sweeps, profile); });
  return round;
}

void measure_transfers(const Device& device, bool quick, double max_seconds, Monitor& monitor,
                       DeviceProfile& profile) {
  const Stage stage = monitor.stage(fmt::format("{}: transfers", device.label()));
  const std::int64_t bytes = std::int64_t{quick ? 1 : device.is_cuda() ? 256 : 32} << 20;
  Meter meter(device, {quick ? 2e-5 : 1e-3, 5}, {max_seconds, 9});
  profile.up = measure_transfer(meter, true, false, bytes);
  profile.down = measure_transfer(meter, false, false, bytes);
  profile.up_pinned = measure_transfer(meter, true, true, bytes);
  profile.down_pinned = measure_transfer(meter, false, true, bytes);
  profile.both_pinned = measure_both_ways(meter, bytes);
}

/// Of points that both have the least; sizes ascend.
void keep_least(Curve& kept, const Curve& other) {
  for (std::size_t i = 0; i < other.size.size(); ++i) {
    const auto at = std::lower_bound(kept.size.begin(), kept.size.end(), other.size[i]);
    const auto seconds = kept.seconds.begin() + (at - kept.size.begin());
    if (at != kept.size.end() && *at == other.size[i]) {
      *seconds = std::min(*seconds, other.seconds[i]);
    } else {
      kept.seconds.insert(seconds, other.seconds[i]);
      kept.size.insert(at, other.size[i]);
    }
  }
}

/// The best of the rounds, point by point: what disturbs the machine for a while does not come back to the
/// same point. More work never takes less time: where it seems so, the time of less was disturbed.
void keep_least(DeviceProfile& profile, const DeviceProfile& other) {
  profile.launch = std::min(profile.launch, other.launch);
  for (const auto& [name, curve] : other.curves) keep_least(profile.curves[name], curve);
  for (auto& [name, curve] : profile.curves) {
    for (std::size_t i = curve.seconds.size(); i-- > 1;)
      curve.seconds[i - 1] = std::min(curve.seconds[i - 1], curve.seconds[i]);
  }
}

}  // namespace

DeviceProfile calibrate(const Device& device, bool quick, Monitor& monitor, double max_seconds) {
  const TimeBudget time(max_seconds, 1);
  constexpr double of_transfers = 0.1;
  const int rounds = quick ? 1 : device.is_cuda() ? 4 : 3;
  DeviceProfile profile;
  std::int64_t left_out = std::numeric_limits<std::int64_t>::max();
  if (!quick) wake(device);
  for (int i = 0; i < rounds; ++i) {
    const double left = time.left() - of_transfers * time.total();
    Round round = one_round(device, quick, left / (rounds - i), monitor);
    left_out = std::min(left_out, round.left_out);
    if (i == 0) {
      profile = std::move(round.profile);
    } else {
      keep_least(profile, round.profile);
    }
  }
  measure_transfers(device, quick, time.left(), monitor, profile);
  if (left_out > 0)
    log::info("{}: {} of the largest points were left out to keep to {:.0f} s", device.label(), left_out,
              max_seconds);
  profile.device = device.label();
  profile.hardware = hardware_identity(device);
  profile.date = date_text(std::time(nullptr));
  profile.threads_at_once = threads_at_once(device);
  profile.overlaps = device.is_cuda();
  profile.took = time.spent();
  return profile;
}

}  // namespace setka::plan
