// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/numbers.hpp"

#include <array>
#include <bit>
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

/// 10^k for |k| up to 300, each the nearest double.
class PowersOfTen {
 public:
  static constexpr int most = 300;
  PowersOfTen() {
    for (int k = -most; k <= most; ++k) {
      std::array<char, 8> text{'1', 'e'};
      const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), k).ptr;
      std::from_chars(text.data(), end, values_[place(k)]);
    }
  }
  double operator[](int k) const { return values_[place(k)]; }

 private:
  static std::size_t place(int k) { return static_cast<std::size_t>(k) + most; }

  std::array<double, 2 * most + 1> values_{};
};
const PowersOfTen powers_of_ten;

constexpr auto pairs_of_figures = [] {
  std::array<char, 200> text{};
  for (std::size_t i = 0; i < 100; ++i) {
    text[2 * i] = static_cast<char>('0' + i / 10);
    text[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return text;
}();

/// The figures of a number that ends before `end`, from its last; returns its first.
char* put_figures_before(char* end, std::uint64_t value) {
  for (; value >= 100; value /= 100) {
    end -= 2;
    std::memcpy(end, pairs_of_figures.data() + 2 * (value % 100), 2);
  }
  if (value < 10) {
    *--end = static_cast<char>('0' + value);
    return end;
  }
  end -= 2;
  std::memcpy(end, pairs_of_figures.data() + 2 * value, 2);
  return end;
}

/// A power of ten and the multiplication by it are each off by half a unit in the last place, far less than
/// a millionth of the last figure that is shown, so the rounded integer is right unless the scaled value lies
/// next to a tie. False: that, or the number is among the smallest or largest.
bool quick_decimal(double magnitude, int digits, Decimal& decimal) {
  constexpr std::array<std::int64_t, 9> bounds{10,      100,      1000,      10000,     100000,
                                               1000000, 10000000, 100000000, 1000000000};
  if (digits > 7) return false;
  const auto binary = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1023;
  if (binary < -960 || binary > 960) return false;  // powers of ten end, or numbers lose their precision
  const std::int64_t bound = bounds[static_cast<std::size_t>(digits)];
  int exponent = (binary * 78913) >> 18;  // floor of the logarithm of 2^binary, one less than ours at times
  double y = magnitude * powers_of_ten[digits - exponent];
  if (y >= static_cast<double>(bound)) {
    ++exponent;
    y = magnitude * powers_of_ten[digits - exponent];
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
  put_figures_before(decimal.figures.data() + digits + 1, static_cast<std::uint64_t>(whole));
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

char* put_c_exponent(char* at, float value) {
  constexpr int digits = 5;
  if (!std::isfinite(value)) {
    const std::string_view word = std::isnan(value) ? "NAN" : "INF";
    std::memset(at, ' ', c_exponent_width);
    if (std::signbit(value)) at[c_exponent_width - word.size() - 1] = '-';
    std::memcpy(at + c_exponent_width - word.size(), word.data(), word.size());
    return at + c_exponent_width;
  }
  const Decimal decimal = decimal_of(std::abs(static_cast<double>(value)), digits);
  *at++ = std::signbit(value) ? '-' : ' ';
  *at++ = decimal.figures[0];
  *at++ = '.';
  std::memcpy(at, decimal.figures.data() + 1, digits);
  return put_exponent(at + digits, decimal.exponent, true);
}

char* put_integer(char* at, std::int64_t value, int width) {
  std::array<char, 24> word;
  char* const end = word.data() + word.size();
  const auto magnitude =
      value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
  char* begin = put_figures_before(end, magnitude);
  if (value < 0) *--begin = '-';
  const auto size = static_cast<int>(end - begin);
  if (size < width) {
    std::memset(at, ' ', static_cast<std::size_t>(width - size));
    at += width - size;
  }
  std::memcpy(at, begin, static_cast<std::size_t>(size));
  return at + size;
}

void append_integer(std::string& text, std::int64_t value, int width) {
  std::array<char, 64> word;
  SETKA_ASSERT(width <= static_cast<int>(word.size()));
  text.append(word.data(), put_integer(word.data(), value, width));
}

}  // namespace setka::io
