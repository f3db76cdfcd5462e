// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"

namespace setka::exec {

/// Whether memory can be had that all of them read and write: all are CPUs, or all GPUs.
bool reach_each_other(const std::vector<Device>& devices);

/// Free memory that each of them may count on: those of one GPU, or CPUs, share it.
std::uint64_t free_memory_of_each(const std::vector<Device>& devices);

namespace detail {

/// Whether one device's memory is that of all: CPUs, or one GPU several times. Throws Error(Fault::usage)
/// where they do not reach each other's memory.
bool share_memory(const std::vector<Device>& devices);

/// Memory of several GPUs under one address; `ends` in bytes. Throws Error(Fault::resource) where a GPU has
/// no room for its part.
void* allocate_spread(const std::vector<Device>& devices, const std::vector<std::size_t>& ends);
void free_spread(void* data) noexcept;

}  // namespace detail

/// An Array that all these devices read and write, where they reach_each_other(): device d has the values up
/// to ends[d] from ends[d - 1] on in its own memory, as far as pages allow for it. Of several GPUs it is
/// managed memory whose pages stay where they are; the others reach them over the link between the GPUs. It
/// belongs to the first device, and counts for its memory where it is one device's.
template <class T>
Array<T> common_array(const std::vector<Device>& devices, const std::vector<std::int64_t>& ends) {
  require(
      !devices.empty() && devices.size() == ends.size() && std::ranges::is_sorted(ends) && ends.front() >= 0,
      "common_array: give each device the end of its values, in rising order");
  if (detail::share_memory(devices) || ends.back() == 0) return Array<T>(devices.front(), ends.back());
  std::vector<std::size_t> bytes;
  bytes.reserve(ends.size());
  for (const std::int64_t end : ends) bytes.push_back(static_cast<std::size_t>(end) * sizeof(T));
  auto* const data = static_cast<T*>(detail::allocate_spread(devices, bytes));
  return Array<T>::adopt(devices.front(), data, ends.back(), [data] { detail::free_spread(data); });
}

/// Throws Error(Fault::usage) that begins with `who` where a device does not reach the values.
template <class T>
void require_reach(const char* who, const std::vector<Device>& devices, const Array<T>& values) {
  for (const Device& device : devices) {
    require(device == values.device() || values.empty() || device.reaches(values.data()), [&] {
      return std::string(who) + ": " + device.label() +
             " does not reach the values; make them by on_devices() or common_array()";
    });
  }
}

namespace cuda {
void* try_allocate_spread(const std::vector<Device>& devices, const std::vector<std::size_t>& ends);
void free_spread(void* data) noexcept;
}  // namespace cuda

}  // namespace setka::exec
