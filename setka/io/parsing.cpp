// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/parsing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>

namespace setka::io {
namespace {

std::string without_blanks(std::string_view text) {
  std::string dense;
  std::copy_if(text.begin(), text.end(), std::back_inserter(dense), [](char c) { return !is_blank(c); });
  return dense;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Powers of ten that a double holds exactly.
constexpr std::array<double, 23> powers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_changed(char c) {
  return is_blank(c) || c == 'd' || c == 'D';
}

/// By the standard library, for what the fast path leaves: many digits, large exponents.
bool parse_real_exactly(std::string_view text, double& value) {
  std::string plain;
  std::string_view rest = text;
  if (std::any_of(text.begin(), text.end(), is_changed)) {  // else there is nothing to copy for
    plain = without_blanks(text);
    for (char& c : plain) {
      if (c == 'd' || c == 'D') c = 'e';
    }
    rest = plain;
  }
  if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
  const auto digits = static_cast<std::size_t>(!rest.empty() && rest.front() == '-');
  if (rest.size() <= digits || (!is_digit(rest[digits]) && rest[digits] != '.')) return false;  // nan, inf
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (end != rest.data() + rest.size()) return false;
  if (code == std::errc::result_out_of_range) {  // underflow is zero, overflow is no number
    const auto exponent = rest.find_first_of("eE");
    if (exponent == std::string_view::npos || exponent + 1 >= rest.size() || rest[exponent + 1] != '-')
      return false;
    value = 0;
    return true;
  }
  return code == std::errc();
}

}  // namespace

bool parse_integer_slowly(std::string_view text, std::int64_t& value) {
  const std::string dense = without_blanks(text);
  std::string_view rest = dense;
  if (rest.size() > 1 && rest.front() == '+' && rest[1] != '-') rest.remove_prefix(1);
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  return code == std::errc() && end == rest.data() + rest.size() && !rest.empty();
}

bool parse_real(std::string_view text, double& value) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;

  std::uint64_t mantissa = 0;
  std::ptrdiff_t digits = 0;
  int exponent = 0;
  const char* begin = at;
  for (; at != end && is_digit(*at); ++at) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at - '0');
  digits = at - begin;
  if (at != end && *at == '.') {
    begin = ++at;
    for (; at != end && is_digit(*at); ++at) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at - '0');
    digits += at - begin;
    exponent = -static_cast<int>(std::min<std::ptrdiff_t>(at - begin, 1000));
  }
  if (digits == 0 || digits > 19) return parse_real_exactly(text, value);
  if (at != end) {
    if (*at != 'e' && *at != 'E' && *at != 'd' && *at != 'D') return parse_real_exactly(text, value);
    ++at;
    const bool down = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end || end - at > 4) return parse_real_exactly(text, value);
    int power = 0;
    for (; at != end && is_digit(*at); ++at) power = 10 * power + (*at - '0');
    if (at != end) return parse_real_exactly(text, value);
    exponent += down ? -power : power;
  }
  // Both operands are exact, so the one rounding of the product or quotient is the right one (Clinger 1990).
  if (mantissa >= (std::uint64_t{1} << 53) || exponent > 22 || exponent < -22)
    return parse_real_exactly(text, value);
  const auto whole = static_cast<double>(mantissa);
  const double size = exponent < 0 ? whole / powers[static_cast<std::size_t>(-exponent)]
                                   : whole * powers[static_cast<std::size_t>(exponent)];
  value = negative ? -size : size;
  return true;
}

}  // namespace setka::io
