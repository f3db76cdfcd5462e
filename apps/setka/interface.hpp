// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A program's commands and options as they are declared, for whoever writes about them: completions of
/// shells, manual pages.
namespace setka::app::cli {

struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; none: it is known by its place
  std::string value;               // what stands for its value, as "FILE"; flags have none
  std::string help;
  std::string group;
  std::vector<std::string> words;  // that the value may be; empty: it is free
  bool takes_value = false;
  bool value_optional = false;
  bool required = false;

  bool by_place() const { return names.empty(); }
};

struct CommandText {
  std::string name;
  std::string what;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<CommandText> commands;
};

/// Words with a text between.
std::string joined(const std::vector<std::string>& words, std::string_view between);

/// What a value is completed with where it has no words.
enum class Completed : unsigned char { nothing, files, folders };
struct Completion {
  Completed by = Completed::nothing;
  std::vector<std::string> endings;  // of files, as ".inp"; none: any
};

/// By the name that the value has in the help: "DECK" is completed with .inp, "A.mtx" with .mtx, "N" is not.
Completion completion_of(const OptionText& option);

}  // namespace setka::app::cli
