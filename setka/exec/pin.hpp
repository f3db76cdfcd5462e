// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "setka/exec/device.hpp"

namespace setka::exec {

/// Host memory of the caller's that a GPU is to copy from and to at full speed, for the life of this object.
/// Making one costs the system a look at every page, about as long as copying the memory once.
class HostPin {
 public:
  HostPin(const Device& device, const void* data, std::size_t bytes);
  HostPin(const HostPin&) = delete;
  HostPin& operator=(const HostPin&) = delete;
  ~HostPin();

  /// False where the system refuses, as for a file mapped to memory: copies then go through pinned_array()s.
  /// Always true for a CPU device, which needs no pinning.
  bool held() const { return held_; }

 private:
  void* pinned_ = nullptr;  // by this object
  bool held_ = true;
};

namespace cuda {
bool is_pinned(const Device& device, const void* data);
bool try_pin(const Device& device, void* data, std::size_t bytes);
void unpin(void* data) noexcept;
}  // namespace cuda

}  // namespace setka::exec
