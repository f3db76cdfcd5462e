// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli.hpp"

namespace setka::app {

/// A script that lets a shell complete the program's commands, options and their values. Made of what the
/// program declares, so that nothing is missing in it and nothing left over.
std::string bash_completion(const cli::CommandText& program);
std::string zsh_completion(const cli::CommandText& program);
std::string fish_completion(const cli::CommandText& program);

struct CompletionOptions {
  std::string shell;
};
cli::App* add_completion_command(cli::App& cli, CompletionOptions& options);
int print_completion(const CompletionOptions& options, const cli::CommandText& program);

}  // namespace setka::app
