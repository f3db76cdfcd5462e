// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "setka/base/error.hpp"

namespace setka::app {

/// What an exception means to the user of a program.
struct Failure {
  ExitCode code = ExitCode::internal;
  std::string text;
};

/// Of the exception that is being handled: to be called in a catch block.
Failure current_failure();

}  // namespace setka::app
