// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "setka/exec/device.hpp"

/// What a back end implements; everything else in exec/ is written over it.
namespace setka::exec::detail {

enum class Memory { device, pinned };  // pinned: host memory that a GPU copies from without a detour

class EventState {
 public:
  EventState() = default;
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;
  virtual ~EventState() = default;
  virtual void synchronize() = 0;
  virtual double seconds_since(EventState& earlier) = 0;
};

class DeviceState;

class StreamState {
 public:
  explicit StreamState(DeviceState& device) : device_(device) {}
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;
  virtual ~StreamState() = default;

  virtual void synchronize() = 0;
  virtual std::shared_ptr<EventState> record() = 0;
  /// For order alone: in `event`, which is made where there is none.
  virtual void mark(std::shared_ptr<EventState>& event) = 0;
  virtual void wait(EventState& event) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;  // returns before it is done on a GPU
  /// Rows of bytes that lie pitches apart.
  virtual void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t rows) = 0;
  virtual void fill_bytes(void* to, int byte, std::size_t bytes) = 0;

  /// Scratch blocks are kept for the next taker: work on one stream is ordered, so no wait is needed between
  /// them.
  struct Block {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  Block take_scratch(std::size_t bytes);
  void give_back_scratch(Block block) noexcept;

  /// Frees the kept blocks; returns how many bytes that gave back.
  std::size_t trim() noexcept;

  /// Small pinned buffer for results on their way to the host.
  virtual void* landing() = 0;
  static constexpr std::size_t landing_bytes = 4096;

 protected:
  DeviceState& device_;

 private:
  std::multimap<std::size_t, void*> kept_;
};

class DeviceState : public std::enable_shared_from_this<DeviceState> {
 public:
  DeviceState() = default;
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;
  virtual ~DeviceState() = default;

  virtual Backend backend() const = 0;
  virtual int ordinal() const = 0;
  virtual int threads() const = 0;
  DeviceInfo info() const;  // memory within the limit
  virtual void synchronize() = 0;
  virtual std::unique_ptr<StreamState> make_stream() = 0;
  virtual std::unique_ptr<StreamState> wrap_stream(NativeStream native) = 0;
  virtual bool reaches(const void* data) const = 0;

  /// Throws Error(Fault::resource) that says how much was asked for, how much is free and where. Waits for
  /// the device.
  void* allocate(std::size_t bytes, Memory memory);
  void free(void* data, std::size_t bytes, Memory memory) noexcept;

  /// Of Memory::device alone.
  void limit_memory(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t memory_peak() const { return peak_; }
  void forget_memory_peak() { peak_ = in_use_.load(); }

  std::shared_ptr<StreamState> main_stream();
  void set_main_stream(std::unique_ptr<StreamState> stream) { main_ = std::move(stream); }
  std::string label() const;

 protected:
  /// nullptr when there is no room.
  virtual void* try_allocate(std::size_t bytes, Memory memory) = 0;
  virtual void release(void* data, Memory memory) noexcept = 0;
  virtual DeviceInfo own_info() const = 0;

  /// Back ends call it in their destructor, while free() still works.
  void close_streams() noexcept { main_.reset(); }

 private:
  void* take(std::size_t bytes, Memory memory);  // nullptr when there is no room within the limit

  std::unique_ptr<StreamState> main_;
  std::atomic<std::uint64_t> limit_ = std::numeric_limits<std::uint64_t>::max();
  std::atomic<std::uint64_t> in_use_ = 0;
  std::atomic<std::uint64_t> peak_ = 0;
};

std::shared_ptr<DeviceState> make_host_device(int threads);
DeviceInfo host_info(int threads);

// In a build without CUDA these say so (no_cuda_backend.cpp).
std::shared_ptr<DeviceState> make_cuda_device(int ordinal);
std::vector<DeviceInfo> cuda_devices();
std::string why_no_cuda();
void* try_allocate_pinned(std::size_t bytes);  // nullptr without a GPU to pin for
void free_pinned(void* data) noexcept;
bool is_gpu_memory(const void* data);  // false as long as no GPU was used here: it is not woken for that

}  // namespace setka::exec::detail
