// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "setka/exec/transport.hpp"
#include "setka/io/parsing.hpp"
#include "setka/io/text_file.hpp"
#include "setka/model/model.hpp"

/// A deck as cards: a keyword line with its parameters, and where its data lines are. Making them costs one
/// search for line ends, which threads and processes share; data lines are read in place later, in whatever
/// order the reader needs.
namespace setka::deck::detail {

using model::Line;

/// Capitals, without blanks and quotes: the form in which CalculiX compares words.
std::string word(std::string_view text);

struct Parameter {
  std::string key;
  std::string value;  // empty where there is no "="
};

struct Card {
  std::string keyword;  // "*SOLIDSECTION"
  std::vector<Parameter> parameters;
  Line line;
  bool in_step = false;
  std::size_t first_run = 0;
  std::size_t run_count = 0;
  std::int64_t bytes = 0;  // of its data
  std::filesystem::path
      input;           // of INPUT= (*AMPLITUDE, *MATRIX INPUT) or FILE= (*TEMPERATURE): as it was found
  std::string output;  // of *SUBSTRUCTURE MATRIX OUTPUT, FILE NAME=: as it was written

  bool has(std::string_view key) const;
  /// Empty where the parameter is missing or has no value.
  std::string_view value(std::string_view key) const;
};

/// Whole data lines that follow each other in one file, without line end at the end.
struct Run {
  std::string_view text;
  Line first;
};

/// Where a line begins amid a text, and its number: known without counting again.
struct Mark {
  const char* at;
  std::int32_t number;
};

class Cards {
 public:
  /// together: the processes that read the deck with this one, all of them the same files, or Error; null:
  /// it reads alone. With what *INCLUDE names, relative to the folder of the file that says so or to the
  /// deck's.
  static Cards of_file(const std::filesystem::path& path, const exec::Transport* together = nullptr);
  /// The files alone, up to the first thing that is wrong.
  static std::vector<std::string> files_of(const std::filesystem::path& path);
  static Cards of_text(std::string_view text, const std::string& name,
                       const exec::Transport* together = nullptr);

  const std::vector<Card>& cards() const { return cards_; }
  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<std::string>& files() const { return files_; }
  SourceLine source(Line line) const { return {files_[static_cast<std::size_t>(line.file)], line.number}; }
  std::int64_t bytes() const { return bytes_; }
  const exec::Transport* together() const { return together_; }
  /// One about every megabyte, in their order.
  std::span<const Mark> marks(const Run& run) const;

 private:
  explicit Cards(const exec::Transport* together) : together_(together) {}
  void open(const std::filesystem::path& path);
  void scan(std::string_view text, std::int32_t file, const std::filesystem::path& path);
  void include(std::string_view keyword_line, Line line, const std::filesystem::path& from);
  /// Relative to the folder of the file that names it or to the deck's.
  std::filesystem::path find_file(const std::string& name, std::string_view keyword, Line line,
                                  const std::filesystem::path& from, std::string_view key) const;
  void begin_card(std::string_view keyword_line, Line line);
  void add_run(std::string_view text, Line first);
  std::int32_t add_file(const std::string& name);

  const exec::Transport* together_;
  std::vector<Card> cards_;
  std::vector<Run> runs_;
  std::vector<std::string> files_;
  std::vector<std::vector<Mark>> marks_;  // of each file
  std::vector<std::unique_ptr<io::TextFile>> texts_;
  std::vector<std::filesystem::path> open_;  // from the deck down to the file being scanned
  std::set<std::filesystem::path> included_;
  std::int64_t repeated_ = 0;  // bytes of those that were included again
  bool in_step_ = false;
  std::int64_t bytes_ = 0;
};

/// The data lines of a card, one after the other, without comments and blank lines.
class DataLines {
 public:
  DataLines(const Cards& cards, const Card& card)
      : run_(cards.runs().data() + card.first_run), last_run_(run_ + card.run_count) {
    open_run();
  }
  /// Those of one run, which must outlive them.
  explicit DataLines(const Run& run) : run_(&run), last_run_(run_ + 1) { open_run(); }

  bool next() {
    for (;;) {
      if (at_ == end_) {
        if (run_ == last_run_ || ++run_ == last_run_) return false;
        open_run();
        continue;
      }
      const auto* stop =
          static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
      const char* line_end = stop == nullptr ? end_ : stop;
      const char* begin = at_;
      at_ = stop == nullptr ? end_ : stop + 1;
      ++line_.number;
      while (begin != line_end && io::is_blank(*begin)) ++begin;
      if (begin == line_end) continue;
      if (*begin == '*') continue;  // a comment, since keywords end the data
      text_ = {begin, static_cast<std::size_t>(line_end - begin)};
      return true;
    }
  }

  std::string_view text() const { return text_; }
  Line line() const { return line_; }
  /// Where the next line begins.
  const char* position() const { return at_; }

 private:
  void open_run() {
    if (run_ == last_run_) return;
    at_ = run_->text.data();
    end_ = at_ + run_->text.size();
    line_ = run_->first;
    --line_.number;
  }

  const Run* run_;
  const Run* last_run_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::string_view text_;
  Line line_;
};

/// The fields of a line, between commas, without blanks around them.
class Fields {
 public:
  explicit Fields(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  /// No more fields; a comma at the end of the line begins none.
  bool done() {
    while (at_ != end_ && io::is_blank(*at_)) ++at_;
    return at_ == end_;
  }

  /// Empty past the end.
  std::string_view next() {
    while (at_ != end_ && io::is_blank(*at_)) ++at_;
    const char* begin = at_;
    while (at_ != end_ && *at_ != ',') ++at_;
    const char* stop = at_;
    if (at_ != end_) ++at_;
    while (stop != begin && io::is_blank(stop[-1])) --stop;
    return {begin, static_cast<std::size_t>(stop - begin)};
  }

 private:
  const char* at_;
  const char* end_;
};

/// Fields after each other over several lines; a comma at the end of a line begins no field.
class FieldStream {
 public:
  explicit FieldStream(DataLines& lines) : lines_(lines), fields_(lines.text()) {}

  /// False at the end of the data.
  bool next(std::string_view& field) {
    while (fields_.done()) {
      if (!lines_.next()) return false;
      fields_ = Fields(lines_.text());
    }
    field = fields_.next();
    return true;
  }
  bool line_done() { return fields_.done(); }

 private:
  DataLines& lines_;
  Fields fields_;
};

}  // namespace setka::deck::detail
