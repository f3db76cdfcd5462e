// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "setka/io/output_names.hpp"

namespace setka::io {

/// The files that a command reads, none of which it may write over. Whoever reads tells its files (the deck
/// those it includes, the case those of its fields), and what is to be written is held against them before
/// any work.
class InputFiles {
 public:
  InputFiles() = default;
  InputFiles(std::initializer_list<std::filesystem::path> files) {
    for (const std::filesystem::path& file : files) add(file);
  }
  explicit InputFiles(const std::vector<std::string>& files) {
    for (const std::string& file : files) add(file);
  }

  /// Empty names are none.
  void add(const std::filesystem::path& file) {
    if (!file.empty()) files_.push_back(file);
  }

  /// Whether the file is one of them, by whatever name or link.
  bool hold(const std::filesystem::path& file) const;

  /// Throws Error(Fault::usage) that names both where an output is one of them, by whatever name or link,
  /// and also where neither exists yet. Outputs without a name are none.
  void refuse_as_outputs(const std::vector<OutputName>& outputs, const std::string& remedy) const;

 private:
  void refuse(const std::filesystem::path& output, const std::string& remedy) const;

  std::vector<std::filesystem::path> files_;
};

}  // namespace setka::io
