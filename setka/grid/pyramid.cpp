// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/pyramid.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/common.hpp"
#include "setka/exec/pin.hpp"
#include "setka/exec/team.hpp"
#include "setka/grid/plane_sweep.hpp"
#include "setka/grid/pyramid_blocks.hpp"
#include "setka/grid/shares.hpp"

namespace setka::grid {
namespace {

using exec::Event;
using kernel::Bits;

/// Events of blocks; those that nothing waits for any more are dropped.
class Marks {
 public:
  explicit Marks(std::int64_t blocks) : marks_(static_cast<std::size_t>(blocks)) {}

  void set(std::int64_t block, Event event) { marks_[static_cast<std::size_t>(block)] = std::move(event); }
  void wait(const exec::Stream& stream, std::int64_t block) const {
    if (block >= 0) stream.wait(*marks_[static_cast<std::size_t>(block)]);
  }
  void synchronize(std::int64_t block) const {
    if (block >= 0) marks_[static_cast<std::size_t>(block)]->synchronize();
  }
  void drop(std::int64_t block) {
    if (block >= 0) marks_[static_cast<std::size_t>(block)].reset();
  }

 private:
  std::vector<std::optional<Event>> marks_;
};

/// Memory and streams of a run.
template <class T>
struct Place {
  exec::Device device;
  exec::Stream compute, up, down;
  exec::Array<T> values;  // both rings of u, then f's
  exec::Array<Bits<T>> change;
  std::int64_t plane_nodes;

  // Where the host's memory is not pinned: planes on their way up (u, then f) and down, two blocks each.
  exec::Array<T> up_stage;
  exec::Array<T> down_stage;
  std::int64_t up_nodes = 0;  // of one block and array
  std::int64_t down_nodes = 0;

  Place(const exec::Device& on, std::int64_t planes, std::int64_t nodes)
      : device(on),
        compute(on.stream()),
        up(on.make_stream()),
        down(on.make_stream()),
        values(on, planes * nodes),
        change(on, 1),
        plane_nodes(nodes),
        up_stage(exec::Device::cpu()),
        down_stage(exec::Device::cpu()) {}

  void stage(const PyramidLayout& layout) {
    const std::int64_t more = layout.shape == PyramidShape::skewed ? 0 : 2 * std::int64_t{layout.height};
    up_nodes = (layout.planes + more) * plane_nodes;
    down_nodes = layout.planes * plane_nodes;
    up_stage = exec::pinned_array<T>(up_stage.device(), 4 * up_nodes);
    down_stage = exec::pinned_array<T>(down_stage.device(), 2 * down_nodes);
  }
  bool staged() const { return up_nodes > 0; }
};

/// The planes of a device in host memory: its own, which are overwritten, and before and behind them some
/// that are others', as they were. Planes are counted from the first of these on.
template <class T>
struct Host {
  T* own;
  const T* f;  // of all planes
  const T* low;
  const T* high;
  PlaneRange own_planes;
  std::int64_t planes;  // of all three

  PlaneRange owned(const PlaneRange& some) const {
    return {std::max(some.first, own_planes.first), std::min(some.last, own_planes.last)};
  }
  T* own_plane(std::int64_t plane, std::int64_t nodes) const {
    return own + (plane - own_planes.first) * nodes;
  }

  /// visit(u, planes) for each part of these planes that lies in a row.
  template <class Visit>
  void for_parts(const PlaneRange& some, std::int64_t nodes, const Visit& visit) const {
    const auto part = [&](const PlaneRange& within, const T* data) {
      const PlaneRange both{std::max(some.first, within.first), std::min(some.last, within.last)};
      if (both.count() > 0) visit(data + (both.first - within.first) * nodes, both);
    };
    part({0, own_planes.first}, low);
    part(own_planes, own);
    part({own_planes.last, planes}, high);
  }
};

/// Copies planes between a ring and plain memory; a ring may end in the middle.
template <class T, class Copy>
void in_ring(std::int64_t ring, std::int64_t number, std::int64_t count, const Copy& copy) {
  const std::int64_t place = number % ring;
  const std::int64_t before_end = std::min(count, ring - place);
  copy(place, std::int64_t{0}, before_end);
  if (before_end < count) copy(std::int64_t{0}, before_end, count - before_end);
}

/// Passes of one height.
template <class T>
class Run {
 public:
  Run(Place<T>& place, const Host<T>& host, const PyramidBlocks& blocks, int axes,
      const kernel::PlaneSweep<T>& sweep, std::int64_t height, std::int64_t passes)
      : place_(place),
        host_(host),
        blocks_(blocks),
        axes_(axes),
        sweep_(sweep),
        height_(height),
        count_(passes * blocks.in_pass()),
        loaded_(count_),
        computed_(count_),
        stored_(count_) {
    const std::int64_t nodes = place.plane_nodes;
    first_ = {place.values.data(), blocks.first_ring()};
    second_ = {first_.data + first_.planes * nodes, blocks.second_ring()};
    source_ = {second_.data + second_.planes * nodes, blocks.source_ring()};
  }

  /// The changes of the last sweep of the last pass are looked at.
  void go() {
    load(0);
    for (std::int64_t block = 0; block < count_; ++block) {
      compute(block);
      const bool more = block + 1 < count_;
      // The next block is on its way before this one is stored, unless it is to load what this one stores.
      const bool ahead = more && blocks_.written_by(block + 1) < block;
      if (ahead) load(block + 1);
      store(block);
      if (more && !ahead) load(block + 1);
    }
    land(count_ - 1);
    place_.down.synchronize();
    place_.compute.synchronize();
  }

 private:
  void load(std::int64_t block) {
    // Room in the rings: what lay there has been swept and sent.
    computed_.wait(place_.up, block - 2);
    stored_.wait(place_.up, block - 3);
    const std::int64_t written_by = blocks_.written_by(block);
    if (place_.staged()) {
      land(written_by);
    } else {
      stored_.wait(place_.up, written_by);
    }
    const PlaneRange planes = blocks_.load(block);
    const std::int64_t nodes = place_.plane_nodes;
    const T* f = host_.f + planes.first * nodes;
    const std::int64_t shift = blocks_.shift(block);
    const auto send = [&](const T* from, const PlaneRange& some, const kernel::PlaneRing<T>& ring) {
      in_ring<T>(ring.planes, some.first + shift, some.count(),
                 [&](std::int64_t place, std::int64_t first, std::int64_t count) {
                   exec::copy_async<T>(place_.up, {from + first * nodes, count * nodes},
                                       {ring.data + place * nodes, count * nodes});
                 });
    };
    if (planes.count() > 0 && place_.staged()) {
      loaded_.synchronize(block - 2);
      T* const stage = place_.up_stage.data() + block % 2 * 2 * place_.up_nodes;
      host_.for_parts(planes, nodes, [&](const T* u, const PlaneRange& part) {
        copy_on_host(u, stage + (part.first - planes.first) * nodes, part.count() * nodes);
      });
      copy_on_host(f, stage + place_.up_nodes, planes.count() * nodes);
      send(stage, planes, first_);
      f = stage + place_.up_nodes;
    } else {
      host_.for_parts(planes, nodes, [&](const T* u, const PlaneRange& part) { send(u, part, first_); });
    }
    if (planes.count() > 0) send(f, planes, source_);
    loaded_.set(block, place_.up.record());
  }

  void compute(std::int64_t block) {
    loaded_.wait(place_.compute, block);
    stored_.wait(place_.compute, block - 2);
    sweep_.shift = blocks_.shift(block);
    sweep_.f = {source_.data, source_.planes};
    for (std::int64_t s = 1; s <= height_; ++s) {
      // Others' planes are not needed any more in the last sweep, nor are their changes.
      const PlaneRange range = s == height_ ? host_.owned(blocks_.swept(block, s)) : blocks_.swept(block, s);
      const kernel::PlaneRing<T>& in = s % 2 == 1 ? first_ : second_;
      sweep_.in = {in.data, in.planes};
      sweep_.out = s % 2 == 1 ? second_ : first_;
      sweep_.first = range.first;
      sweep_.count = range.count();
      const bool last = s == height_ && block + blocks_.in_pass() >= count_;
      run(place_.compute, axes_, sweep_, last ? place_.change.data() : nullptr);
    }
    computed_.set(block, place_.compute.record());
    computed_.drop(block - 4);
  }

  void store(std::int64_t block) {
    if (place_.staged()) land(block - 2);
    computed_.wait(place_.down, block);
    if (blocks_.keeps_old(block)) loaded_.wait(place_.down, block + 1);
    const PlaneRange planes = host_.owned(blocks_.store(block));
    const std::int64_t nodes = place_.plane_nodes;
    T* const to = place_.staged() ? stage_down(block) : host_.own_plane(planes.first, nodes);
    const kernel::PlaneRing<T>& ring = height_ % 2 == 0 ? first_ : second_;
    if (planes.count() > 0) {
      in_ring<T>(ring.planes, planes.first + blocks_.shift(block), planes.count(),
                 [&](std::int64_t place, std::int64_t first, std::int64_t count) {
                   exec::copy_async<T>(place_.down, {ring.data + place * nodes, count * nodes},
                                       {to + first * nodes, count * nodes});
                 });
    }
    stored_.set(block, place_.down.record());
    loaded_.drop(block - 4);
    stored_.drop(block - 2 * blocks_.in_pass() - 4);
  }

  /// Brings staged results up to that block to their place in host memory.
  void land(std::int64_t block) {
    for (; place_.staged() && landed_ < block; ++landed_) {
      const PlaneRange planes = host_.owned(blocks_.store(landed_ + 1));
      stored_.synchronize(landed_ + 1);
      if (planes.count() > 0)
        copy_on_host(stage_down(landed_ + 1), host_.own_plane(planes.first, place_.plane_nodes),
                     planes.count() * place_.plane_nodes);
    }
  }

  T* stage_down(std::int64_t block) const { return place_.down_stage.data() + block % 2 * place_.down_nodes; }
  void copy_on_host(const T* from, T* to, std::int64_t count) const {
    exec::copy_async<T>(place_.up_stage.device(), {from, count}, {to, count});
  }

  Place<T>& place_;
  Host<T> host_;
  PyramidBlocks blocks_;
  int axes_;
  kernel::PlaneSweep<T> sweep_;
  std::int64_t height_;
  std::int64_t count_;
  kernel::PlaneRing<T> first_{}, second_{}, source_{};
  Marks loaded_, computed_, stored_;
  std::int64_t landed_ = -1;
};

/// What a device takes of its neighbours before a pass.
template <class T>
class Borrowed {
 public:
  Borrowed(const exec::Device& device, std::int64_t nodes, std::int64_t height)
      : nodes_(nodes),
        low_(exec::host_array_for<T>(device, height * nodes)),
        high_(exec::host_array_for<T>(device, height * nodes)) {}

  Host<T> planes_around(const Share& own, std::int64_t height, std::int64_t all, T* u, const T* f) {
    const std::int64_t before = std::min(height, own.first);
    const std::int64_t behind = std::min(height, all - own.last);
    const std::int64_t first = own.first - before;
    std::copy_n(u + first * nodes_, before * nodes_, low_.data());
    std::copy_n(u + own.last * nodes_, behind * nodes_, high_.data());
    return {u + own.first * nodes_,         f + first * nodes_,           low_.data(), high_.data(),
            {before, before + own.count()}, before + own.count() + behind};
  }

 private:
  std::int64_t nodes_;
  exec::Array<T> low_;
  exec::Array<T> high_;
};

}  // namespace

template <class T>
StationaryReport pyramid_jacobi(const exec::Device& device, const StationaryHeat& heat, std::span<T> u,
                                std::span<const T> f, const StationaryOptions& options,
                                const PyramidOptions& pyramid) {
  return pyramid_jacobi<T>(std::vector{device}, heat, u, f, options, pyramid);
}

template <class T>
StationaryReport pyramid_jacobi(const std::vector<exec::Device>& devices, const StationaryHeat& heat,
                                std::span<T> u, std::span<const T> f, const StationaryOptions& options,
                                const PyramidOptions& pyramid) {
  check("pyramid_jacobi", heat, options, static_cast<std::int64_t>(u.size()),
        static_cast<std::int64_t>(f.size()));
  const exec::Team team(devices);
  const std::uint64_t memory =
      pyramid.memory > 0 ? pyramid.memory : exec::free_memory_of_each(devices) / 10 * 9;
  const PyramidLayout layout = pyramid_layout(heat, sizeof(T), memory, pyramid);
  // One GPU is enough to pin host memory for all.
  const auto gpu = std::ranges::find_if(devices, &exec::Device::is_cuda);
  const exec::Device& pins = gpu == devices.end() ? devices.front() : *gpu;
  const exec::HostPin pin_u(pins, u.data(), pyramid.staged ? 0 : u.size_bytes());
  const exec::HostPin pin_f(pins, f.data(), pyramid.staged ? 0 : f.size_bytes());
  const bool staged = pyramid.staged || !pin_u.held() || !pin_f.held();

  StationaryReport report;
  std::vector<Bits<T>> changes(devices.size());
  team.run([&](const exec::Member& member) {
    const std::int64_t nodes = heat.plane_nodes();
    const Share own = share_of(heat.planes(), member.number(), member.size());
    Place<T> place(member.device(), device_planes(layout.shape, layout.height, layout.planes), nodes);
    if (staged) place.stage(layout);
    Borrowed<T> borrowed(member.device(), nodes, member.size() > 1 ? layout.height : 0);
    StationaryReport found;
    while (found.sweeps < options.sweeps && !found.converged) {
      // Passes follow each other without a gap, but for a look at the change, what is borrowed of others, and
      // a last one that is lower.
      const std::int64_t left = options.sweeps - found.sweeps;
      const std::int64_t height = std::min<std::int64_t>(layout.height, left);
      const std::int64_t passes = options.tolerance > 0 || member.size() > 1 ? 1 : left / height;
      place.compute.state().fill_bytes(place.change.data(), 0, sizeof(Bits<T>));
      const Host<T> host = borrowed.planes_around(own, height, heat.planes(), u.data(), f.data());
      member.meet();  // what others borrow is still there
      kernel::PlaneSweep<T> sweep = plane_sweep<T>(heat, options.weight);
      sweep.planes = host.planes;
      if (own.count() > 0) {
        const PyramidBlocks blocks(layout, static_cast<int>(height), host.planes);
        Run<T>(place, host, blocks, static_cast<int>(heat.axes().size()), sweep, height, passes).go();
      }
      found.sweeps += passes * height;
      changes[static_cast<std::size_t>(member.number())] = exec::value_at(place.compute, place.change.view());
      member.meet();
      found.change = static_cast<double>(kernel::from_bits<T>(*std::ranges::max_element(changes)));
      found.converged = found.change < options.tolerance;
    }
    if (member.number() == 0) report = found;
  });
  return report;
}

template StationaryReport pyramid_jacobi<float>(const exec::Device&, const StationaryHeat&, std::span<float>,
                                                std::span<const float>, const StationaryOptions&,
                                                const PyramidOptions&);
template StationaryReport pyramid_jacobi<double>(const exec::Device&, const StationaryHeat&,
                                                 std::span<double>, std::span<const double>,
                                                 const StationaryOptions&, const PyramidOptions&);
template StationaryReport pyramid_jacobi<float>(const std::vector<exec::Device>&, const StationaryHeat&,
                                                std::span<float>, std::span<const float>,
                                                const StationaryOptions&, const PyramidOptions&);
template StationaryReport pyramid_jacobi<double>(const std::vector<exec::Device>&, const StationaryHeat&,
                                                 std::span<double>, std::span<const double>,
                                                 const StationaryOptions&, const PyramidOptions&);

}  // namespace setka::grid
