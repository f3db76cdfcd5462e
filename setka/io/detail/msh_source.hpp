// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "setka/base/monitor.hpp"

namespace setka::io::detail {

/// Reads a Gmsh file from its beginning: words of text, or numbers as memory holds them. What is not there is
/// an Error(Fault::input) with the line, or the byte of a binary file.
class MshSource {
 public:
  MshSource(std::string_view bytes, std::string name, Stage& stage)
      : bytes_(bytes), name_(std::move(name)), stage_(stage) {}

  bool binary() const { return binary_; }
  void set_binary() { binary_ = true; }
  /// The section being read, for messages: "$Nodes".
  void set_section(std::string_view name) { section_ = name; }
  const std::string& name() const { return name_; }

  [[noreturn]] void fail(std::string message, std::string remedy) const;
  [[noreturn]] void fail_truncated() const;

  // Text, also in binary files
  std::string_view word();  // the next one, over ends of lines; empty at the end of the file
  std::string_view rest_of_line();
  /// Goes behind the end of a section, wherever it is.
  void skip_to_end(std::string_view section);
  /// The section must end here; `what` says of how many things.
  void expect_end(std::string_view section, const std::string& what);
  void skip_newline();  // exactly one, before binary data
  /// Text alone: where the line of the next word ends, and whether the reading has come just there.
  std::size_t line_end();
  bool stands_at(std::size_t line_end);

  std::int64_t text_integer(const char* what);

  // Numbers; in text words, in binary of the given width
  std::int64_t integer(const char* what);  // int
  std::int64_t size(const char* what);     // size_t of version 4.1
  double real(const char* what);           // finite
  std::int32_t label(std::int64_t value, const char* what) const;
  /// A number of things, each of which takes at least so many bytes in binary and words in text; a file that
  /// cannot hold them is refused before memory is asked for.
  std::int64_t checked_count(std::int64_t count, std::int64_t bytes, std::int64_t words,
                             const char* what) const;

  /// Reports progress now and then.
  void tick();

 private:
  template <class T>
  T raw() {
    if (bytes_.size() - at_ < sizeof(T)) fail_truncated();
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string_view number_word(const char* what);

  std::string_view bytes_;
  std::string name_;
  Stage& stage_;
  std::string section_;
  bool binary_ = false;
  std::size_t at_ = 0;
  std::size_t record_ = 0;  // where the last word or number began
  std::size_t told_ = 0;    // to the stage
};

}  // namespace setka::io::detail
