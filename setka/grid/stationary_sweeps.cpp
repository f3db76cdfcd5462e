// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/stationary_sweeps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/common.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/scratch.hpp"
#include "setka/exec/vector.hpp"
#include "setka/grid/plane_sweep.hpp"
#include "setka/grid/shares.hpp"

namespace setka::grid {

using kernel::Bits;

template <class T>
StationarySweeps<T>::StationarySweeps(const std::vector<exec::Device>& devices, StationaryHeat heat)
    : team_(devices), heat_(std::move(heat)) {}

template <class T>
exec::Array<T> StationarySweeps<T>::room() const {
  return exec::common_array<T>(team_.devices(),
                               ends_of_planes(heat_.planes(), heat_.plane_nodes(), team_.devices().size()));
}

template <class T>
exec::Array<T> StationarySweeps<T>::on_devices(std::span<const T> values) const {
  const auto size = static_cast<std::int64_t>(values.size());
  require(size == heat_.nodes(), [&] {
    return fmt::format("StationarySweeps: {} values but the grid has {} nodes", size, heat_.nodes());
  });
  exec::Array<T> made = room();
  exec::copy(exec::View<const T>{values.data(), size}, made);
  return made;
}

/// sweep(member, its planes, number of the sweep, where the change goes or null) ends with a wait for all.
template <class T>
template <class Sweep>
StationaryReport StationarySweeps<T>::run_all(const StationaryOptions& options, const Sweep& sweep) const {
  StationaryReport report;
  std::vector<Bits<T>> changes(team_.devices().size());
  team_.run([&](const exec::Member& member) {
    const exec::Stream stream = member.device().stream();
    const exec::Scratch<Bits<T>> change(stream, 1);
    const Share own = share_of(heat_.planes(), member.number(), member.size());
    StationaryReport found;
    while (found.sweeps < options.sweeps && !found.converged) {
      const bool measure = looked_at(options, found.sweeps + 1);
      if (measure) stream.state().fill_bytes(change.data(), 0, sizeof(Bits<T>));
      sweep(member, own, found.sweeps, measure ? change.data() : nullptr);
      ++found.sweeps;
      if (!measure) continue;
      changes[static_cast<std::size_t>(member.number())] =
          exec::value_at(stream, exec::View<Bits<T>>{change.data(), 1});
      member.meet();
      // They stay until all have met once more, in the next sweep.
      found.change = static_cast<double>(kernel::from_bits<T>(*std::ranges::max_element(changes)));
      found.converged = found.change < options.tolerance;
    }
    if (member.number() == 0) report = found;
  });
  return report;
}

template <class T>
StationaryReport StationarySweeps<T>::jacobi(exec::Array<T>& u, const exec::Array<T>& f,
                                             const StationaryOptions& options) {
  if (team_.size() == 1) return heat_.jacobi<T>(team_.devices().front(), u, f, options);
  check("jacobi", heat_, options, u.size(), f.size());
  exec::require_reach("jacobi", team_.devices(), u);
  exec::require_reach("jacobi", team_.devices(), f);
  if (!second_) second_.emplace(room());
  const auto axes = static_cast<int>(heat_.axes().size());
  const kernel::PlaneSweep<T> whole = plane_sweep<T>(heat_, options.weight);
  T* const place[2] = {u.data(), second_->data()};
  const auto sweep_planes = [&](const exec::Member& member, const Share& own, std::int64_t number,
                                Bits<T>* change) {
    kernel::PlaneSweep<T> sweep = whole;
    sweep.f = {f.data(), heat_.planes()};
    sweep.in = {place[number % 2], heat_.planes()};
    sweep.out = {place[(number + 1) % 2], heat_.planes()};
    sweep.first = own.first;
    sweep.count = own.count();
    const exec::Stream stream = member.device().stream();
    run(stream, axes, sweep, change);
    member.wait_for_all(stream);
  };
  u.device().synchronize();  // what was given to its stream before
  const StationaryReport report = run_all(options, sweep_planes);
  if (report.sweeps % 2 == 1) std::swap(u, *second_);
  return report;
}

template <class T>
StationaryReport StationarySweeps<T>::red_black(exec::Array<T>& u, const exec::Array<T>& f,
                                                const StationaryOptions& options) {
  if (team_.size() == 1) return heat_.red_black<T>(team_.devices().front(), u, f, options);
  check("red_black", heat_, options, u.size(), f.size());
  exec::require_reach("red_black", team_.devices(), u);
  exec::require_reach("red_black", team_.devices(), f);
  const auto axes = static_cast<int>(heat_.axes().size());
  const kernel::PlaneSweep<T> whole = plane_sweep<T>(heat_, options.weight);
  const auto sweep_planes = [&](const exec::Member& member, const Share& own, std::int64_t, Bits<T>* change) {
    kernel::PlaneSweep<T> sweep = whole;
    sweep.first = own.first;
    sweep.count = own.count();
    const exec::Stream stream = member.device().stream();
    for (int colour = 0; colour < 2; ++colour) {
      run_colour(stream, axes, sweep, u.data(), f.data(), colour, change);
      member.wait_for_all(stream);
    }
  };
  u.device().synchronize();  // what was given to its stream before
  return run_all(options, sweep_planes);
}

template class StationarySweeps<float>;
template class StationarySweeps<double>;

}  // namespace setka::grid
