// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/numbers.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "setka/base/error.hpp"

namespace setka::io {
namespace {

/// A decimal with `digits` figures behind the first: value = 0.digits... times ten to the exponent + 1.
struct Decimal {
  std::array<char, 24> figures;  // digits + 1 of them
  int exponent;
};

constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// One multiplication or division by an exact power of ten is off by half a unit in the last place, so the
/// rounded integer is right unless the scaled value lies next to a tie. False: that, or the power is not
/// exact.
bool quick_decimal(double magnitude, int digits, Decimal& decimal) {
  if (digits > 7) return false;
  const auto scaled = [&](int exponent, double& out) {
    const int power = digits - exponent;
    if (power < -22 || power > 22) return false;
    out = power >= 0 ? magnitude * powers_of_ten[static_cast<std::size_t>(power)]
                     : magnitude / powers_of_ten[static_cast<std::size_t>(-power)];
    return true;
  };
  const auto bound = static_cast<std::int64_t>(powers_of_ten[static_cast<std::size_t>(digits) + 1]);
  int exponent = static_cast<int>(std::floor(std::ilogb(magnitude) * 0.30102999566398120));
  double y = 0;
  if (!scaled(exponent, y)) return false;
  if (y >= static_cast<double>(bound)) {
    ++exponent;
    if (!scaled(exponent, y)) return false;
  }
  auto whole = static_cast<std::int64_t>(y);
  const double rest = y - static_cast<double>(whole);
  if (std::abs(rest - 0.5) < 1e-6) return false;
  if (rest > 0.5) ++whole;
  if (whole >= bound) {
    whole /= 10;
    ++exponent;
  }
  if (whole < bound / 10) return false;  // the first figure would be zero
  for (int i = digits; i >= 0; --i) {
    decimal.figures[static_cast<std::size_t>(i)] = static_cast<char>('0' + whole % 10);
    whole /= 10;
  }
  decimal.exponent = exponent;
  return true;
}

Decimal exact_decimal(double magnitude, int digits) {
  std::array<char, 64> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), magnitude, std::chars_format::scientific, digits)
          .ptr;
  const char* mark = text.data() + digits + 2;  // the e
  Decimal decimal{};
  decimal.figures[0] = text[0];
  std::memcpy(decimal.figures.data() + 1, text.data() + 2, static_cast<std::size_t>(digits));
  const char* number = mark + (mark[1] == '+' ? 2 : 1);
  std::from_chars(number, end, decimal.exponent);
  return decimal;
}

Decimal decimal_of(double magnitude, int digits) {
  SETKA_ASSERT(digits >= 1 && digits <= 20);
  Decimal decimal{};
  if (magnitude == 0) {
    decimal.figures.fill('0');
    return decimal;
  }
  if (!quick_decimal(magnitude, digits, decimal)) return exact_decimal(magnitude, digits);
  return decimal;
}

void append_right(std::string& text, std::string_view word, int width) {
  const auto size = static_cast<int>(word.size());
  if (size < width) text.append(static_cast<std::size_t>(width - size), ' ');
  text.append(word);
}

void append_stars_or(std::string& text, std::string_view word, int width) {
  if (static_cast<int>(word.size()) > width) {
    text.append(static_cast<std::size_t>(width), '*');
  } else {
    append_right(text, word, width);
  }
}

void append_fortran_special(std::string& text, double value, int width) {
  if (std::isnan(value)) {
    append_stars_or(text, "NaN", width);
  } else if (value > 0) {
    append_stars_or(text, width >= 8 ? "Infinity" : "Inf", width);
  } else {
    append_stars_or(text, width >= 9 ? "-Infinity" : "-Inf", width);
  }
}

/// "E+01", and "+101" for three digits where Fortran writes.
char* put_exponent(char* at, int exponent, bool letter_always) {
  const int size = exponent < 0 ? -exponent : exponent;
  if (letter_always || size <= 99) *at++ = 'E';
  *at++ = exponent < 0 ? '-' : '+';
  if (size > 99) *at++ = static_cast<char>('0' + size / 100);
  *at++ = static_cast<char>('0' + size / 10 % 10);
  *at++ = static_cast<char>('0' + size % 10);
  return at;
}

}  // namespace

void append_fortran(std::string& text, double value, int width, int digits) {
  if (!std::isfinite(value)) {
    append_fortran_special(text, value, width);
    return;
  }
  const Decimal decimal = decimal_of(std::abs(value), digits);
  std::array<char, 40> word;
  char* at = word.data();
  if (std::signbit(value)) *at++ = '-';
  *at++ = decimal.figures[0];
  *at++ = '.';
  std::memcpy(at, decimal.figures.data() + 1, static_cast<std::size_t>(digits));
  at = put_exponent(at + digits, decimal.exponent, false);
  append_stars_or(text, {word.data(), static_cast<std::size_t>(at - word.data())}, width);
}

void append_fortran_fraction(std::string& text, double value, int width, int digits) {
  if (!std::isfinite(value)) {
    append_fortran_special(text, value, width);
    return;
  }
  const Decimal decimal = decimal_of(std::abs(value), digits - 1);
  std::array<char, 40> word;
  char* at = word.data();
  if (std::signbit(value)) *at++ = '-';
  *at++ = '0';
  *at++ = '.';
  std::memcpy(at, decimal.figures.data(), static_cast<std::size_t>(digits));
  at = put_exponent(at + digits, value == 0 ? 0 : decimal.exponent + 1, false);
  append_stars_or(text, {word.data(), static_cast<std::size_t>(at - word.data())}, width);
}

void append_c_exponent(std::string& text, float value) {
  constexpr int width = 12;
  constexpr int digits = 5;
  if (std::isnan(value)) {
    append_right(text, std::signbit(value) ? "-NAN" : "NAN", width);
    return;
  }
  if (std::isinf(value)) {
    append_right(text, value < 0 ? "-INF" : "INF", width);
    return;
  }
  const Decimal decimal = decimal_of(std::abs(static_cast<double>(value)), digits);
  std::array<char, 40> word;
  char* at = word.data();
  if (std::signbit(value)) *at++ = '-';
  *at++ = decimal.figures[0];
  *at++ = '.';
  std::memcpy(at, decimal.figures.data() + 1, digits);
  at = put_exponent(at + digits, decimal.exponent, true);
  append_right(text, {word.data(), static_cast<std::size_t>(at - word.data())}, width);
}

void append_integer(std::string& text, std::int64_t value, int width) {
  std::array<char, 24> word;
  const auto end = std::to_chars(word.data(), word.data() + word.size(), value).ptr;
  append_right(text, {word.data(), static_cast<std::size_t>(end - word.data())}, width);
}

}  // namespace setka::io
