// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// Numbers in the columns of CalculiX's files, appended to a text; no locale has a say in them. No stream and
/// no format string is involved: a number costs one multiplication and its figures in pairs.
namespace setka::io {

/// Fortran's 1PEw.d: "-4.802213E-02"; three digits of exponent push the E out ("1.167889+101"), infinities
/// are words, and what does not fit the width is stars.
void append_fortran(std::string& text, double value, int width = 13, int digits = 6);

/// Fortran's Ew.d: "0.1000000E+01".
void append_fortran_fraction(std::string& text, double value, int width = 14, int digits = 7);

/// C's %12.5E of a float, as in .frd: "-4.80221E-02", "         INF". Always 12 characters.
char* put_c_exponent(char* at, float value);
inline constexpr std::size_t c_exponent_width = 12;

/// Right-aligned; wider than the column where it must be, up to 20 characters.
char* put_integer(char* at, std::int64_t value, int width);
void append_integer(std::string& text, std::int64_t value, int width);

}  // namespace setka::io
