// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/matrix_market_header.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/detail/shown.hpp"
#include "setka/io/parsing.hpp"

namespace setka::io::detail {
namespace {

constexpr const char* example = "%%MatrixMarket matrix coordinate real symmetric";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const auto end = std::find_if(line.begin(), line.end(), is_blank);
    words.push_back(line.substr(0, static_cast<std::size_t>(end - line.begin())));
    line.remove_prefix(words.back().size());
  }
  return words;
}

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  MatrixMarketHeader read() {
    read_kind();
    read_sizes();
    header_.size = at_;
    return header_;
  }

 private:
  [[noreturn]] void fail(std::string message, std::string remedy) const {
    fail_at_byte(text_, name_, line_, std::move(message), std::move(remedy));
  }

  std::string_view next_line() {
    line_ = at_;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    at_ = std::min(end + 1, text_.size());
    return text_.substr(line_, end - line_);
  }

  void read_kind() {
    if (text_.empty()) {
      throw Error(Fault::input, "the file is empty", fmt::format("it begins with '{}'", example), {name_, 0});
    }
    const std::string_view line = next_line();
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty() || lower(words[0]) != "%%matrixmarket") {
      fail(fmt::format("this is no file of the Matrix Market: it begins with '{}'", shown(line)),
           fmt::format("it must begin with a line such as '{}'", example));
    }
    if (words.size() != 5) {
      fail(fmt::format("the header has {} words; it has five", words.size()),
           fmt::format("write a line such as '{}'", example));
    }
    if (lower(words[1]) != "matrix")
      fail(fmt::format("the file holds a '{}', not a matrix", shown(words[1])), "write it as a matrix");
    read_format(lower(words[2]));
    read_field(lower(words[3]));
    read_symmetry(lower(words[4]));
  }

  void read_format(const std::string& word) {
    header_.array = word == "array";
    if (!header_.array && word != "coordinate")
      fail(fmt::format("'{}' is no format", shown(word)), "it is coordinate or array");
  }

  void read_field(const std::string& word) {
    header_.pattern = word == "pattern";
    if (word == "complex") {
      fail("the matrix is complex, and setka solves real systems",
           "write the real matrix of twice the size, [Re -Im; Im Re]");
    }
    if (!header_.pattern && word != "real" && word != "integer" && word != "double")
      fail(fmt::format("'{}' is no kind of entries", shown(word)), "they are real, integer or pattern");
    if (header_.pattern && header_.array)
      fail("a pattern in array format has no places", "use the format coordinate");
  }

  void read_symmetry(const std::string& word) {
    using Symmetry = MatrixMarket::Symmetry;
    if (word == "hermitian")
      fail("the matrix is hermitian, and setka solves real systems", "a real matrix is called symmetric");
    if (word == "symmetric") {
      header_.symmetry = Symmetry::symmetric;
    } else if (word == "skew-symmetric") {
      header_.symmetry = Symmetry::skew_symmetric;
    } else if (word != "general") {
      fail(fmt::format("'{}' is no symmetry", shown(word)), "it is general, symmetric or skew-symmetric");
    }
  }

  void read_sizes() {
    std::vector<std::string_view> words;
    while (words.empty()) {
      if (at_ == text_.size()) {
        line_ = text_.size() - 1;
        fail("the file ends before the size of the matrix", "it was cut short: write or copy it again");
      }
      const std::string_view line = next_line();
      if (!line.starts_with('%')) words = words_of(line);
    }
    const char* const expected = header_.array ? "'rows columns'" : "'rows columns entries'";
    if (words.size() != (header_.array ? 2U : 3U))
      fail(fmt::format("the line of the size has {} numbers", words.size()),
           fmt::format("write {}", expected));
    std::int64_t sizes[3] = {};
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!parse_integer(words[i], sizes[i]) || sizes[i] < 0) {
        fail(fmt::format("the size is '{}', which is no whole number from 0 on", shown(words[i])),
             fmt::format("write {}", expected));
      }
    }
    if (sizes[0] > INT32_MAX || sizes[1] > INT32_MAX) {
      fail(fmt::format("the matrix is of {} x {}", sizes[0], sizes[1]),
           fmt::format("setka counts up to {} rows and columns", INT32_MAX));
    }
    const bool square = sizes[0] == sizes[1];
    if (!square && header_.symmetry != MatrixMarket::Symmetry::general)
      fail(fmt::format("a matrix of {} x {} is not symmetric", sizes[0], sizes[1]), "call it general");
    header_.rows = static_cast<std::int32_t>(sizes[0]);
    header_.columns = static_cast<std::int32_t>(sizes[1]);
    header_.entries = header_.array ? array_entries() : sizes[2];
    check_room();
  }

  std::int64_t array_entries() const {
    const std::int64_t n = header_.rows;
    switch (header_.symmetry) {
      case MatrixMarket::Symmetry::symmetric:
        return n * (n + 1) / 2;
      case MatrixMarket::Symmetry::skew_symmetric:
        return n * (n - 1) / 2;
      default:
        return n * header_.columns;
    }
  }

  /// Before memory is asked for by that number.
  void check_room() const {
    const std::int64_t least = header_.array ? 2 : header_.pattern ? 4 : 6;  // "1 1 1", and the line's end
    const std::int64_t most = (static_cast<std::int64_t>(text_.size() - at_) + 1) / least;
    if (header_.entries > most) {
      fail(fmt::format("{} entries are announced, but the rest of the file can hold at most {}",
                       header_.entries, most),
           "it was cut short: write or copy it again");
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;  // where the last line began
  MatrixMarketHeader header_;
};

}  // namespace

MatrixMarketHeader read_matrix_market_header(std::string_view text, const std::string& name) {
  return HeaderReader(text, name).read();
}

void fail_at_byte(std::string_view text, const std::string& name, std::size_t byte, std::string message,
                  std::string remedy) {
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
  throw Error(Fault::input, std::move(message), std::move(remedy), {name, static_cast<long>(lines) + 1});
}

}  // namespace setka::io::detail
