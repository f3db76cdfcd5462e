// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/detail/msh_source.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/detail/shown.hpp"
#include "setka/io/parsing.hpp"

namespace setka::io::detail {
namespace {

constexpr const char* damaged = "the file is damaged or was cut short: write it again";

bool is_space(char c) {
  return is_blank(c) || c == '\n';
}

}  // namespace

void MshSource::fail(std::string message, std::string remedy) const {
  if (binary_)
    throw Error(Fault::input, fmt::format("byte {}: {}", record_ + 1, message), std::move(remedy),
                {name_, 0});
  const auto lines = std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(record_), '\n');
  throw Error(Fault::input, std::move(message), std::move(remedy), {name_, static_cast<long>(lines) + 1});
}

void MshSource::fail_truncated() const {
  fail(section_.empty() ? "the file ends too early" : fmt::format("the file ends inside {}", section_),
       "it was cut short: write or copy it again");
}

std::string_view MshSource::word() {
  while (at_ < bytes_.size() && is_space(bytes_[at_])) ++at_;
  record_ = std::min(at_, bytes_.empty() ? 0 : bytes_.size() - 1);
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && !is_space(bytes_[at_])) ++at_;
  return bytes_.substr(begin, at_ - begin);
}

std::string_view MshSource::rest_of_line() {
  const std::size_t stop = std::min(bytes_.find('\n', at_), bytes_.size());
  const std::string_view rest = bytes_.substr(at_, stop - at_);
  at_ = stop;
  return trimmed(rest);
}

void MshSource::skip_to_end(std::string_view section) {
  const std::string end = fmt::format("\n$End{}", section.substr(1));
  const std::size_t found = bytes_.find(end, at_);
  if (found == std::string_view::npos) fail_truncated();
  at_ = found + end.size();
}

void MshSource::expect_end(std::string_view section, const std::string& what) {
  const std::string end = fmt::format("$End{}", section.substr(1));
  const std::string_view found = word();
  if (found == end) return;
  if (found.empty()) fail_truncated();
  fail(fmt::format("{} should follow {}, but there is '{}'", end, what, shown(found)),
       "the count does not match or the file is damaged: write it again");
}

void MshSource::skip_newline() {
  while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
  if (at_ == bytes_.size()) fail_truncated();
  record_ = at_;
  if (bytes_[at_] != '\n') fail(fmt::format("the line of {} does not end", section_), damaged);
  ++at_;
}

std::size_t MshSource::line_end() {
  while (at_ < bytes_.size() && is_space(bytes_[at_])) ++at_;
  return std::min(bytes_.find('\n', at_), bytes_.size());
}

bool MshSource::stands_at(std::size_t line_end) {
  while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
  return at_ == line_end;
}

std::string_view MshSource::number_word(const char* what) {
  const std::string_view found = word();
  if (found.empty()) fail_truncated();
  if (found.starts_with('$'))
    fail(fmt::format("{} is missing: there is {}", what, shown(found)),
         "the count does not match or the file is damaged: write it again");
  return found;
}

std::int64_t MshSource::text_integer(const char* what) {
  const std::string_view found = number_word(what);
  std::int64_t value = 0;
  if (!parse_integer(found, value))
    fail(fmt::format("{} is '{}', not a whole number", what, shown(found)), damaged);
  return value;
}

std::int64_t MshSource::integer(const char* what) {
  if (!binary_) return text_integer(what);
  record_ = at_;
  return raw<std::int32_t>();
}

std::int64_t MshSource::size(const char* what) {
  if (!binary_) return text_integer(what);
  record_ = at_;
  const auto value = raw<std::uint64_t>();
  if (value > static_cast<std::uint64_t>(INT64_MAX)) fail(fmt::format("{} is {}", what, value), damaged);
  return static_cast<std::int64_t>(value);
}

double MshSource::real(const char* what) {
  double value = 0;
  if (!binary_) {
    const std::string_view found = number_word(what);
    if (!parse_real(found, value))
      fail(fmt::format("{} is '{}', not a number", what, shown(found)),
           "mesh again, or write the file again");
    return value;
  }
  record_ = at_;
  value = raw<double>();
  if (!std::isfinite(value))
    fail(fmt::format("{} is '{}', not a number", what, value), "mesh again, or write the file again");
  return value;
}

std::int32_t MshSource::label(std::int64_t value, const char* what) const {
  if (value < 1 || value > INT32_MAX)
    fail(fmt::format("{} has the number {}, out of the range from 1 to {}", what, value, INT32_MAX),
         "number the mesh anew: Mesh.Renumber = 1");
  return static_cast<std::int32_t>(value);
}

std::int64_t MshSource::checked_count(std::int64_t count, std::int64_t bytes, std::int64_t words,
                                      const char* what) const {
  const std::int64_t each = binary_ ? bytes : 2 * words;  // a word and what divides it from the next
  const auto left = static_cast<std::int64_t>(bytes_.size() - at_);
  const std::int64_t most = std::min<std::int64_t>(left / each + 1, INT32_MAX);
  if (count < 0 || count > most)
    fail(fmt::format("{} {} are announced, but the rest of the file can hold at most {}", count, what, most),
         damaged);
  return count;
}

void MshSource::tick() {
  if (at_ - told_ < (std::size_t{1} << 22) && at_ != bytes_.size()) return;
  stage_.advance(static_cast<std::int64_t>(at_ - told_));
  told_ = at_;
}

}  // namespace setka::io::detail
