// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/device_threads.hpp"

#include <atomic>
#include <barrier>
#include <exception>
#include <thread>
#include <vector>

namespace setka::grid::detail {
namespace {

/// Of a thread that ends because another failed.
struct Stopped {};

}  // namespace

void with_a_thread_each(std::size_t count, const std::function<void(std::size_t, const Meet&)>& work) {
  std::barrier meeting(static_cast<std::ptrdiff_t>(count));
  std::atomic<bool> failed{false};
  std::vector<std::exception_ptr> failures(count);
  const Meet meet = [&] {
    meeting.arrive_and_wait();
    if (failed) throw Stopped{};
  };
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < count; ++number) {
    threads.emplace_back([&, number] {
      try {
        work(number, meet);
        return;
      } catch (const Stopped&) {
      } catch (...) {
        failures[number] = std::current_exception();
        failed = true;
      }
      meeting.arrive_and_drop();  // nobody waits for it any more
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace setka::grid::detail
