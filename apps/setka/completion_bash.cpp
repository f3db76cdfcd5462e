// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include "completion.hpp"
#include "setka/base/config.hpp"

namespace setka::app {
namespace {

using cli::CommandText;
using cli::Completed;
using cli::OptionText;

/// The shell's command that offers what may stand for a value; empty: nothing.
std::string offer(const OptionText& option) {
  if (!option.words.empty()) return fmt::format("_setka_words '{}'", cli::joined(option.words, " "));
  const cli::Completion completion = completion_of(option);
  switch (completion.by) {
    case Completed::files:
      return fmt::format("_setka_files {}", cli::joined(completion.endings, " "));
    case Completed::folders:
      return "_setka_files /";
    case Completed::nothing:
      break;
  }
  return "";
}

std::string case_of_command(const CommandText& command) {
  std::string names;
  std::string valued;
  std::string values;
  std::string places;
  int place = 0;
  for (const OptionText& option : command.options) {
    const std::string offered = offer(option);
    if (option.by_place()) {
      if (!offered.empty()) places += fmt::format("        {}) {} ;;\n", place, offered);
      ++place;
      continue;
    }
    names += fmt::format("{}{}", names.empty() ? "" : " ", cli::joined(option.names, " "));
    if (!option.takes_value) continue;
    if (!option.value_optional) valued += fmt::format("{} ", cli::joined(option.names, " "));
    values +=
        fmt::format("        {}) {} ;;\n", cli::joined(option.names, "|"), offered.empty() ? ":" : offered);
  }
  return fmt::format(
      "    {})\n"
      "      _setka_place ' {}'\n"
      "      case $option in\n"
      "{}"
      "        *) [[ $cur == -* ]] && _setka_words '{}' || case $place in\n"
      "{}"
      "        esac ;;\n"
      "      esac ;;\n",
      command.name, valued, values, names, places);
}

constexpr const char* head = R"sh(
_setka_words() {  # of a list
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_setka_files() {  # with one of these endings, or any; /: folders alone
  local file ending
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    if [[ -d $file || $# == 0 ]]; then
      COMPREPLY+=("$file")
      continue
    fi
    for ending; do
      [[ $file != *"$ending" ]] || COMPREPLY+=("$file")
    done
  done < <(compgen -f -- "$cur")
}

_setka_place() {  # which of the values without an option is next; $1: options that have a value
  local i word skip=0
  place=0
  for ((i = first + 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      skip=1
    elif ((skip)); then
      skip=0
    elif [[ $word == -* ]]; then
      [[ $1 != *" $word "* ]] || skip=1
    else
      ((++place))
    fi
  done
}

_setka() {
  local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command="" first place=0
  COMPREPLY=()
  if [[ $cur == '=' ]]; then
    cur=""
  elif [[ $option == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((first = 1; first < COMP_CWORD; ++first)); do
    [[ ${COMP_WORDS[first]} == -* ]] || { command=${COMP_WORDS[first]}; break; }
  done
  case $command in
)sh";

}  // namespace

std::string bash_completion(const CommandText& program) {
  std::string first;
  for (const OptionText& option : program.options)
    first += fmt::format("{} ", cli::joined(option.names, " "));
  std::string cases;
  for (const CommandText& command : program.commands) {
    first += command.name + " ";
    cases += case_of_command(command);
  }
  first.pop_back();
  return fmt::format(
      "# Completion of setka {} in bash, by: setka completion bash\n{}"
      "    '') _setka_words '{}' ;;\n{}"
      "  esac\n"
      "}}\n"
      "complete -F _setka setka\n",
      version, head, first, cases);
}

}  // namespace setka::app
