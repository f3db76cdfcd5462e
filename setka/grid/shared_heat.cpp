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
#include "setka/grid/shares.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::grid {
namespace {

/// One axis of a step of LOD.
template <class T>
void sweep_axis(const exec::Device& device, const std::vector<HeatAxis>& axes, std::size_t axis, double step,
                exec::View<T> u) {
  SweepOptions options;
  options.periodic = axes[axis].ends == Ends::periodic;
  sweep<T>(device, detail::lines_along(axes, axis), detail::implicit_rows<T>(axes[axis], step), u, u,
           options);
}

/// What one device works with.
template <class T>
struct Visitor {
  exec::Device device;
  exec::Array<T> values;
  exec::Array<T> host;  // pinned: parts of rows side by side

  Visitor(const exec::Device& on, std::int64_t size)
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
  require(!devices_.empty(), "SharedLodHeat: no device; give one or more");
  detail::check_heat_axes("SharedLodHeat", axes_, step_);
  for (const HeatAxis& axis : axes_)
    require(!detail::supplies(axis), "SharedLodHeat: an end of an axis supplies heat; use HeatSteps");
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
  std::vector<Visitor<T>> visitors;
  for (std::int64_t d = 0; d < count; ++d) {
    visitors.emplace_back(
        devices_[static_cast<std::size_t>(d)],
        std::max(share_of(width, d, count).count() * planes, share_of(planes, d, count).count() * width));
  }
  exec::Team(devices_).run([&](const exec::Member& member) {
    const auto d = static_cast<std::size_t>(member.number());
    const Share columns = share_of(width, member.number(), count);
    const std::vector<HeatAxis> lines{axes_.front(), HeatAxis{columns.count()}};
    const Share own = share_of(planes, member.number(), count);
    std::vector<HeatAxis> slab = axes_;
    slab.front().nodes = own.count();
    for (std::int64_t k = 0; k < steps; ++k) {
      if (columns.count() > 0)
        visitors[d].visit(u.data() + columns.first, planes, columns.count(), width,
                          [&](exec::View<T> v) { sweep_axis(devices_[d], lines, 0, step_, v); });
      member.meet();
      if (slab.size() > 1 && own.count() > 0)
        visitors[d].visit(u.data() + own.first * width, 1, own.count() * width, 0, [&](exec::View<T> v) {
          for (std::size_t axis = 1; axis < slab.size(); ++axis)
            sweep_axis(devices_[d], slab, axis, step_, v);
        });
      member.meet();
    }
  });
}

template void SharedLodHeat::advance<float>(std::span<float>, std::int64_t) const;
template void SharedLodHeat::advance<double>(std::span<double>, std::int64_t) const;

}  // namespace setka::grid
