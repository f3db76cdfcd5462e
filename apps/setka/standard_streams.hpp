// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/base/error.hpp"

namespace setka::app {

/// Before anything is opened or printed: a standard stream that the caller has closed is put on /dev/null, as
/// the next file that is opened would else take its number and get what is printed; a reader that has gone
/// (`| head`) becomes a write that fails instead of a signal in the midst of the work.
void guard_standard_streams();

/// "setka: error: TEXT" on standard error, whether that can be written or not. Returns the code.
int fail(ExitCode code, const char* text);

/// The code to end with: that of the work or, where it was done but standard output could not be written to
/// its end, ExitCode::resource after a message.
int code_after_output(int code);

}  // namespace setka::app
