// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace setka::io::detail {

/// A file of text, mapped read-only, so that it takes no memory of its own; what is not a regular file is
/// read whole.
class TextFile {
 public:
  enum class Content { text, bytes };

  /// Throws Error(Fault::input) where the file cannot be read, is a directory, or is not text where it is to
  /// be.
  explicit TextFile(const std::filesystem::path& path, Content content = Content::text);
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile();

  std::string_view text() const { return text_; }

 private:
  void map(int descriptor, std::size_t size);
  void read(int descriptor);

  std::string name_;
  std::string_view text_;
  void* mapped_ = nullptr;
  std::string whole_;
};

/// Throws where the text is empty or holds what no text file holds.
void require_text(std::string_view text, const std::string& name);

}  // namespace setka::io::detail
