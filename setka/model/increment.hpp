// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace setka::model {

/// A piece of the time of a step that was solved.
struct Increment {
  int step = 1;
  std::int64_t number = 1;  // in the step
  int attempts = 1;         // the last of which counted
  int iterations = 1;       // towards a balance of forces; one in a linear step
  double total_time = 1;    // at its end
  double time_in_step = 1;  // at its end
  double length = 1;        // in time
};

}  // namespace setka::model
