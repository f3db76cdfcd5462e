// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "setka/base/error.hpp"

namespace setka::io::detail {

/// A TOML file written again with the same meaning and the same lines in ASCII alone: what toml++ 3.3 does
/// with any other character, even to tell whether it is a space, is undefined for whole alphabets. Characters
/// beyond ASCII become escapes in strings (which all get double quotes, as those in single ones have no
/// escapes) and question marks in comments; elsewhere TOML has none, and they are refused, as are bytes that
/// are not UTF-8. Where the file is not TOML, the text is not either, and toml++ says what is wrong.
class TomlInAscii {
 public:
  static std::string written(std::string_view text, std::string file) {
    TomlInAscii writer(text, std::move(file));
    writer.write();
    return std::move(writer.out_);
  }

 private:
  TomlInAscii(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // of byte order
    if (text_.starts_with(mark)) text_.remove_prefix(mark.size());
    out_.reserve(text_.size());
  }

  void write() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        write_comment();
      } else if (c == '"' || c == '\'') {
        write_string();
      } else if (const std::optional<std::uint32_t> foreign = foreign_character()) {
        refuse(fmt::format("a character beyond ASCII (U+{:04X}) outside of strings and comments", *foreign),
               "put it in quotes or take it out");
      } else {
        copy();
      }
    }
  }

  void write_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (foreign_character())
        out_ += '?';
      else
        copy();
    }
  }

  /// Ends behind the string, or where its line does, or the file.
  void write_string() {
    const char quote = text_[at_];
    const bool over_lines = quotes(quote) >= 3;
    const std::size_t width = over_lines ? 3 : 1;
    at_ += width;
    out_.append(width, '"');
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' && !over_lines) return;
      if (c == quote) {
        const std::size_t count = quotes(quote);
        if (count >= width) {  // over lines, one or two quotes may stand before the three that end it
          const std::size_t inside = over_lines ? std::min<std::size_t>(count, 5) - width : 0;
          for (std::size_t k = 0; k < inside; ++k) write_plain(quote);
          at_ += inside + width;
          out_.append(width, '"');
          return;
        }
      }
      if (c == '\\' && quote == '"') {
        copy();
        if (at_ == text_.size()) return;
        if (foreign_character())
          refuse("'\\' before a character beyond ASCII", R"(write '\\' for the character \ itself)");
        copy();
      } else if (const std::optional<std::uint32_t> foreign = foreign_character()) {
        out_ += *foreign < 0x10000 ? fmt::format("\\u{:04X}", *foreign) : fmt::format("\\U{:08X}", *foreign);
      } else if (quote == '\'' || c == '"') {
        write_plain(c);
        line_ += c == '\n' ? 1 : 0;
        ++at_;
      } else {
        copy();
      }
    }
  }

  /// A character of a string that has no meaning of its own there.
  void write_plain(char c) {
    if (c == '"' || c == '\\') out_ += '\\';
    out_ += c;
  }

  void copy() {
    if (text_[at_] == '\n') ++line_;
    out_ += text_[at_++];
  }

  std::size_t quotes(char quote) const {
    const std::size_t end = text_.find_first_not_of(quote, at_);
    return (end == std::string_view::npos ? text_.size() : end) - at_;
  }

  /// The character here, and goes past it; nothing where it is one of ASCII. Refuses what is not UTF-8.
  std::optional<std::uint32_t> foreign_character() {
    const auto byte = [&](std::size_t k) {
      return at_ + k < text_.size() ? static_cast<unsigned char>(text_[at_ + k]) : 0U;
    };
    const std::uint32_t first = byte(0);
    if (first < 0x80) return std::nullopt;
    const std::size_t count = first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    std::uint32_t found = count == 0 ? 0 : first & (0x7FU >> count);
    bool whole = count != 0;
    for (std::size_t k = 1; k < count; ++k) {
      whole = whole && (byte(k) & 0xC0U) == 0x80;
      found = found << 6U | (byte(k) & 0x3FU);
    }
    if (!whole || found < least[count] || found > 0x10FFFF || (found >= 0xD800 && found <= 0xDFFF))
      refuse(fmt::format("the byte {:#04x} is not UTF-8 here", first), "save the file as UTF-8");
    at_ += count;
    return found;
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw Error(Fault::input, "this is not TOML: " + what, remedy, {file_, line_});
  }

  std::string_view text_;
  std::string file_;
  std::string out_;
  std::size_t at_ = 0;
  long line_ = 1;
};

}  // namespace setka::io::detail
