// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/shared_heat.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/grid/sweep.hpp"

namespace setka::grid {
namespace {

/// One thread a device; the first failure is thrown when all have ended.
void for_each_device(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> failed(count);
  std::vector<std::thread> threads;
  for (std::size_t d = 0; d < count; ++d) {
    threads.emplace_back([&, d] {
      try {
        work(d);
      } catch (...) {
        failed[d] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& one : failed) {
    if (one) std::rethrow_exception(one);
  }
}

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

std::int64_t part(std::int64_t all, std::size_t number, std::size_t count) {
  return all * static_cast<std::int64_t>(number) / static_cast<std::int64_t>(count);
}

template <class T>
void sweep_axis(const exec::Device& device, const std::vector<HeatAxis>& axes, std::size_t axis, double step,
                exec::View<T> u) {
  SweepOptions options;
  options.periodic = axes[axis].ends == Ends::periodic;
  sweep<T>(device, detail::lines_along(axes, axis), detail::implicit_rows<T>(axes[axis], step), u, u,
           options);
}

}  // namespace

SharedLodHeat::SharedLodHeat(std::vector<exec::Device> devices, std::vector<HeatAxis> axes, double step)
    : devices_(std::move(devices)), axes_(std::move(axes)), step_(step) {
  require(!devices_.empty(), "SharedLodHeat: no device; give one or more");
  detail::check_heat_axes("SharedLodHeat", axes_, step_);
  for (const HeatAxis& axis : axes_)
    require(!detail::supplies(axis), "SharedLodHeat: an end of an axis supplies heat; use LodHeat");
}

template <class T>
void SharedLodHeat::advance(std::span<T> u, std::int64_t steps) const {
  const std::int64_t nodes = detail::nodes_of(axes_);
  require(static_cast<std::int64_t>(u.size()) == nodes, [&] {
    return fmt::format("SharedLodHeat: u has {} values but the grid has {} nodes", u.size(), nodes);
  });
  const std::int64_t planes = axes_.front().nodes;
  const std::int64_t width = nodes / planes;
  const std::size_t count = devices_.size();
  std::vector<Share<T>> shares;
  for (std::size_t d = 0; d < count; ++d) {
    const std::int64_t columns = part(width, d + 1, count) - part(width, d, count);
    const std::int64_t slab = part(planes, d + 1, count) - part(planes, d, count);
    shares.emplace_back(devices_[d], std::max(columns * planes, slab * width));
  }
  for (std::int64_t k = 0; k < steps; ++k) {
    for_each_device(count, [&](std::size_t d) {
      const std::int64_t first = part(width, d, count);
      const std::int64_t columns = part(width, d + 1, count) - first;
      if (columns == 0) return;
      const std::vector<HeatAxis> lines{axes_.front(), HeatAxis{columns}};
      shares[d].visit(u.data() + first, planes, columns, width,
                      [&](exec::View<T> v) { sweep_axis(devices_[d], lines, 0, step_, v); });
    });
    if (axes_.size() == 1) continue;
    for_each_device(count, [&](std::size_t d) {
      const std::int64_t first = part(planes, d, count);
      std::vector<HeatAxis> slab = axes_;
      slab.front().nodes = part(planes, d + 1, count) - first;
      if (slab.front().nodes == 0) return;
      shares[d].visit(u.data() + first * width, 1, slab.front().nodes * width, 0, [&](exec::View<T> v) {
        for (std::size_t axis = 1; axis < slab.size(); ++axis) sweep_axis(devices_[d], slab, axis, step_, v);
      });
    });
  }
}

template void SharedLodHeat::advance<float>(std::span<float>, std::int64_t) const;
template void SharedLodHeat::advance<double>(std::span<double>, std::int64_t) const;

}  // namespace setka::grid
