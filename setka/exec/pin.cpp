// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/pin.hpp"

#include "setka/base/config.hpp"
#include "setka/base/system.hpp"

namespace setka::exec {

HostPin::HostPin(const Device& device, const void* data, std::size_t bytes) {
  if (!device.is_cuda() || bytes == 0) return;
  if constexpr (with_cuda) {
    if (cuda::is_pinned(device, data)) return;
    // Pinned pages cannot be swapped out: most of the host's memory is not to be taken so.
    held_ = bytes <= host_memory().total / 2 && cuda::try_pin(device, const_cast<void*>(data), bytes);
    if (held_) pinned_ = const_cast<void*>(data);
  }
}

HostPin::~HostPin() {
  if constexpr (with_cuda) {
    if (pinned_ != nullptr) cuda::unpin(pinned_);
  }
}

}  // namespace setka::exec
