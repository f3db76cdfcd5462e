// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

namespace setka::solve::detail {

/// The loop of solve::side_by_side(), whatever BLAS there is.
inline void loop_side_by_side(int threads, std::int64_t count,
                              const std::function<void(std::int64_t)>& body) {
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(count));
  [[maybe_unused]] const int team =
      static_cast<int>(std::clamp<std::int64_t>(count, 1, std::max(1, threads)));
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
  for (std::int64_t i = 0; i < count; ++i) {
    try {
      body(i);
    } catch (...) {
      thrown[static_cast<std::size_t>(i)] = std::current_exception();
    }
  }
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }
}

}  // namespace setka::solve::detail
