// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "failure.hpp"

namespace setka::app {

/// Tells of a failure and returns the exit code.
using Fail = std::function<int(const Failure&)>;

/// The command line of Setka: parses, calls the library, prints. Every error becomes its message and its exit
/// code.
int run_program(int argc, char** argv, const Fail& fail_by);

}  // namespace setka::app
