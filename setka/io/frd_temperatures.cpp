// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/frd_temperatures.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/io/parsing.hpp"
#include "setka/io/text_file.hpp"

namespace setka::io {
namespace {

constexpr TextKind frd_text{"a result file", "the .frd file", "begins with a line 1C",
                            "is a text file of results"};

// Columns of lines, from 0.
constexpr std::size_t label_at = 3;
constexpr std::size_t label_width = 10;
constexpr std::size_t value_at = label_at + label_width;
constexpr std::size_t value_width = 12;
constexpr std::size_t step_at = 48;  // of 1PSTEP: the block's number, the increment, the step
constexpr std::size_t step_width = 12;
constexpr std::size_t format_at = 73;  // of 2C: 0 short lines, 1 long ones, more: binary

class FrdReader {
 public:
  FrdReader(const std::filesystem::path& path, std::optional<int> wanted)
      : name_(path.string()),
        file_(path, frd_text, TextCheck::beginning),
        left_(file_.text()),
        wanted_(wanted) {}

  FrdTemperatures read() {
    int step = 1;
    while (next()) {
      if (line_.starts_with("    1PSTEP")) step = static_cast<int>(integer(step_at, step_width, "the step"));
      if (line_.starts_with("    2C")) refuse_binary();
      if (!line_.starts_with(" -4  NDTEMP ")) continue;
      if (std::ranges::find(steps_, step) == steps_.end()) steps_.push_back(step);
      if (!wanted_ || *wanted_ == step) read_block(step);  // a later one of the step takes its place
    }
    if (steps_.empty())
      throw Error(Fault::input, "the result file has no temperatures",
                  "ask for them by *NODE FILE, NT where it is made", SourceLine{name_, 0});
    if (found_.node.empty()) {
      std::string steps;
      for (const int known : steps_) steps += fmt::format("{}{}", steps.empty() ? "" : ", ", known);
      throw Error(Fault::input, fmt::format("the result file has no temperatures of step {}", *wanted_),
                  fmt::format("it has those of step {}", steps), SourceLine{name_, 0});
    }
    return found_;
  }

 private:
  bool next() {
    if (left_.empty()) return false;
    line_ = left_.substr(0, left_.find('\n'));
    left_.remove_prefix(std::min(line_.size() + 1, left_.size()));
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(Fault::input, "result file: " + what, remedy, SourceLine{name_, number_});
  }

  std::string_view field(std::size_t at, std::size_t width) const {
    return at < line_.size() ? trimmed(line_.substr(at, width)) : std::string_view();
  }

  std::int64_t integer(std::size_t at, std::size_t width, std::string_view what) const {
    std::int64_t number = 0;
    if (!parse_integer(field(at, width), number) || number < 0 ||
        number > std::numeric_limits<std::int32_t>::max())
      fail(fmt::format("{} is no number: '{}'", what, field(at, width)), "let the file be written anew");
    return number;
  }

  void refuse_binary() const {
    if (integer(format_at, 2, "the format") != 1)
      fail("its lines are not those of a long text file",
           "let it be written in text: by *NODE FILE and *EL FILE, not by *NODE OUTPUT and *ELEMENT OUTPUT");
  }

  void read_block(int step) {
    found_ = {};
    found_.step = step;
    while (next()) {
      if (line_.starts_with(" -5")) continue;
      if (line_.starts_with(" -3")) return;
      if (!line_.starts_with(" -1")) fail("no row of temperatures", "let the file be written anew");
      double value = 0;
      if (!parse_real(field(value_at, value_width), value))
        fail(fmt::format("the temperature is no number: '{}'", field(value_at, value_width)),
             "let the file be written anew");
      found_.node.push_back(static_cast<std::int32_t>(integer(label_at, label_width, "the node")));
      found_.value.push_back(value);
    }
    fail("it ends amid the temperatures", "let the run that writes it come to its end");
  }

  std::string name_;
  TextFile file_;
  std::string_view left_;
  std::optional<int> wanted_;
  std::string_view line_;
  std::int64_t number_ = 0;
  std::vector<int> steps_;  // that have temperatures
  FrdTemperatures found_;
};

}  // namespace

FrdTemperatures read_frd_temperatures(const std::filesystem::path& path, std::optional<int> step) {
  return FrdReader(path, step).read();
}

}  // namespace setka::io
