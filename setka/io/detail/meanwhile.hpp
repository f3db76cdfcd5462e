// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <future>
#include <utility>

#include "setka/model/model.hpp"

namespace setka::io {

/// What a task makes: in a thread of its own for a large model, or when it is asked for, where there is no
/// thread to be had or none is worth starting. To be waited for before anything that it uses goes.
template <class Task>
auto meanwhile(const model::Model& model, Task task) {
  constexpr std::int32_t large = 50'000;  // nodes: threads take less time to start than the files to write
  return std::async(
      model.mesh.node_count() >= large ? std::launch::async | std::launch::deferred : std::launch::deferred,
      std::move(task));
}

}  // namespace setka::io
