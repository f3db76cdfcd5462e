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

/// For use within single quotes, where `special` letters need a backslash.
std::string in_quotes(std::string_view text, std::string_view special) {
  std::string made;
  for (const char letter : text) {
    if (letter == '\'') {
      made += "'\\''";
      continue;
    }
    if (letter == '\\' || special.find(letter) != std::string_view::npos) made += '\\';
    made += letter;
  }
  return made;
}

/// ":VALUE:how it is completed"
std::string value_of(const OptionText& option) {
  std::string text = ":" + in_quotes(option.value, ":") + ":";
  if (!option.words.empty()) return text + fmt::format("({})", cli::joined(option.words, " "));
  const cli::Completion completion = completion_of(option);
  if (completion.by == Completed::folders) return text + "_files -/";
  if (completion.by == Completed::nothing) return text + " ";
  if (completion.endings.empty()) return text + "_files";
  // A single word in parentheses would be qualifiers of the pattern.
  if (completion.endings.size() == 1)
    return text + fmt::format("_files -g \"*{}\"", completion.endings.front());
  return text + fmt::format("_files -g \"*({})\"", cli::joined(completion.endings, "|"));
}

std::string spec(const OptionText& option) {
  if (option.by_place()) return "'" + value_of(option) + "'";
  const std::string help = "[" + in_quotes(option.help, "[]:") + "]";
  std::vector<std::string> names = option.names;
  if (option.takes_value && !option.value_optional) {
    for (std::string& name : names) name += name.starts_with("--") ? "=" : "+";
  }
  const std::string value =
      option.takes_value ? (option.value_optional ? ":" : "") + value_of(option) : std::string();
  if (names.size() == 1) return fmt::format("'{}{}{}'", names.front(), help, value);
  return fmt::format("'({})'{{{}}}'{}{}'", cli::joined(option.names, " "), cli::joined(names, ","), help,
                     value);
}

std::string arguments(const std::vector<OptionText>& options, std::string_view indent) {
  std::string text = "_arguments";
  for (const OptionText& option : options) text += fmt::format(" \\\n{}{}", indent, spec(option));
  return text;
}

}  // namespace

std::string zsh_completion(const CommandText& program) {
  std::string names;
  std::string cases;
  for (const CommandText& command : program.commands) {
    names += fmt::format("        '{}:{}'\n", command.name, in_quotes(command.what, ":"));
    cases += fmt::format("        {})\n          {} ;;\n", command.name,
                         arguments(command.options, "            "));
  }
  std::string own;
  for (const OptionText& option : program.options) own += fmt::format("    {} \\\n", spec(option));
  return fmt::format(
      "#compdef setka\n"
      "# Completion of setka {} in zsh, by: setka completion zsh\n"
      "_setka() {{\n"
      "  local state line\n"
      "  typeset -A opt_args\n"
      "  _arguments -C \\\n{}"
      "    '1: :->command' '*:: :->rest'\n"
      "  case $state in\n"
      "    command)\n"
      "      local -a commands=(\n{}"
      "      )\n"
      "      _describe command commands ;;\n"
      "    rest)\n"
      "      case $words[1] in\n{}"
      "      esac ;;\n"
      "  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _setka ]]; then\n"
      "  _setka \"$@\"\n"
      "else\n"
      "  compdef _setka setka\n"
      "fi\n",
      version, own, names, cases);
}

}  // namespace setka::app
