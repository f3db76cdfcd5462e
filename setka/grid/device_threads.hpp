// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

namespace setka::grid::detail {

/// Waits until all threads have come so far.
using Meet = std::function<void()>;

/// One thread each for numbers 0 .. count - 1, all of which call meet() equally often. When one fails the
/// others end at their next meeting, and its failure is thrown.
void with_a_thread_each(std::size_t count, const std::function<void(std::size_t, const Meet&)>& work);

}  // namespace setka::grid::detail
