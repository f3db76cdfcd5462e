// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <utility>

#include "python.hpp"
#include "setka/base/monitor.hpp"

namespace setka::python {

/// The Monitor of a call that may be long: a few times a second it looks whether Ctrl-C was pressed, and
/// tells a callable of Python how far the work is. Made and used without the lock of the interpreter or with
/// it.
class Watch {
 public:
  /// progress: None, or called as progress(name, done, total, unit, note, seconds, finished).
  explicit Watch(py::object progress);

  Monitor& monitor() { return monitor_; }

 private:
  using Clock = std::chrono::steady_clock;

  void update(const ProgressState& state);
  void finish(const ProgressState& state);
  void tell(const ProgressState& state, bool finished) const;

  py::object progress_;
  Clock::time_point looked_ = Clock::now();
  Monitor monitor_;
};

/// Does work without the lock of the interpreter.
template <class Work>
auto unlocked(Work&& work) {
  const py::gil_scoped_release others_may_run;
  return std::forward<Work>(work)();
}

}  // namespace setka::python
