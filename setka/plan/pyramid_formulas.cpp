// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <vector>

#include "setka/grid/pyramid_blocks.hpp"
#include "setka/plan/formulas.hpp"

namespace setka::plan {
namespace {

double real(std::int64_t n) {
  return static_cast<double>(n);
}

/// Bytes a second while blocks go both ways: of the two arrays that go up, one meets the array coming down.
struct Rates {
  Transfer up, down;
};

Rates rates_of(const DeviceProfile& profile, bool pinned) {
  if (!pinned) return {profile.up, profile.down};
  Rates rates{profile.up_pinned, profile.down_pinned};
  if (profile.overlaps) {
    const double both = std::min(profile.both_pinned, profile.up_pinned.rate);
    rates.up.rate = 2 / (1 / both + 1 / profile.up_pinned.rate);
    rates.down.rate = std::min(profile.both_pinned, profile.down_pinned.rate);
  }
  return rates;
}

/// When each block is loaded, computed and stored, by the rules of pyramid_jacobi().
struct Schedule {
  std::vector<double> loaded, computed, stored;
  double up = 0, compute = 0, down = 0;  // when each is free
  double computing = 0, sending = 0;     // in all

  explicit Schedule(std::int64_t blocks)
      : loaded(static_cast<std::size_t>(blocks)),
        computed(static_cast<std::size_t>(blocks)),
        stored(static_cast<std::size_t>(blocks)) {}

  static double at(const std::vector<double>& times, std::int64_t block) {
    return block < 0 ? 0 : times[static_cast<std::size_t>(block)];
  }
};

}  // namespace

double stencil_seconds(const DeviceProfile& profile, double nodes, int value_bytes) {
  return nodes > 0 ? profile.curve("stencil").at(nodes * value_bytes / 8) : 0;
}

Cost pyramid_as_printed(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                        const grid::PyramidLayout& layout) {
  const double plane_bytes = real(heat.plane_nodes()) * value_bytes;
  const double h = layout.height;
  const double width = real(layout.planes) + 2 * h;  // R
  const double blocks = real(layout.blocks);
  const double t_transfer = plane_bytes / profile.up_pinned.rate;
  const Curve& stencil = profile.curve("stencil");
  const double of_a_node = stencil.seconds.back() / stencil.size.back() * value_bytes / 8;  // t_a / num
  double inner = 1;
  for (std::size_t k = 1; k < heat.axes().size(); ++k) inner *= real(heat.axes()[k].nodes - 2);
  Cost cost;
  cost.device_bytes = layout.bytes;
  cost.add("transfers", blocks * (3 * width - 2 * h) * t_transfer);
  cost.add("computing", blocks * of_a_node * h * (width - h - 1) * inner);
  return cost;
}

Cost pyramid_passes(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                    const grid::PyramidLayout& layout, std::int64_t passes, bool pinned) {
  const grid::PyramidBlocks blocks(layout, layout.height, heat.planes());
  // Passes are alike after the first few.
  constexpr std::int64_t max_passes = 4;
  const std::int64_t simulated = std::min(passes, max_passes);
  const std::int64_t count = simulated * blocks.in_pass();
  const Rates rates = rates_of(profile, pinned);
  const double plane_bytes = real(heat.plane_nodes()) * value_bytes;
  Schedule s(count);
  const auto serial = [&](double& clock) {
    if (!profile.overlaps) s.up = s.compute = s.down = clock;
  };
  const auto load = [&](std::int64_t block) {
    const double seconds = 2 * rates.up.seconds(plane_bytes * real(blocks.load(block).count()));
    s.up = std::max({s.up, Schedule::at(s.computed, block - 2), Schedule::at(s.stored, block - 3),
                     Schedule::at(s.stored, blocks.written_by(block))}) +
           seconds;
    s.sending += seconds;
    s.loaded[static_cast<std::size_t>(block)] = s.up;
    serial(s.up);
  };
  double pass_before = 0;
  double pass_seconds = 0;
  load(0);
  for (std::int64_t block = 0; block < count; ++block) {
    double seconds = 0;
    for (int sweep = 1; sweep <= layout.height; ++sweep)
      seconds += stencil_seconds(profile, real(blocks.swept(block, sweep).count() * heat.plane_nodes()),
                                 value_bytes);
    s.compute =
        std::max({s.compute, Schedule::at(s.loaded, block), Schedule::at(s.stored, block - 2)}) + seconds;
    s.computing += seconds;
    s.computed[static_cast<std::size_t>(block)] = s.compute;
    serial(s.compute);
    const bool more = block + 1 < count;
    const bool ahead = more && blocks.written_by(block + 1) < block;
    if (ahead) load(block + 1);
    const double down = rates.down.seconds(plane_bytes * real(blocks.store(block).count()));
    double start = std::max(s.down, Schedule::at(s.computed, block));
    if (blocks.keeps_old(block)) start = std::max(start, Schedule::at(s.loaded, block + 1));
    s.down = start + down;
    s.sending += down;
    s.stored[static_cast<std::size_t>(block)] = s.down;
    serial(s.down);
    if (more && !ahead) load(block + 1);
    if ((block + 1) % blocks.in_pass() == 0) {
      // The last one has no load of a pass that follows; the one before is like those in between.
      if (more || simulated == 1) pass_seconds = s.down - pass_before;
      pass_before = s.down;
    }
  }
  const double all = s.down + pass_seconds * real(passes - simulated);
  const double computing = s.computing * real(passes) / real(simulated);
  Cost cost;
  cost.device_bytes = layout.bytes;
  cost.add("computing", computing);
  cost.add(profile.overlaps ? "transfers that computing does not hide" : "transfers",
           std::max(all - computing, 0.0));
  return cost;
}

double pyramid_limit(const DeviceProfile& profile, const grid::StationaryHeat& heat, int value_bytes,
                     int height) {
  const double bytes = real(heat.nodes()) * value_bytes;
  const double up = 2 * bytes / profile.up_pinned.rate / height;
  const double down = bytes / profile.down_pinned.rate / height;
  const Curve& stencil = profile.curve("stencil");
  double rate = 0;  // nodes a second at best
  for (std::size_t i = 0; i < stencil.size.size(); ++i)
    rate = std::max(rate, stencil.size[i] / stencil.seconds[i]);
  const double computing = real(heat.nodes()) * value_bytes / 8 / rate;
  if (!profile.overlaps) return up + down + computing;
  return std::max({up, down, computing});
}

}  // namespace setka::plan
