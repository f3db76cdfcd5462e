// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli.hpp"

namespace setka::app {

struct ManualOptions {
  std::string command;
  std::string folder;
};

/// Manual pages, made of what the program declares.
cli::App* add_manual_command(cli::App& cli, ManualOptions& options);

/// Prints the page of the program or of one command, or writes all of them into a folder.
int print_manual(const ManualOptions& options, const cli::CommandText& program);

}  // namespace setka::app
