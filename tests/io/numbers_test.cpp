// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/numbers.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace setka::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string fortran(double value, int width = 13, int digits = 6) {
  std::string text;
  append_fortran(text, value, width, digits);
  return text;
}

std::string fraction(double value) {
  std::string text;
  append_fortran_fraction(text, value);
  return text;
}

std::string c_exponent(float value) {
  std::array<char, c_exponent_width> text;
  char* const end = put_c_exponent(text.data(), value);
  return {text.data(), static_cast<std::size_t>(end - text.data())};
}

// What gfortran prints with format (1p,e13.6).
TEST(FortranNumbers, AreThoseOfGfortran) {
  EXPECT_EQ(fortran(0.0), " 0.000000E+00");
  EXPECT_EQ(fortran(-0.0), "-0.000000E+00");
  EXPECT_EQ(fortran(1.0), " 1.000000E+00");
  EXPECT_EQ(fortran(-4.802213e-2), "-4.802213E-02");
  EXPECT_EQ(fortran(1e-99), " 1.000000E-99");
  EXPECT_EQ(fortran(1e-100), " 1.000000-100");
  EXPECT_EQ(fortran(9.9999999e99), " 1.000000+100");
  EXPECT_EQ(fortran(9.9999994e99), " 9.999999E+99");
  EXPECT_EQ(fortran(-1.167889e101), "-1.167889+101");
  EXPECT_EQ(fortran(5e-324), " 4.940656-324");
  EXPECT_EQ(fortran(std::numeric_limits<double>::max()), " 1.797693+308");
  EXPECT_EQ(fortran(infinity), "     Infinity");
  EXPECT_EQ(fortran(-infinity), "    -Infinity");
  EXPECT_EQ(fortran(not_a_number), "          NaN");
}

TEST(FortranNumbers, WhatDoesNotFitIsStars) {
  EXPECT_EQ(fortran(-1.0, 12, 6), "************");
  EXPECT_EQ(fortran(1.0, 12, 6), "1.000000E+00");
  EXPECT_EQ(fortran(infinity, 7, 1), "    Inf");
}

TEST(FortranNumbers, FractionsAreThoseOfGfortran) {
  EXPECT_EQ(fraction(1.0), " 0.1000000E+01");
  EXPECT_EQ(fraction(0.0), " 0.0000000E+00");
  EXPECT_EQ(fraction(0.75), " 0.7500000E+00");
  EXPECT_EQ(fraction(9.99999996), " 0.1000000E+02");
  EXPECT_EQ(fraction(1e99), " 0.1000000+100");
  EXPECT_EQ(fraction(1e-100), " 0.1000000E-99");
  EXPECT_EQ(fraction(-12345.678), "-0.1234568E+05");
}

TEST(CNumbers, AreThoseOfPrintf) {
  EXPECT_EQ(c_exponent(0.0F), " 0.00000E+00");
  EXPECT_EQ(c_exponent(-0.0F), "-0.00000E+00");
  EXPECT_EQ(c_exponent(-4.802213e-2F), "-4.80221E-02");
  EXPECT_EQ(c_exponent(std::numeric_limits<float>::infinity()), "         INF");
  EXPECT_EQ(c_exponent(-std::numeric_limits<float>::infinity()), "        -INF");
  EXPECT_EQ(c_exponent(std::numeric_limits<float>::quiet_NaN()), "         NAN");
}

// printf rounds the exact binary value, halves to even: ties and their neighbours, and all exponents.
TEST(Numbers, RoundAsPrintfDoes) {
  std::mt19937_64 random(20260101);
  std::array<char, 64> expected;
  const auto check = [&](double value) {
    std::snprintf(expected.data(), expected.size(), "%13.6E", value);
    std::string wanted(expected.data());
    if (const auto e = wanted.find('E'); wanted.size() - e > 4) {
      wanted.erase(e, 1);  // Fortran drops the letter
      if (wanted.size() < 13) wanted.insert(0, 1, ' ');
    }
    ASSERT_EQ(fortran(value), wanted) << std::hexfloat << value;
    std::snprintf(expected.data(), expected.size(), "%12.5E", static_cast<double>(static_cast<float>(value)));
    ASSERT_EQ(c_exponent(static_cast<float>(value)), expected.data()) << std::hexfloat << value;
  };
  for (int i = 0; i < 100000 && !HasFatalFailure(); ++i) {
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any) && !std::isnan(static_cast<float>(any))) check(any);
    const auto digits = static_cast<double>(random() % 20000000);
    const int scale = static_cast<int>(random() % 40) - 20;
    const double tie = (digits + 0.5) * std::pow(10.0, scale);
    check(tie);
    check(std::nextafter(tie, 0));
    check(std::ldexp(static_cast<double>(random() % 100000001), -static_cast<int>(random() % 12)));
  }
}

TEST(Numbers, Integers) {
  std::string text;
  append_integer(text, 17, 5);
  append_integer(text, -3, 3);
  append_integer(text, 1234567, 3);
  EXPECT_EQ(text, "   17 -31234567");
}

}  // namespace
}  // namespace setka::io
