// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "completion.hpp"

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::app {

cli::App* add_completion_command(cli::App& cli, CompletionOptions& options) {
  cli::App* command = cli.add_subcommand("completion", "Print a script that lets a shell complete setka");
  command->add_option("shell", options.shell, "bash, zsh or fish")
      ->required()
      ->type_name("SHELL")
      ->is_member({"bash", "zsh", "fish"});
  command->footer(
      "\nPackages install these scripts. Without one, and for this user alone:\n"
      "  bash  setka completion bash > ~/.local/share/bash-completion/completions/setka\n"
      "  zsh   setka completion zsh > FOLDER/_setka, of a FOLDER in $fpath\n"
      "  fish  setka completion fish > ~/.config/fish/completions/setka.fish");
  return command;
}

int print_completion(const CompletionOptions& options, const cli::CommandText& program) {
  const std::string text = options.shell == "bash"  ? bash_completion(program)
                           : options.shell == "zsh" ? zsh_completion(program)
                                                    : fish_completion(program);
  fmt::print("{}", text);
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
