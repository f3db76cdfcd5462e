// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interface.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
class Option;
}  // namespace CLI

/// What the commands use of CLI11, by its own names. One source stands behind it: CLI11 is made of inline
/// functions, which every source that includes it compiles anew, for ten seconds each.
namespace setka::app::cli {

class Option {
 public:
  explicit Option(CLI::Option* made) : made_(made) {}

  Option* type_name(const std::string& name);
  Option* group(const std::string& name);
  Option* required();
  Option* delimiter(char letter);
  Option* expected(int count);
  Option* expected(int least, int most);
  Option* allow_extra_args(bool allowed);
  Option* capture_default_str();
  Option* is_member(const std::vector<std::string>& words);
  Option* offers(std::vector<std::string> words);  // to who completes a command; is_member() offers its own
  Option* positive_number();
  Option* size_value();  // bytes: 500MB, 2GB

  bool given() const;
  OptionText described() const;
  const CLI::Option* made() const { return made_; }

 private:
  CLI::Option* made_;
  std::vector<std::string> words_;
};

class App {
 public:
  App(const std::string& description, const std::string& name);
  explicit App(CLI::App* made);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  App* add_subcommand(const std::string& name, const std::string& description);

  /// For strings, numbers, optional ones and vectors of them; cli.cpp has the list.
  template <class T>
  Option* add_option(const std::string& names, T& value, const std::string& help);
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  void set_version_flag(const std::string& names, const std::string& text);
  void require_subcommand(int least, int most);
  void footer(const std::string& text);
  void remove_option(const std::string& name);

  /// What the command takes, for completions and manuals.
  CommandText described() const;

  std::string help() const;
  std::string name() const;
  std::string footer() const;
  std::vector<App*> subcommands();
  bool parsed() const;
  bool any_subcommand_parsed() const;

  CLI::App& made() { return *made_; }

 private:
  Option* keep(CLI::Option* option);
  void forget(const std::string& name);

  std::unique_ptr<CLI::App> own_;  // of the program; a subcommand belongs to it
  CLI::App* made_;
  std::vector<std::unique_ptr<App>> subcommands_;
  std::vector<std::unique_ptr<Option>> options_;
};

/// Parses; prints help or the version where asked for. Throws Error(Fault::usage) with one clear line for
/// anything else that is not a command. Returns false when there is nothing left to do.
bool parse(App& app, int argc, char** argv);

/// The same for a program without commands, called by this name.
bool parse(App& app, const std::string& program, std::vector<std::string> arguments);

}  // namespace setka::app::cli
