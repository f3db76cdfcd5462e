// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/resident_heat.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/copy.hpp"
#include "setka/exec/team.hpp"
#include "setka/grid/shared_heat_axes.hpp"

namespace setka::grid {
namespace {

/// From the memory of one device to that of another, in the stream of the latter.
template <class T>
void fetch(const exec::Device& from_device, exec::MultiView<const T> from, const exec::Device& to_device,
           exec::MultiView<T> to) {
  const bool by_source = from_device.is_cuda() && !to_device.is_cuda();
  const exec::Stream stream = by_source ? from_device.make_stream() : to_device.stream();
  exec::copy_rows_async<T>(stream, from, to);
  if (by_source) stream.synchronize();
}

}  // namespace

template <class T>
ResidentLodHeat<T>::ResidentLodHeat(const std::vector<exec::Device>& devices, std::vector<HeatAxis> axes,
                                    double step)
    : axes_(std::move(axes)), step_(step) {
  detail::check_shared_heat("ResidentLodHeat", devices, axes_, step_);
  const std::int64_t planes = axes_.front().nodes;
  width_ = detail::nodes_of(axes_) / planes;
  const auto count = static_cast<std::int64_t>(devices.size());
  for (std::int64_t d = 0; d < count; ++d) {
    const std::int64_t plane = detail::share_begin(planes, d, count);
    const std::int64_t column = detail::share_begin(width_, d, count);
    const std::int64_t own_planes = detail::share_begin(planes, d + 1, count) - plane;
    const std::int64_t own_columns = detail::share_begin(width_, d + 1, count) - column;
    const std::int64_t exchanged = count > 1 ? 1 : 0;  // alone it keeps all
    const exec::Device& device = devices[static_cast<std::size_t>(d)];
    shares_.push_back({device, plane, own_planes, column, own_columns,
                       exec::Array<T>(device, own_planes * width_),
                       exec::Array<T>(device, exchanged * planes * own_columns)});
  }
}

template <class T>
void ResidentLodHeat<T>::check_size(std::size_t size) const {
  const std::int64_t nodes = axes_.front().nodes * width_;
  require(static_cast<std::int64_t>(size) == nodes, [&] {
    return fmt::format("ResidentLodHeat: u has {} values but the grid has {} nodes", size, nodes);
  });
}

template <class T>
void ResidentLodHeat<T>::put(std::span<const T> u) {
  check_size(u.size());
  for (Share& share : shares_)
    exec::copy<T>({u.data() + share.first_plane * width_, share.slab.size()}, share.slab);
}

template <class T>
void ResidentLodHeat<T>::get(std::span<T> u) const {
  check_size(u.size());
  for (const Share& share : shares_)
    exec::copy<T>(share.slab, {u.data() + share.first_plane * width_, share.slab.size()});
}

/// Columns of lines that another has in a slab: as they lie there.
template <class T>
exec::MultiView<T> ResidentLodHeat<T>::in_slab(Share& slab, const Share& lines) const {
  return {slab.slab.data() + lines.first_column, slab.planes, lines.columns, width_};
}
/// The same as they lie in the lines.
template <class T>
exec::MultiView<T> ResidentLodHeat<T>::in_lines(const Share& slab, Share& lines) {
  return {lines.lines.data() + slab.first_plane * lines.columns, slab.planes, lines.columns, lines.columns};
}

template <class T>
void ResidentLodHeat<T>::gather_lines(Share& mine) {
  for (Share& other : shares_)
    fetch<T>(other.device, in_slab(other, mine), mine.device, in_lines(other, mine));
}

template <class T>
void ResidentLodHeat<T>::gather_planes(Share& mine) {
  for (Share& other : shares_)
    fetch<T>(other.device, in_lines(mine, other), mine.device, in_slab(mine, other));
}

template <class T>
void ResidentLodHeat<T>::sweep_lines(Share& mine) const {
  if (mine.columns == 0) return;
  exec::Array<T>& u = shares_.size() > 1 ? mine.lines : mine.slab;
  detail::sweep_shared_axis<T>(mine.device, {axes_.front(), HeatAxis{mine.columns}}, 0, step_, u.view());
}

template <class T>
void ResidentLodHeat<T>::sweep_planes(Share& mine) const {
  if (mine.planes == 0) return;
  std::vector<HeatAxis> slab = axes_;
  slab.front().nodes = mine.planes;
  for (std::size_t axis = 1; axis < slab.size(); ++axis)
    detail::sweep_shared_axis<T>(mine.device, slab, axis, step_, mine.slab.view());
}

template <class T>
void ResidentLodHeat<T>::advance(std::int64_t steps) {
  const bool alone = shares_.size() == 1;
  std::vector<exec::Device> devices;
  devices.reserve(shares_.size());
  for (const Share& share : shares_) devices.push_back(share.device);
  exec::Team(std::move(devices)).run([&](const exec::Member& member) {
    Share& mine = shares_[static_cast<std::size_t>(member.number())];
    const exec::Stream stream = mine.device.stream();
    const auto all_are_done = [&] {
      stream.synchronize();
      member.meet();
    };
    for (std::int64_t k = 0; k < steps; ++k) {
      if (!alone) {
        all_are_done();
        gather_lines(mine);
      }
      sweep_lines(mine);
      if (!alone) {
        all_are_done();
        gather_planes(mine);
      }
      sweep_planes(mine);
    }
    stream.synchronize();
  });
}

template class ResidentLodHeat<float>;
template class ResidentLodHeat<double>;

}  // namespace setka::grid
