// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "manual.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "help.hpp"
#include "setka/base/config.hpp"
#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/io/output_file.hpp"

namespace setka::app {
namespace {

using cli::CommandText;
using cli::OptionText;

/// As troff prints it; at the beginning of a line a point or an apostrophe would be an order.
std::string escaped(std::string_view text) {
  std::string made;
  bool begins = true;
  for (const char letter : text) {
    if (begins && (letter == '.' || letter == '\'')) made += "\\&";
    if (letter == '\\') {
      made += "\\e";
    } else if (letter == '-') {
      made += "\\-";
    } else {
      made += letter;
    }
    begins = letter == '\n';
  }
  return made;
}

std::string capitals(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

/// Lines that stay as they are.
std::string as_it_is(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? "" : ".PP\n.nf\n" + escaped(text) + "\n.fi\n";
}

std::string option_text(const OptionText& option) {
  std::vector<std::string> names = option.names;
  for (std::string& name : names) name = "\\fB" + escaped(name) + "\\fR";
  if (option.by_place()) names = {"\\fI" + escaped(option.value) + "\\fR"};
  std::string text = fmt::format(".TP\n{}", cli::joined(names, ", "));
  if (!option.by_place() && option.takes_value)
    text += option.value_optional
                ? fmt::format(" [\\fI{}\\fR]", escaped(option.value.substr(1, option.value.size() - 2)))
                : fmt::format(" \\fI{}\\fR", escaped(option.value));
  return text + "\n" + escaped(option.help) + "\n";
}

std::string options_text(const CommandText& command) {
  std::string text;
  std::vector<std::string> groups;
  for (const OptionText& option : command.options) {
    if (option.by_place()) text += option_text(option);
    if (!option.by_place() && std::ranges::find(groups, option.group) == groups.end())
      groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    if (groups.size() > 1 && group != "Options") text += ".SS " + escaped(group) + "\n";
    for (const OptionText& option : command.options) {
      if (!option.by_place() && option.group == group) text += option_text(option);
    }
  }
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

std::string synopsis(const CommandText& command, const std::string& program) {
  std::string text = fmt::format("\\fB{}\\fR", escaped(program));
  if (!command.commands.empty())
    return text + " [\\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR]\n.br\n" + text +
           " \\fICOMMAND\\fR [options]";
  for (const OptionText& option : command.options) {
    if (option.by_place())
      text += (option.required ? " \\fI" : " [\\fI") + escaped(option.value) +
              (option.required ? "\\fR" : "\\fR]");
    else if (option.required)
      text += fmt::format(" \\fB{}\\fR \\fI{}\\fR", escaped(option.names.back()), escaped(option.value));
  }
  return text + " [options]";
}

/// The footer of the help without the examples and exit codes that stand at its end: they have sections.
std::string_view without(std::string_view footer, std::string_view ending) {
  while (ending.ends_with('\n')) ending.remove_suffix(1);
  const std::size_t at = ending.empty() ? std::string_view::npos : footer.find(ending);
  return at == std::string_view::npos ? footer : footer.substr(0, at);
}

/// What is said in one line, without the name that stands before it already.
std::string line_of(const CommandText& command) {
  std::string text = command.what;
  if (text.starts_with("Setka ")) text.erase(0, 6);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// `within`: the program that the command is one of; empty: it is the program itself.
std::string page(const CommandText& command, const std::string& within, const std::vector<std::string>& see) {
  const std::string name = within.empty() ? command.name : within + "-" + command.name;
  const std::string examples = examples_of(within.empty() ? "" : command.name);
  std::string text = fmt::format(
      ".\\\" Written by: setka manual\n"
      ".TH \"{}\" \"1\" \"\" \"Setka {}\" \"Setka\"\n"
      ".SH NAME\n{} \\- {}\n"
      ".SH SYNOPSIS\n{}\n",
      capitals(name), version, escaped(name), escaped(line_of(command)),
      synopsis(command, within.empty() ? command.name : within + " " + command.name));
  const std::string more = as_it_is(without(command.footer, examples));
  text +=
      ".SH DESCRIPTION\n" + escaped(command.what) + (command.what.ends_with('.') ? "" : ".") + "\n" + more;
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandText& one : command.commands)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(one.name), escaped(one.what));
  }
  text += options_text(command);
  if (!examples.empty())
    text += ".SH EXAMPLES\n" + as_it_is(std::string_view(examples).substr(examples.find(':') + 1));
  text += ".SH EXIT STATUS\n" + as_it_is(exit_codes().substr(exit_codes().find(':') + 1));
  text += ".SH SEE ALSO\n";
  for (std::size_t k = 0; k < see.size(); ++k)
    text += fmt::format(".BR {} (1){}\n", escaped(see[k]), k + 1 < see.size() ? "," : "");
  return text;
}

struct Page {
  std::string command;  // empty: the program itself
  std::string text;
};

std::vector<Page> pages(const CommandText& program) {
  std::vector<std::string> all;
  std::vector<Page> made;
  for (const CommandText& command : program.commands) {
    all.push_back(program.name + "-" + command.name);
    made.push_back({command.name, page(command, program.name, {program.name})});
  }
  made.insert(made.begin(), {"", page(program, "", all)});
  return made;
}

}  // namespace

cli::App* add_manual_command(cli::App& cli, ManualOptions& options) {
  cli::App* command = cli.add_subcommand("manual", "Print a manual page, of setka or of one command");
  std::vector<std::string> names{"manual"};
  for (const cli::App* other : cli.subcommands()) names.push_back(other->name());
  command->add_option("command", options.command, "The command [default: setka itself]")
      ->type_name("COMMAND")
      ->offers(std::move(names));
  command->add_option("--folder", options.folder, "Write all pages there, as setka.1, setka-run.1 and so on")
      ->type_name("FOLDER");
  command->footer("\nPackages install these pages. They read well as: setka manual run | man -l -");
  return command;
}

int print_manual(const ManualOptions& options, const CommandText& program) {
  if (!options.command.empty() && !options.folder.empty())
    throw Error(Fault::usage, "--folder takes the pages of all commands", "leave out the command");
  const std::vector<Page> all = pages(program);
  if (options.folder.empty()) {
    const auto found = std::ranges::find(all, options.command, &Page::command);
    if (found == all.end()) {
      std::vector<std::string> names;
      for (const Page& one : all) {
        if (!one.command.empty()) names.push_back(one.command);
      }
      throw Error(Fault::usage, fmt::format("there is no command '{}'", options.command),
                  "the commands are " + join_words(names));
    }
    fmt::print("{}", found->text);
    return static_cast<int>(ExitCode::done);
  }
  const std::filesystem::path folder(options.folder);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Error(Fault::resource, fmt::format("{} cannot be made: {}", options.folder, failed.message()),
                "name a folder that can be written to");
  for (const Page& one : all) {
    io::OutputFile file(folder / (program.name + (one.command.empty() ? "" : "-" + one.command) + ".1"));
    file.write(one.text);
    file.commit();
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace setka::app
