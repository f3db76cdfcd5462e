// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Numbers as the page of a report keeps them: rounded to so many bits, as differences, deflated, in base64.
/// web/src/codec.ts is the other side.
namespace setka::io {

/// Values between low and high as codes 0 .. most. A value that is no number has a code of its own, most + 1.
struct Quantised {
  double low = 0;
  double high = 0;
  bool has_gaps = false;             // some are no numbers
  std::vector<std::uint16_t> codes;  // [values]
};

/// The highest code of a number: one of 2^bits is kept for gaps. bits: 2 .. 16.
constexpr int most_code(int bits) {
  return (1 << bits) - 2;
}

Quantised quantise(std::span<const double> values, int bits);

/// The same values in fewer bits.
std::vector<std::uint16_t> in_fewer_bits(std::span<const std::uint16_t> codes, int bits, int fewer);

/// Codes of several components, one after the other, [components, points]: differences along the points,
/// which are small where neighbours follow one another, low bytes apart from high ones, deflated.
std::string packed_codes(std::span<const std::uint16_t> codes, std::size_t components);
std::vector<std::uint16_t> unpacked_codes(std::string_view packed, std::size_t points,
                                          std::size_t components);

/// Numbers that refer to points in the order in which points first appear: each by how far it is below the
/// lowest that has not appeared yet, 7 bits a byte, deflated.
std::string packed_references(std::span<const std::int32_t> points);

/// Numbers of any order by their differences, 7 bits a byte, deflated.
std::string packed_numbers(std::span<const std::int32_t> numbers);

std::string base64(std::string_view bytes);

/// Bytes that base64() makes of so many.
constexpr std::size_t base64_size(std::size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

}  // namespace setka::io
