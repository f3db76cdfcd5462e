// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <utility>
#include <vector>

/// Work of the host that goes on beside other work, in threads of its own.
namespace setka {

/// Nodes of a model from which a thread takes less time to start than what it does meanwhile.
inline constexpr std::int64_t meanwhile_min_nodes = 10'000;

/// What a task makes: in a thread of its own for a model of so many nodes where that is worth it, or when it
/// is asked for, where it is not or no thread is to be had. What the task throws comes out of get(). To be
/// waited for before anything that it uses goes: a task under way is waited for when the future goes, one
/// that has not begun is left undone.
template <class Task>
auto meanwhile(std::int64_t nodes, Task task) {
  return std::async(
      nodes >= meanwhile_min_nodes ? std::launch::async | std::launch::deferred : std::launch::deferred,
      std::move(task));
}

/// task(0) to task(count - 1), of a large model at the same time. All that have begun have ended when it
/// returns or throws; what it throws is of the first of them that failed.
template <class Task>
void all_meanwhile(std::int64_t nodes, std::size_t count, const Task& task) {
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < count; ++i) others.push_back(meanwhile(nodes, [&task, i] { task(i); }));
  if (count > 0) task(0);
  for (std::future<void>& other : others) other.get();
}

}  // namespace setka
