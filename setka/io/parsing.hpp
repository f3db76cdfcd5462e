// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

/// Numbers of decks: what Fortran writes, read in place. Each returns false where the text is not a number.
namespace setka::io {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Digits with an optional sign, as large as 64 bits hold. Blanks inside count as nothing, as in CalculiX.
bool parse_integer_slowly(std::string_view text, std::int64_t& value);
inline bool parse_integer(std::string_view text, std::int64_t& value) {
  if (text.empty() || text.size() > 18) return parse_integer_slowly(text, value);
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return parse_integer_slowly(text, value);
    number = 10 * number + (c - '0');
  }
  value = number;
  return true;
}

/// "1", "+1.", ".5", "1.5e-3", "1.5D+3"; not "1+3", "nan" or what does not fit a double. Correctly rounded.
bool parse_real(std::string_view text, double& value);

}  // namespace setka::io
