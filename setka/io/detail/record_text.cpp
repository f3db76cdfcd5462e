// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/record_text.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "setka/io/parsing.hpp"
#include "setka/io/record.hpp"

namespace setka::io::detail {
namespace {

bool separates(char c) {
  return c == ',' || c == ';' || is_blank(c);
}

struct Unit {
  std::string_view name;
  double size;
};

constexpr std::array units{
    Unit{"g", standard_gravity}, Unit{"m/s2", 1},       Unit{"cm/s2", 0.01},   Unit{"gal", 0.01},
    Unit{"mm/s2", 0.001},        Unit{"ft/s2", 0.3048}, Unit{"in/s2", 0.0254},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

RecordLines::RecordLines(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);  // a byte order mark
}

bool RecordLines::next() {
  if (text_.empty()) return false;
  const std::size_t end = text_.find('\n');
  line_ = trimmed(text_.substr(0, end));
  text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
  ++number_;
  return true;
}

void RecordLines::fail(long line, std::string message, std::string remedy) const {
  throw Error(Fault::input, std::move(message), std::move(remedy), {name_, line});
}

std::vector<std::string_view> record_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while (at < line.size()) {
    while (at < line.size() && separates(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !separates(line[at])) ++at;
    if (at > begin) fields.push_back(line.substr(begin, at - begin));
  }
  return fields;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::optional<double> acceleration_unit(std::string_view word) {
  std::string name = lower_case(word);
  replace_all(name, "²", "2");
  replace_all(name, "**", "");
  replace_all(name, "^", "");
  replace_all(name, "sec", "s");
  replace_all(name, "/s/s", "/s2");
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.size;
  }
  return std::nullopt;
}

std::optional<double> number_after(std::string_view line, std::string_view word) {
  const std::string lower = lower_case(line);
  for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
    std::size_t begin = at + word.size();
    const auto skip = [&](auto what) {
      while (begin < lower.size() && what(lower[begin])) ++begin;
    };
    skip(is_blank);
    if (begin == lower.size() || lower[begin] != '=') continue;
    ++begin;
    skip(is_blank);
    std::size_t end = begin;
    while (end < lower.size() && !separates(lower[end]) && lower[end] != ']' && lower[end] != ')') ++end;
    // "0.005sec" as well as "0.005 sec"
    while (end > begin && lower[end - 1] >= 'a' && lower[end - 1] <= 'z') --end;
    double value = 0;
    if (parse_real(std::string_view(lower).substr(begin, end - begin), value) && std::isfinite(value))
      return value;
  }
  return std::nullopt;
}

}  // namespace setka::io::detail
