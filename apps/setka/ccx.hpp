// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "interface.hpp"

namespace setka::app {

/// The program ccx, also called as setka ccx: takes CalculiX's arguments, writes its files and speaks its way
/// on standard output, so that programs that call CalculiX may call it instead. program: how it was called,
/// for messages. Returns the exit code.
int run_ccx(const std::string& program, std::vector<std::string> arguments);

/// Its options, for completions and manuals.
cli::CommandText ccx_described();

}  // namespace setka::app
