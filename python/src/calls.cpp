// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "calls.hpp"

#include <utility>

#include "setka/base/progress_listener.hpp"

namespace setka::python {
namespace {

constexpr std::chrono::milliseconds between_looks(100);

}  // namespace

Watch::Watch(py::object progress)
    : progress_(std::move(progress)),
      monitor_(display_to({[this](const ProgressState& state) { update(state); },
                           [this](const ProgressState& state) { finish(state); }})) {}

void Watch::update(const ProgressState& state) {
  const Clock::time_point now = Clock::now();
  if (now - looked_ < between_looks) return;
  looked_ = now;
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (progress_.is_none()) return;
  try {
    tell(state, false);
  } catch (...) {
    progress_ = py::none();  // it has said all that it wants to
    throw;
  }
}

/// Called by a destructor: what the callable raises is shown and forgotten.
void Watch::finish(const ProgressState& state) {
  if (progress_.is_none()) return;
  const py::gil_scoped_acquire locked;
  try {
    tell(state, true);
  } catch (py::error_already_set& raised) {
    raised.discard_as_unraisable("setka: progress");
  }
}

void Watch::tell(const ProgressState& state, bool finished) const {
  progress_(py::str(state.name.data(), state.name.size()), state.done, state.total,
            py::str(state.unit.data(), state.unit.size()), py::str(state.note.data(), state.note.size()),
            state.seconds, finished);
}

}  // namespace setka::python
