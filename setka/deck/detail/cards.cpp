// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/detail/cards.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/deck/detail/keyword_lines.hpp"
#include "setka/deck/detail/together.hpp"

namespace setka::deck::detail {
namespace {

// Files that include others twice double at each level: there is an end to how many and how much.
constexpr std::size_t deepest_include = 32;
constexpr std::size_t most_includes = 10000;
constexpr std::int64_t most_repeated = std::int64_t{1} << 30;  // bytes of files that were there before

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// A file's name as the user wrote it: only blanks and quotes around it are dropped.
std::string name_of_file(std::string_view keyword_line, std::string_view key = "INPUT") {
  Fields fields(keyword_line);
  fields.next();
  while (!fields.done()) {
    const std::string_view field = fields.next();
    const auto equals = field.find('=');
    if (equals == std::string_view::npos || word(field.substr(0, equals)) != key) continue;
    std::string_view name = io::trimmed(field.substr(equals + 1));
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    return std::string(name);
  }
  return {};
}

/// The parameter by which a keyword names a file to be read; empty: it has none.
std::string_view names_of_files(std::string_view keyword) {
  if (keyword == "*AMPLITUDE" || keyword == "*MATRIXINPUT") return "INPUT";
  return keyword == "*TEMPERATURE" ? "FILE" : "";
}

}  // namespace

std::string word(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (io::is_blank(c) || c == '"') continue;
    result.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  return result;
}

bool Card::has(std::string_view key) const {
  return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.key == key; });
}

std::string_view Card::value(std::string_view key) const {
  for (const Parameter& parameter : parameters) {
    if (parameter.key == key) return parameter.value;
  }
  return {};
}

void Cards::open(const std::filesystem::path& path) {
  const std::int32_t file = add_file(path.string());
  texts_.push_back(std::make_unique<io::TextFile>(path, io::deck_text, io::TextCheck::beginning));
  require_same_file(together_, path.string());
  scan(texts_.back()->text(), file, path);
}

Cards Cards::of_file(const std::filesystem::path& path, const exec::Transport* together) {
  Cards cards(together);
  cards.open(path);
  return cards;
}

std::vector<std::string> Cards::files_of(const std::filesystem::path& path) {
  Cards cards(nullptr);
  try {
    cards.open(path);
  } catch (const Error&) {  // whoever reads it tells what is wrong
  }
  return std::move(cards.files_);
}

Cards Cards::of_text(std::string_view text, const std::string& name, const exec::Transport* together) {
  io::require_text(text, name, io::deck_text, io::TextCheck::beginning);
  require_same_text(together, text, name);
  Cards cards(together);
  const std::int32_t file = cards.add_file(name);
  cards.scan(text, file, name);
  return cards;
}

std::int32_t Cards::add_file(const std::string& name) {
  files_.push_back(name);
  marks_.emplace_back();
  return static_cast<std::int32_t>(files_.size()) - 1;
}

void Cards::scan(std::string_view text, std::int32_t file, const std::filesystem::path& path) {
  open_.push_back(path);
  bytes_ += static_cast<std::int64_t>(text.size());
  const std::string_view whole = text;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  const KeywordLines lines = find_keyword_lines(text, together_);
  const std::string& name = files_[static_cast<std::size_t>(file)];
  if (lines.has_zeros) io::require_text(whole, name, io::deck_text);
  if (lines.line_count > INT32_MAX)
    throw Error(
        Fault::input,
        fmt::format("the file has {} lines, and lines are counted to {}", lines.line_count, INT32_MAX),
        "put parts of it into files of their own and *INCLUDE them", {name, 0});
  for (const LineStart& mark : lines.marks)
    marks_[static_cast<std::size_t>(file)].push_back(
        {text.data() + mark.at, static_cast<std::int32_t>(mark.number)});

  std::string joined;
  std::size_t run_begin = 0;
  std::int32_t run_number = 1;
  for (const LineStart& keyword : lines.keywords) {
    const auto begin = static_cast<std::size_t>(keyword.at);
    auto number = static_cast<std::int32_t>(keyword.number);
    const std::string_view raw = first_line(text.substr(begin));
    std::string_view line = io::trimmed(raw);
    std::size_t at = std::min(begin + raw.size() + 1, text.size());

    add_run(text.substr(run_begin, begin - run_begin), {file, run_number});
    const Line where{file, number};
    if (line.back() == ',') {  // continued
      joined = line;
      while (joined.back() == ',' && at < text.size()) {
        const std::string_view more = first_line(text.substr(at));
        if (io::trimmed(more).starts_with('*')) break;
        joined += io::trimmed(more);
        at = std::min(at + more.size() + 1, text.size());
        ++number;
      }
      line = joined;
    }
    run_begin = at;
    run_number = number + 1;
    if (word(line.substr(0, line.find(','))) == "*INCLUDE") {
      include(line, where, path);
    } else {
      begin_card(line, where);
    }
  }
  add_run(text.substr(run_begin), {file, run_number});
  open_.pop_back();
}

std::filesystem::path Cards::find_file(const std::string& name, std::string_view keyword, Line line,
                                       const std::filesystem::path& from, std::string_view key) const {
  if (name.empty())
    throw Error(Fault::input, fmt::format("{} names no file", keyword),
                fmt::format("write {},{}=name", keyword, key), source(line));
  std::filesystem::path path = name;
  std::error_code ignored;
  if (path.is_relative()) {
    path = from.parent_path() / name;
    if (!std::filesystem::exists(path, ignored)) path = open_.front().parent_path() / name;
  }
  if (!std::filesystem::exists(path, ignored))
    throw Error(Fault::input, fmt::format("{}: there is no file '{}'", keyword, name),
                fmt::format("looked for {}; check the path", path.string()), source(line));
  return path;
}

void Cards::include(std::string_view keyword_line, Line line, const std::filesystem::path& from) {
  const std::string name = name_of_file(keyword_line);
  const std::filesystem::path path = find_file(name, "*INCLUDE", line, from, "INPUT");
  std::error_code ignored;
  for (const std::filesystem::path& open : open_) {
    if (std::filesystem::equivalent(open, path, ignored))
      throw Error(Fault::input, fmt::format("*INCLUDE: '{}' includes itself", name),
                  "remove one of the *INCLUDE lines", source(line));
  }
  if (open_.size() >= deepest_include)
    throw Error(Fault::input, fmt::format("*INCLUDE: more than {} files inside each other", deepest_include),
                "include them one after the other", source(line));
  const auto refuse_more = [&](const std::string& what) {
    throw Error(Fault::input, "*INCLUDE: " + what, "include each file once", source(line));
  };
  if (texts_.size() > most_includes) refuse_more(fmt::format("more than {} files in all", most_includes));
  const std::int32_t file = add_file(path.string());
  texts_.push_back(std::make_unique<io::TextFile>(path, io::deck_text, io::TextCheck::beginning));
  require_same_file(together_, path.string());
  if (!included_.insert(std::filesystem::canonical(path, ignored)).second) {
    repeated_ += static_cast<std::int64_t>(texts_.back()->text().size());
    if (repeated_ > most_repeated)
      refuse_more(fmt::format("files that are included again come to more than {} MB", most_repeated >> 20));
  }
  scan(texts_.back()->text(), file, path);
}

std::span<const Mark> Cards::marks(const Run& run) const {
  const std::vector<Mark>& all = marks_[static_cast<std::size_t>(run.first.file)];
  const auto begin = std::ranges::upper_bound(all, run.text.data(), {}, &Mark::at);
  const auto end =
      std::ranges::lower_bound(begin, all.end(), run.text.data() + run.text.size(), {}, &Mark::at);
  return {begin, end};
}

void Cards::begin_card(std::string_view keyword_line, Line line) {
  Fields fields(keyword_line);
  Card card;
  card.keyword = word(fields.next());
  card.line = line;
  while (!fields.done()) {
    const std::string_view field = fields.next();
    const auto equals = field.find('=');
    if (equals == std::string_view::npos) {
      std::string key = word(field);
      if (!key.empty()) card.parameters.push_back({std::move(key), {}});
    } else {
      card.parameters.push_back({word(field.substr(0, equals)), word(field.substr(equals + 1))});
    }
  }
  if (card.keyword == "*SUBSTRUCTUREMATRIXOUTPUT") card.output = name_of_file(keyword_line, "FILENAME");
  const std::string_view key = names_of_files(card.keyword);
  if (!key.empty() && card.has(key)) {
    card.input = find_file(name_of_file(keyword_line, key), card.keyword, line, open_.back(), key);
    add_file(card.input.string());  // read as well, so that it counts among the deck's
    require_same_file(together_, card.input.string());
  }
  card.first_run = runs_.size();
  card.in_step = in_step_;
  if (card.keyword == "*STEP") in_step_ = true;
  if (card.keyword == "*ENDSTEP") in_step_ = false;
  cards_.push_back(std::move(card));
}

void Cards::add_run(std::string_view text, Line first) {
  if (text.empty()) return;
  if (cards_.empty()) {
    for (Line line = first; !text.empty(); ++line.number) {
      const std::string_view raw = first_line(text);
      const std::string_view content = io::trimmed(raw);
      if (!content.empty() && content[0] != '*')
        throw Error(Fault::input, fmt::format("data before any keyword: '{}'", content.substr(0, 40)),
                    "a deck begins with a keyword line such as *NODE", source(line));
      text.remove_prefix(std::min(raw.size() + 1, text.size()));
    }
    return;
  }
  Card& card = cards_.back();
  card.bytes += static_cast<std::int64_t>(text.size());
  runs_.push_back({text, first});
  card.run_count = runs_.size() - card.first_run;
}

}  // namespace setka::deck::detail
