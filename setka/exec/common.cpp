// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/common.hpp"

#include <limits>

#include <fmt/core.h>

#include "setka/base/config.hpp"
#include "setka/base/text.hpp"

namespace setka::exec {
namespace {

bool are_one(const Device& a, const Device& b) {
  return a.is_cuda() == b.is_cuda() && (!a.is_cuda() || a.ordinal() == b.ordinal());
}

}  // namespace

bool reach_each_other(const std::vector<Device>& devices) {
  return std::ranges::all_of(devices, &Device::is_cuda) || std::ranges::none_of(devices, &Device::is_cuda);
}

std::uint64_t free_memory_of_each(const std::vector<Device>& devices) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const Device& device : devices) {
    const auto sharing =
        std::ranges::count_if(devices, [&](const Device& other) { return are_one(device, other); });
    least = std::min(least, device.info().free_memory / static_cast<std::uint64_t>(sharing));
  }
  return least;
}

namespace detail {

bool share_memory(const std::vector<Device>& devices) {
  if (!reach_each_other(devices)) {
    throw Error(Fault::usage,
                "CPUs and GPUs do not reach each other's memory, which these devices are to share",
                "give GPUs alone (--devices 0,1) or CPUs alone (--devices cpu,cpu)");
  }
  return std::ranges::all_of(devices, [&](const Device& one) { return are_one(devices.front(), one); });
}

void* allocate_spread(const std::vector<Device>& devices, const std::vector<std::size_t>& ends) {
  // Managed memory may be larger than a GPU's and would then move to and fro.
  std::size_t begin = 0;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const std::size_t bytes = ends[d] - begin;
    begin = ends[d];
    const std::uint64_t free = devices[d].info().free_memory;
    if (bytes <= free) continue;
    throw Error(Fault::resource,
                fmt::format("{} of an array are to lie on {}, which has {} left", format_bytes(bytes),
                            devices[d].label(), format_bytes(free)),
                "give more devices, or take a smaller problem");
  }
  void* data = nullptr;
  if constexpr (with_cuda) data = cuda::try_allocate_spread(devices, ends);
  if (data == nullptr)
    throw Error(Fault::resource,
                fmt::format("{} over several GPUs are not to be had", format_bytes(ends.back())),
                "give more devices, or take a smaller problem");
  return data;
}

void free_spread([[maybe_unused]] void* data) noexcept {
  if constexpr (with_cuda) cuda::free_spread(data);
}

}  // namespace detail
}  // namespace setka::exec
