// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace setka::exec {

enum class Backend { cpu, cuda };

std::string_view name(Backend backend);

/// What a device is and has. Memory is as free at the moment of asking.
struct DeviceInfo {
  Backend backend = Backend::cpu;
  int ordinal = 0;          // number among the devices of its back end
  std::string name;         // "NVIDIA H200"
  std::string description;  // "compute capability 9.0, 132 multiprocessors"
  std::uint64_t total_memory = 0;
  std::uint64_t free_memory = 0;
  std::uint64_t cache = 0;  // bytes that all multiprocessors of a GPU share; 0: not known
};

namespace detail {
class DeviceState;
class StreamState;
class EventState;
}  // namespace detail

class Stream;

/// A stream that somebody else made and keeps: a cudaStream_t, of which 0 is CUDA's default stream.
struct NativeStream {
  void* handle = nullptr;
};

/// One place that computes: a team of CPU threads, or one GPU. It owns streams, library handles and scratch
/// memory. A Device is a handle; copies name the same device. Two calls of Device::cuda(0) give two devices
/// that share one GPU, each with its own streams, so that code for several devices can be tested on one. One
/// host thread drives a device at a time.
class Device {
 public:
  /// A team of that many threads; 0: as many as OpenMP would use.
  static Device cpu(int threads = 0);

  /// The GPU of that number. Throws Error where there is none, saying why.
  static Device cuda(int ordinal = 0);

  /// The same with somebody else's stream for its main stream: all that runs on no stream of its own is then
  /// in the order of that stream's work. The stream outlives the device.
  static Device cuda(int ordinal, NativeStream main);

  Backend backend() const;
  bool is_cuda() const { return backend() == Backend::cuda; }
  int ordinal() const;
  int threads() const;        // of the CPU team; 1 for a GPU
  std::string label() const;  // "cpu" or "cuda:0"
  DeviceInfo info() const;

  /// Arrays and scratch blocks of the device take no more than so many bytes together from now on; info()
  /// tells of no more either. What is beyond is an Error as if the memory were full.
  void limit_memory(std::uint64_t bytes) const;

  /// The most bytes that arrays and scratch blocks of the device had at a time since it was made, or since
  /// the last call of forget_memory_peak().
  std::uint64_t memory_peak() const;
  void forget_memory_peak() const;

  /// The stream that everything runs on which is not told otherwise.
  Stream stream() const;

  /// A further stream, concurrent with the others (on the CPU every stream runs at once, in the calling
  /// thread).
  Stream make_stream() const;

  /// Somebody else's stream as one of the device's, with scratch memory of its own; it outlives what is
  /// returned. Throws Error for a CPU, and for a stream of another GPU.
  Stream wrap(NativeStream native) const;

  /// Whether the device may read and write this memory: on the CPU all but a GPU's, on a GPU its own and
  /// managed memory. Asks the driver, about a microsecond.
  bool reaches(const void* data) const;

  /// Waits for all streams of the device; throws when a kernel had failed.
  void synchronize() const;

  friend bool operator==(const Device& a, const Device& b) { return a.state_ == b.state_; }

  detail::DeviceState& state() const { return *state_; }

 private:
  explicit Device(std::shared_ptr<detail::DeviceState> state) : state_(std::move(state)) {}
  std::shared_ptr<detail::DeviceState> state_;
};

/// A point in the work of a stream. On the CPU it has passed when it is made.
class Event {
 public:
  /// One that was not recorded yet; for Stream::mark().
  Event() = default;

  void synchronize() const;

  /// Seconds from an earlier event on the same device to this one; waits for both.
  double seconds_since(const Event& earlier) const;

 private:
  friend class Stream;
  explicit Event(std::shared_ptr<detail::EventState> state) : state_(std::move(state)) {}
  std::shared_ptr<detail::EventState> state_;
};

/// An ordered queue of work on a device, with its own scratch memory and library handles. Operations take a
/// Stream first; a Device given there means its main stream.
class Stream {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): operations take a Device where the main stream is meant
  Stream(const Device& device) : Stream(device.stream()) {}

  const Device& device() const { return device_; }
  bool is_cuda() const { return device_.is_cuda(); }

  Event record() const;
  /// Records in an event that there is, for waits alone and in a fraction of the time: it has no
  /// seconds_since(). All waits for what it stood for before have been asked for.
  void mark(Event& event) const;
  void wait(const Event& event) const;  // work given from now on starts after the event
  void synchronize() const;

  detail::StreamState& state() const { return *state_; }

 private:
  friend class Device;
  Stream(Device device, std::shared_ptr<detail::StreamState> state)
      : device_(std::move(device)), state_(std::move(state)) {}
  Device device_;
  std::shared_ptr<detail::StreamState> state_;
};

/// Every device this build can use on this machine: the CPU, then the GPUs in their order.
std::vector<DeviceInfo> all_devices();

/// Why no GPU can be used ("built without CUDA", "no NVIDIA driver"); empty when one can.
std::string why_no_cuda();

}  // namespace setka::exec
