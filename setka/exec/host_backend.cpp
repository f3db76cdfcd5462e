// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/huge_pages.hpp"
#include "setka/base/system.hpp"
#include "setka/base/text.hpp"
#include "setka/exec/detail/backend.hpp"
#include "setka/exec/parallel.hpp"

namespace setka::exec::detail {
namespace {

constexpr std::size_t alignment = 64;  // a cache line, and the widest SIMD register

/// Arrays of several huge pages lie on such pages where the system grants them: a stream through memory then
/// does not look up an address every 4 kB, and the memory's own prefetching is not cut off there.
void* allocate_aligned(std::size_t bytes) {
  const bool large = bytes >= 2 * huge_page;
  void* data = nullptr;
  const std::size_t whole_lines = (bytes + alignment - 1) / alignment * alignment;
  if (posix_memalign(&data, large ? huge_page : alignment, whole_lines) != 0) return nullptr;
  prefer_huge_pages(data, bytes);
  return data;
}

class HostEvent final : public EventState {
 public:
  void synchronize() override {}
  double seconds_since(EventState& earlier) override {
    return std::chrono::duration<double>(at_ - dynamic_cast<HostEvent&>(earlier).at_).count();
  }

 private:
  std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::now();
};

/// Work on the CPU is done when the call returns, so a stream has nothing to wait for.
class HostStream final : public StreamState {
 public:
  explicit HostStream(DeviceState& device) : StreamState(device) {}
  ~HostStream() override { trim(); }

  void synchronize() override {}
  std::shared_ptr<EventState> record() override { return std::make_shared<HostEvent>(); }
  void mark(std::shared_ptr<EventState>& event) override { event = record(); }
  void wait(EventState& event) override { event.synchronize(); }

  void copy(void* to, const void* from, std::size_t bytes) override {
    in_pieces(bytes, [&](std::size_t first, std::size_t count) {
      std::memcpy(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, count);
    });
  }

  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t rows) override {
    constexpr std::int64_t rows_at_once = 16;
    host::for_each(device_.threads(), static_cast<std::int64_t>(rows), rows_at_once, [&](std::int64_t i) {
      const auto row = static_cast<std::size_t>(i);
      std::memcpy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch,
                  width);
    });
  }

  void fill_bytes(void* to, int byte, std::size_t bytes) override {
    in_pieces(bytes, [&](std::size_t first, std::size_t count) {
      std::memset(static_cast<char*>(to) + first, byte, count);
    });
  }

  void* landing() override { return landing_; }

 private:
  /// Shares a range of bytes out over the team; one core alone does not use all of the memory's bandwidth.
  template <class Piece>
  void in_pieces(std::size_t bytes, Piece piece) const {
    constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    const auto pieces = static_cast<std::int64_t>((bytes + piece_bytes - 1) / piece_bytes);
    host::for_each(device_.threads(), pieces, 1, [&](std::int64_t i) {
      const std::size_t first = static_cast<std::size_t>(i) * piece_bytes;
      piece(first, std::min(piece_bytes, bytes - first));
    });
  }

  alignas(alignment) char landing_[landing_bytes] = {};
};

/// A machine gains nothing from more threads than processors; a few times as many are let through, for tests
/// of the same bits. What lies far beyond is a slip, and libgomp ends the process over it.
int most_threads() {
  return std::max(256, 4 * omp_get_num_procs());
}

/// Makes sure that a team can start, since libgomp ends the process where one cannot: by as many threads that
/// do nothing. Then starts it, so that memory that is taken later cannot be in its way.
void start_team(int threads) {
  static std::mutex mutex;
  static int started = 1;
  const std::lock_guard lock(mutex);
  if (threads <= started) return;
  std::latch all_there(1);
  std::vector<std::thread> trial;
  std::string trouble;
  try {
    for (int i = 1; i < threads; ++i) trial.emplace_back([&] { all_there.wait(); });
  } catch (const std::system_error& error) {
    trouble = error.code().message();
  }
  all_there.count_down();
  for (std::thread& thread : trial) thread.join();
  if (!trouble.empty()) {
    throw Error(
        Fault::resource,
        fmt::format("{} CPU threads cannot be started, only {}: {}", threads, trial.size() + 1, trouble),
        "ask for fewer (--threads, OMP_NUM_THREADS), or allow for more (ulimit -u, ulimit -v)");
  }
#pragma omp parallel num_threads(threads)
  {}
  started = threads;
}

/// Of a device for which so many were asked for, 0 for all.
int team_of(int asked) {
  const int threads = asked > 0 ? asked : omp_get_max_threads();
  if (threads > most_threads()) {
    throw Error(Fault::usage,
                fmt::format("{} CPU threads are asked for{}, but there are {} processors", threads,
                            asked > 0 ? "" : " by OMP_NUM_THREADS", omp_get_num_procs()),
                fmt::format("ask for at most {}", most_threads()));
  }
  start_team(threads);
  return threads;
}

class HostDevice final : public DeviceState {
 public:
  explicit HostDevice(int threads) : threads_(team_of(threads)) {}
  ~HostDevice() override { close_streams(); }

  Backend backend() const override { return Backend::cpu; }
  int ordinal() const override { return 0; }
  int threads() const override { return threads_; }
  void synchronize() override {}
  std::unique_ptr<StreamState> make_stream() override { return std::make_unique<HostStream>(*this); }
  std::unique_ptr<StreamState> wrap_stream(NativeStream) override {
    throw Error(Fault::usage, "Device::wrap: a CPU has no streams of CUDA", "use the GPU of the stream");
  }
  bool reaches(const void* data) const override { return !is_gpu_memory(data); }

 private:
  DeviceInfo own_info() const override { return host_info(threads_); }

  void release(void* data, Memory memory) noexcept override {
    if (memory == Memory::pinned) {
      free_pinned(data);
    } else {
      std::free(data);
    }
  }

  void* try_allocate(std::size_t bytes, Memory memory) override {
    // The kernel promises more than there is and kills the process when it is touched: large requests are
    // held against what is available first.
    constexpr std::size_t large = std::size_t{64} << 20;
    if (bytes >= large && bytes > host_memory().available) return nullptr;
    if (memory == Memory::pinned) return try_allocate_pinned(bytes);
    return allocate_aligned(bytes);
  }

  int threads_;
};

}  // namespace

std::shared_ptr<DeviceState> make_host_device(int threads) {
  return std::make_shared<HostDevice>(threads);
}

DeviceInfo host_info(int threads) {
  const int team = threads > 0 ? threads : omp_get_max_threads();
  const HostMemory memory = host_memory();
  return {Backend::cpu,     0,
          processor_name(), fmt::format("{} thread{}", team, team == 1 ? "" : "s"),
          memory.total,     memory.available};
}

}  // namespace setka::exec::detail
