// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace setka::io {

/// What a file is to be, for what is said where it is not.
struct TextKind {
  std::string_view what;
  std::string_view file;    // of a folder that was given in its place
  std::string_view begins;  // what an empty one lacks
  std::string_view is;
};
inline constexpr TextKind deck_text{"a deck", "the .inp file", "begins with keywords such as *NODE",
                                    "is a text file in the format of CalculiX and Abaqus"};
inline constexpr TextKind case_text{"a case", "the .toml file", "begins with a line such as scheme = \"lod\"",
                                    "is a text file in TOML"};
inline constexpr TextKind record_text{"a record", "the file", "has an acceleration in every line or more",
                                      "is a text file of numbers"};

/// How much of a file is looked at when it is opened, for bytes that no text has.
enum class TextCheck : std::uint8_t { whole, beginning };

/// A file, mapped read-only, so that it takes no memory of its own. All readers open theirs by it.
class TextFile {
 public:
  /// Throws Error(Fault::input) where the file cannot be read or is none: a directory, a device, a pipe.
  explicit TextFile(const std::filesystem::path& path);
  /// Also where it is not text.
  TextFile(const std::filesystem::path& path, const TextKind& kind, TextCheck check = TextCheck::whole);
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile();

  std::string_view text() const { return text_; }

 private:
  TextFile(const std::filesystem::path& path, const TextKind* kind, TextCheck check);
  void map(int descriptor, std::size_t size);
  void read(int descriptor);

  std::string name_;
  std::string_view text_;
  void* mapped_ = nullptr;
  std::string whole_;
};

/// Throws where the text is empty or holds what no text file holds. Behind the beginning that is zeros alone,
/// which whoever has only that checked looks for as the rest is read.
void require_text(std::string_view text, const std::string& name, const TextKind& kind,
                  TextCheck check = TextCheck::whole);

}  // namespace setka::io
