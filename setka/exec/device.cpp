// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/device.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/log.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/detail/backend.hpp"

namespace setka::exec {

std::string_view name(Backend backend) {
  return backend == Backend::cuda ? "cuda" : "cpu";
}

Device Device::cpu(int threads) {
  require(threads >= 0, [&] {
    return fmt::format("Device::cpu: {} threads asked for; give 1 or more, or 0 for all", threads);
  });
  return Device(detail::make_host_device(threads));
}

Device Device::cuda(int ordinal) {
  return Device(detail::make_cuda_device(ordinal));
}

Device Device::cuda(int ordinal, NativeStream main) {
  Device device = cuda(ordinal);
  device.state_->set_main_stream(device.state_->wrap_stream(main));
  return device;
}

Backend Device::backend() const {
  return state_->backend();
}
int Device::ordinal() const {
  return state_->ordinal();
}
int Device::threads() const {
  return state_->threads();
}
std::string Device::label() const {
  return state_->label();
}
DeviceInfo Device::info() const {
  return state_->info();
}
void Device::limit_memory(std::uint64_t bytes) const {
  state_->limit_memory(bytes);
}
std::uint64_t Device::memory_peak() const {
  return state_->memory_peak();
}
void Device::forget_memory_peak() const {
  state_->forget_memory_peak();
}
Stream Device::stream() const {
  return {*this, state_->main_stream()};
}
Stream Device::make_stream() const {
  return {*this, state_->make_stream()};
}
Stream Device::wrap(NativeStream native) const {
  return {*this, state_->wrap_stream(native)};
}
bool Device::reaches(const void* data) const {
  return state_->reaches(data);
}
void Device::synchronize() const {
  state_->synchronize();
}

void Event::synchronize() const {
  state_->synchronize();
}
double Event::seconds_since(const Event& earlier) const {
  return state_->seconds_since(*earlier.state_);
}

Event Stream::record() const {
  return Event(state_->record());
}
void Stream::mark(Event& event) const {
  state_->mark(event.state_);
}
void Stream::wait(const Event& event) const {
  state_->wait(*event.state_);
}
void Stream::synchronize() const {
  state_->synchronize();
}

std::vector<DeviceInfo> all_devices() {
  std::vector<DeviceInfo> found{detail::host_info(0)};
  for (DeviceInfo& gpu : detail::cuda_devices()) found.push_back(std::move(gpu));
  return found;
}

std::string why_no_cuda() {
  return detail::why_no_cuda();
}

namespace detail {

DeviceInfo DeviceState::info() const {
  DeviceInfo known = own_info();
  const std::uint64_t limit = limit_;
  const std::uint64_t used = in_use_;
  known.total_memory = std::min(known.total_memory, limit);
  known.free_memory = std::min(known.free_memory, limit - std::min(limit, used));
  return known;
}

void* DeviceState::take(std::size_t bytes, Memory memory) {
  if (memory == Memory::pinned) return try_allocate(bytes, memory);
  const std::uint64_t limit = limit_;
  if (bytes > limit - std::min<std::uint64_t>(limit, in_use_)) return nullptr;
  void* const data = try_allocate(bytes, memory);
  if (data == nullptr) return nullptr;
  const std::uint64_t now = in_use_ += bytes;
  std::uint64_t peak = peak_;
  while (peak < now && !peak_.compare_exchange_weak(peak, now)) {
  }
  return data;
}

void* DeviceState::allocate(std::size_t bytes, Memory memory) {
  if (bytes == 0) return nullptr;
  void* data = take(bytes, memory);
  if (data == nullptr && main_ != nullptr) {
    const std::size_t freed = main_->trim();
    if (freed > 0) {
      log::debug("{}: gave back {} of scratch memory to make room", label(), format_bytes(freed));
      data = take(bytes, memory);
    }
  }
  if (data == nullptr) {
    const DeviceInfo now = info();
    throw Error(
        Fault::resource,
        fmt::format("out of memory on {} ({}): {} asked for, {} of {} free", label(), now.name,
                    format_bytes(bytes), format_bytes(now.free_memory), format_bytes(now.total_memory)),
        "use a smaller model, a device with more memory, or end other programs");
  }
  return data;
}

void DeviceState::free(void* data, std::size_t bytes, Memory memory) noexcept {
  release(data, memory);
  if (memory == Memory::device) in_use_ -= bytes;
}

std::shared_ptr<StreamState> DeviceState::main_stream() {
  if (main_ == nullptr) main_ = make_stream();
  return {shared_from_this(), main_.get()};
}

std::string DeviceState::label() const {
  return backend() == Backend::cuda ? fmt::format("cuda:{}", ordinal()) : "cpu";
}

StreamState::Block StreamState::take_scratch(std::size_t bytes) {
  if (bytes == 0) return {};
  // The smallest kept block that is large enough, unless that would waste more than half of it.
  const auto fit = kept_.lower_bound(bytes);
  if (fit != kept_.end() && fit->first <= 2 * bytes + 65536) {
    const Block block{fit->second, fit->first};
    kept_.erase(fit);
    return block;
  }
  constexpr std::size_t granule = 4096;
  const std::size_t rounded = (bytes + granule - 1) / granule * granule;
  return {device_.allocate(rounded, Memory::device), rounded};
}

void StreamState::give_back_scratch(Block block) noexcept {
  if (block.data == nullptr) return;
  try {
    kept_.emplace(block.bytes, block.data);
  } catch (...) {  // no room for the note: then the block goes as well
    device_.free(block.data, block.bytes, Memory::device);
  }
}

std::size_t StreamState::trim() noexcept {
  std::size_t freed = 0;
  for (const auto& [bytes, data] : kept_) {
    device_.free(data, bytes, Memory::device);
    freed += bytes;
  }
  kept_.clear();
  return freed;
}

}  // namespace detail
}  // namespace setka::exec
