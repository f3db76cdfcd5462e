// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "cli.hpp"

namespace setka::app {

/// At the end of each command's help its own examples, at the end of setka's those of all commands and the
/// exit codes. To be called when all commands are there.
void add_examples(cli::App& cli);

/// What that adds: the examples of one command, or of all where none is named, and the exit codes.
std::string examples_of(std::string_view command);
std::string_view exit_codes();

}  // namespace setka::app
