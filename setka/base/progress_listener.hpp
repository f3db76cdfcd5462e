// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "setka/base/progress.hpp"

namespace setka {

/// What is told of stages in the place of a terminal, for programs that have their own way to show them.
struct ProgressListener {
  /// As often as the work likes: it bounds its own rate. What it throws stops the computation, in the thread
  /// that drives it.
  std::function<void(const ProgressState&)> update;

  /// A stage is over; must not throw.
  std::function<void(const ProgressState&)> finish;
};

/// For a Monitor.
ProgressDisplay display_to(ProgressListener listener);

}  // namespace setka
