// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "setka/base/error.hpp"

/// What both formats of accelerograms are read with.
namespace setka::io::detail {

/// A text line by line.
class RecordLines {
 public:
  RecordLines(std::string_view text, std::string name);

  /// Without blanks around it; empty lines too.
  bool next();
  std::string_view line() const { return line_; }
  long number() const { return number_; }
  [[noreturn]] void fail(long line, std::string message, std::string remedy) const;

 private:
  std::string_view text_;
  std::string name_;
  std::string_view line_;
  long number_ = 0;
};

/// Fields between commas, semicolons or blanks.
std::vector<std::string_view> record_fields(std::string_view line);

std::string lower_case(std::string_view text);

/// m/s² in one of the unit; none where it is no unit of acceleration.
std::optional<double> acceleration_unit(std::string_view word);
inline constexpr std::string_view acceleration_units = "g, m/s2, cm/s2, gal, mm/s2, ft/s2 or in/s2";

/// The number after a word such as "dt=", which may have blanks around its "="; none where there is none.
std::optional<double> number_after(std::string_view line, std::string_view word);

/// A time step or a number of values out of range is an Error of the line.
inline constexpr std::int64_t most_record_values = 100'000'000;

}  // namespace setka::io::detail
