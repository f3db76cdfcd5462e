// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <string_view>

#include <fmt/core.h>

#include "completion.hpp"
#include "setka/base/config.hpp"

namespace setka::app {
namespace {

using cli::CommandText;
using cli::Completed;
using cli::OptionText;

std::string in_quotes(std::string_view text) {
  std::string made = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') made += '\\';
    made += letter;
  }
  return made + "'";
}

/// What may stand for a value, as options of fish's complete.
std::string value_of(const OptionText& option) {
  if (!option.words.empty()) return fmt::format(" -a {}", in_quotes(cli::joined(option.words, " ")));
  const cli::Completion completion = completion_of(option);
  if (completion.by == Completed::folders) return " -a '(__fish_complete_directories)'";
  if (completion.by == Completed::nothing) return "";
  if (completion.endings.empty()) return " -F";
  std::string text;
  for (const std::string& ending : completion.endings)
    text += fmt::format("{}__fish_complete_suffix {}", text.empty() ? "" : "; ", ending);
  return fmt::format(" -a '({})'", text);
}

std::string line(const std::string& condition, const OptionText& option) {
  std::string text = fmt::format("complete -c setka -n {}", in_quotes(condition));
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_value) {
    const std::string value = value_of(option);
    if (option.by_place() && value.empty()) return "";
    if (!option.by_place() && !option.value_optional) text += value == " -F" ? " -r" : " -x";
    text += value;
  }
  if (!option.by_place()) text += " -d " + in_quotes(option.help);
  return text + "\n";
}

}  // namespace

std::string fish_completion(const CommandText& program) {
  std::string text = fmt::format(
      "# Completion of setka {} in fish, by: setka completion fish\n"
      "complete -c setka -f\n",
      version);
  for (const OptionText& option : program.options) text += line("__fish_use_subcommand", option);
  for (const CommandText& command : program.commands) {
    text += fmt::format("complete -c setka -n '__fish_use_subcommand' -a {} -d {}\n", command.name,
                        in_quotes(command.what));
    for (const OptionText& option : command.options)
      text += line("__fish_seen_subcommand_from " + command.name, option);
  }
  return text;
}

}  // namespace setka::app
