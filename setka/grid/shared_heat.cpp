// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/shared_heat.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/team.hpp"
#include "setka/grid/shared_heat_axes.hpp"

namespace setka::grid {
namespace {

/// What one device works with.
template <class T>
struct Share {
  exec::Device device;
  exec::Array<T> values;
  exec::Array<T> host;  // pinned: parts of rows side by side

  Share(const exec::Device& on, std::int64_t size)
      : device(on), values(on, size), host(exec::pinned_array<T>(exec::Device::cpu(1), size)) {}

  /// Sends `rows` pieces of `width` values that lie `stride` apart, does the work and brings them back.
  void visit(T* u, std::int64_t rows, std::int64_t width, std::int64_t stride,
             const std::function<void(exec::View<T>)>& work) {
    const std::int64_t size = rows * width;
    const exec::Stream stream = device.stream();
    for (std::int64_t i = 0; i < rows; ++i) std::copy_n(u + i * stride, width, host.data() + i * width);
    exec::copy_async<T>(stream, {host.data(), size}, {values.data(), size});
    work({values.data(), size});
    exec::copy_async<T>(stream, {values.data(), size}, {host.data(), size});
    stream.synchronize();
    for (std::int64_t i = 0; i < rows; ++i) std::copy_n(host.data() + i * width, width, u + i * stride);
  }
};

}  // namespace

SharedLodHeat::SharedLodHeat(std::vector<exec::Device> devices, std::vector<HeatAxis> axes, double step)
    : devices_(std::move(devices)), axes_(std::move(axes)), step_(step) {
  detail::check_shared_heat("SharedLodHeat", devices_, axes_, step_);
}

template <class T>
void SharedLodHeat::advance(std::span<T> u, std::int64_t steps) const {
  const std::int64_t nodes = detail::nodes_of(axes_);
  require(static_cast<std::int64_t>(u.size()) == nodes, [&] {
    return fmt::format("SharedLodHeat: u has {} values but the grid has {} nodes", u.size(), nodes);
  });
  const std::int64_t planes = axes_.front().nodes;
  const std::int64_t width = nodes / planes;
  const auto count = static_cast<std::int64_t>(devices_.size());
  const auto begin = [&](std::int64_t all, std::size_t number) {
    return detail::share_begin(all, static_cast<std::int64_t>(number), count);
  };
  std::vector<Share<T>> shares;
  for (std::size_t d = 0; d < devices_.size(); ++d) {
    const std::int64_t columns = begin(width, d + 1) - begin(width, d);
    const std::int64_t slab = begin(planes, d + 1) - begin(planes, d);
    shares.emplace_back(devices_[d], std::max(columns * planes, slab * width));
  }
  exec::Team(devices_).run([&](const exec::Member& member) {
    const auto d = static_cast<std::size_t>(member.number());
    const std::int64_t first_column = begin(width, d);
    const std::int64_t columns = begin(width, d + 1) - first_column;
    const std::vector<HeatAxis> lines{axes_.front(), HeatAxis{columns}};
    const std::int64_t first_plane = begin(planes, d);
    std::vector<HeatAxis> slab = axes_;
    slab.front().nodes = begin(planes, d + 1) - first_plane;
    for (std::int64_t k = 0; k < steps; ++k) {
      if (columns > 0)
        shares[d].visit(u.data() + first_column, planes, columns, width,
                        [&](exec::View<T> v) { detail::sweep_shared_axis(devices_[d], lines, 0, step_, v); });
      member.meet();
      if (slab.size() > 1 && slab.front().nodes > 0)
        shares[d].visit(u.data() + first_plane * width, 1, slab.front().nodes * width, 0,
                        [&](exec::View<T> v) {
                          for (std::size_t axis = 1; axis < slab.size(); ++axis)
                            detail::sweep_shared_axis(devices_[d], slab, axis, step_, v);
                        });
      member.meet();
    }
  });
}

template void SharedLodHeat::advance<float>(std::span<float>, std::int64_t) const;
template void SharedLodHeat::advance<double>(std::span<double>, std::int64_t) const;

}  // namespace setka::grid
