// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/stationary.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/parallel.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/plane_sweep.hpp"

namespace setka::grid {
namespace {

using kernel::Bits;

/// How far a pass of several sweeps goes: to the next look at the change, and not beyond the last sweep.
std::int64_t next_pass(const StationaryOptions& options, std::int64_t done, std::int64_t height) {
  std::int64_t sweeps = std::min(height, options.sweeps - done);
  if (options.tolerance > 0) sweeps = std::min(sweeps, options.check_every - done % options.check_every);
  return sweeps;
}

struct Blocks {
  std::int64_t height;
  std::int64_t planes;
};

/// A block of planes and its neighbours, of u twice and of f, in the share of the cache that a team may count
/// on. A GPU's second level cache is too small for blocks that also fill it with work.
template <class T>
Blocks blocks_for_cache(const exec::Stream& stream, const StationaryHeat& heat,
                        const StationaryOptions& options) {
  constexpr std::int64_t max_height = 8;
  if (stream.is_cuda() && options.height == 0) return {1, heat.planes()};
  std::int64_t cache = std::int64_t{16} << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
  if (const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE); bytes > 0) cache = bytes / 8;
#endif
  const std::int64_t plane_bytes = heat.plane_nodes() * std::int64_t{sizeof(T)};
  const std::int64_t fit = cache / (3 * plane_bytes);
  Blocks blocks{};
  blocks.height = options.height > 0 ? options.height : std::clamp<std::int64_t>(fit / 3, 1, max_height);
  blocks.planes =
      options.block_planes > 0 ? options.block_planes : std::max<std::int64_t>(fit - blocks.height, 1);
  if (blocks.height == 1) blocks.planes = heat.planes();
  return blocks;
}

}  // namespace

StationaryHeat::StationaryHeat(std::vector<StationaryAxis> axes) : axes_(std::move(axes)) {
  require(axes_.size() == 2 || axes_.size() == 3,
          [&] { return fmt::format("StationaryHeat: {} axes; give two or three", axes_.size()); });
  for (const StationaryAxis& axis : axes_) {
    require(axis.nodes >= 3 && axis.spacing > 0 && axis.conductivity > 0, [&] {
      return fmt::format(
          "StationaryHeat: an axis of {} nodes, spacing {}, conductivity {}; 3 nodes or more, and a positive "
          "spacing and conductivity",
          axis.nodes, axis.spacing, axis.conductivity);
    });
  }
}

std::int64_t StationaryHeat::nodes() const {
  std::int64_t nodes = 1;
  for (const StationaryAxis& axis : axes_) nodes *= axis.nodes;
  return nodes;
}

template <class T>
StationaryReport StationaryHeat::jacobi(const exec::Stream& stream, exec::ViewOf<T> u,
                                        exec::ViewOf<const T> f, const StationaryOptions& options) const {
  check("jacobi", *this, options, u.size, f.size);
  const exec::Scratch<T> second(stream, nodes());
  const exec::Scratch<Bits<T>> change(stream, 1);
  kernel::PlaneSweep<T> sweep = plane_sweep<T>(*this, options.weight);
  sweep.f = {f.data, planes()};
  const int axes = static_cast<int>(axes_.size());
  const Blocks blocks = blocks_for_cache<T>(stream, *this, options);
  T* now = u.data;
  T* next = second.data();
  StationaryReport report;
  while (report.sweeps < options.sweeps && !report.converged) {
    const std::int64_t height = next_pass(options, report.sweeps, blocks.height);
    const bool measure = looked_at(options, report.sweeps + height);
    if (measure) stream.state().fill_bytes(change.data(), 0, sizeof(Bits<T>));
    // Each sweep of a block is one plane behind the sweep before, so that all it reads is there, and what it
    // overwrites is not needed any more.
    for (std::int64_t first = 0; first < planes() + height; first += blocks.planes) {
      for (std::int64_t s = 1; s <= height; ++s) {
        sweep.first = std::max<std::int64_t>(first - s + 1, 0);
        sweep.count = std::min(first - s + 1 + blocks.planes, planes()) - sweep.first;
        sweep.in = {s % 2 == 1 ? now : next, planes()};
        sweep.out = {s % 2 == 1 ? next : now, planes()};
        run(stream, axes, sweep, measure && s == height ? change.data() : nullptr);
      }
    }
    report.sweeps += height;
    if (height % 2 == 1) std::swap(now, next);
    if (measure) {
      report.change = static_cast<double>(
          kernel::from_bits<T>(exec::value_at(stream, exec::View<Bits<T>>{change.data(), 1})));
      report.converged = report.change < options.tolerance;
    }
  }
  if (now != u.data) exec::copy_async<T>(stream, {now, nodes()}, u);
  return report;
}

template <class T>
StationaryReport StationaryHeat::red_black(const exec::Stream& stream, exec::ViewOf<T> u,
                                           exec::ViewOf<const T> f, const StationaryOptions& options) const {
  check("red_black", *this, options, u.size, f.size);
  const exec::Scratch<Bits<T>> change(stream, 1);
  kernel::PlaneSweep<T> sweep = plane_sweep<T>(*this, options.weight);
  sweep.count = planes();
  StationaryReport report;
  while (report.sweeps < options.sweeps && !report.converged) {
    const bool measure = looked_at(options, report.sweeps + 1);
    if (measure) stream.state().fill_bytes(change.data(), 0, sizeof(Bits<T>));
    for (int colour = 0; colour < 2; ++colour)
      run_colour(stream, static_cast<int>(axes_.size()), sweep, u.data, f.data, colour,
                 measure ? change.data() : nullptr);
    ++report.sweeps;
    if (measure) {
      report.change = static_cast<double>(
          kernel::from_bits<T>(exec::value_at(stream, exec::View<Bits<T>>{change.data(), 1})));
      report.converged = report.change < options.tolerance;
    }
  }
  return report;
}

template StationaryReport StationaryHeat::jacobi<float>(const exec::Stream&, exec::View<float>,
                                                        exec::View<const float>,
                                                        const StationaryOptions&) const;
template StationaryReport StationaryHeat::jacobi<double>(const exec::Stream&, exec::View<double>,
                                                         exec::View<const double>,
                                                         const StationaryOptions&) const;
template StationaryReport StationaryHeat::red_black<float>(const exec::Stream&, exec::View<float>,
                                                           exec::View<const float>,
                                                           const StationaryOptions&) const;
template StationaryReport StationaryHeat::red_black<double>(const exec::Stream&, exec::View<double>,
                                                            exec::View<const double>,
                                                            const StationaryOptions&) const;

}  // namespace setka::grid
