// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/io/report_codec.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <zlib.h>

#include "setka/base/error.hpp"

namespace setka::io {
namespace {

constexpr int deflate_level = 6;

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  const int failed = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), deflate_level);
  require(failed == Z_OK, "report: zlib does not compress");
  packed.resize(size);
  return packed;
}

void append_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>((value & 0x7f) | 0x80));
  bytes.push_back(static_cast<char>(value));
}

}  // namespace

Quantised quantise(std::span<const double> values, int bits) {
  Quantised made;
  made.low = std::numeric_limits<double>::infinity();
  made.high = -made.low;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      made.has_gaps = true;
      continue;
    }
    made.low = std::min(made.low, value);
    made.high = std::max(made.high, value);
  }
  if (!(made.low <= made.high)) made.low = made.high = 0;
  const int most = most_code(bits);
  // Halves, since the difference of two numbers may be none.
  const double range = 0.5 * made.high - 0.5 * made.low;
  made.codes.reserve(values.size());
  for (const double value : values) {
    if (!std::isfinite(value)) {
      made.codes.push_back(static_cast<std::uint16_t>(most + 1));
      continue;
    }
    const double share = range > 0 ? (0.5 * value - 0.5 * made.low) / range : 0;
    made.codes.push_back(static_cast<std::uint16_t>(std::lround(share * most)));
  }
  return made;
}

std::vector<std::uint16_t> in_fewer_bits(std::span<const std::uint16_t> codes, int bits, int fewer) {
  const double scale = static_cast<double>(most_code(fewer)) / most_code(bits);
  std::vector<std::uint16_t> made;
  made.reserve(codes.size());
  for (const std::uint16_t code : codes) {
    made.push_back(code > most_code(bits) ? static_cast<std::uint16_t>(most_code(fewer) + 1)
                                          : static_cast<std::uint16_t>(std::lround(code * scale)));
  }
  return made;
}

std::string packed_codes(std::span<const std::uint16_t> codes, std::size_t components) {
  require(components > 0 && codes.size() % components == 0, "report: codes of no whole number of components");
  const std::size_t points = codes.size() / components;
  std::string bytes(2 * codes.size(), '\0');
  for (std::size_t c = 0; c < components; ++c) {
    std::uint16_t before = 0;
    for (std::size_t i = c * points; i < (c + 1) * points; ++i) {
      // Even numbers are differences upwards: those of either sign are then small, and their high byte zero.
      const auto difference = static_cast<std::int16_t>(static_cast<std::uint16_t>(codes[i] - before));
      const auto folded = static_cast<std::uint16_t>((difference << 1) ^ (difference >> 15));
      before = codes[i];
      bytes[i] = static_cast<char>(folded & 0xff);
      bytes[codes.size() + i] = static_cast<char>(folded >> 8);
    }
  }
  return deflated(bytes);
}

std::vector<std::uint16_t> unpacked_codes(std::string_view packed, std::size_t points,
                                          std::size_t components) {
  const std::size_t count = points * components;
  std::string bytes(2 * count, '\0');
  uLongf size = bytes.size();
  const int failed = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  require(failed == Z_OK && size == 2 * count, "report: codes that were not packed by packed_codes()");
  std::vector<std::uint16_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t before = i % points == 0 ? std::uint16_t{0} : codes[i - 1];
    const int folded =
        static_cast<unsigned char>(bytes[i]) | (static_cast<unsigned char>(bytes[count + i]) << 8);
    codes[i] = static_cast<std::uint16_t>(before + ((folded >> 1) ^ -(folded & 1)));
  }
  return codes;
}

std::string packed_references(std::span<const std::int32_t> points) {
  std::string bytes;
  bytes.reserve(points.size() * 2);
  std::int32_t next = 0;
  for (const std::int32_t point : points) {
    require(point >= 0 && point <= next, "report: points are not in the order of their first reference");
    append_varint(bytes, static_cast<std::uint64_t>(next - point));
    next = std::max(next, point + 1);
  }
  return deflated(bytes);
}

std::string packed_numbers(std::span<const std::int32_t> numbers) {
  std::string bytes;
  bytes.reserve(numbers.size() * 2);
  std::int64_t before = 0;
  for (const std::int32_t number : numbers) {
    const std::int64_t difference = number - before;
    append_varint(
        bytes, (static_cast<std::uint64_t>(difference) << 1) ^ static_cast<std::uint64_t>(difference >> 63));
    before = number;
  }
  return deflated(bytes);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(base64_size(bytes.size()));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(i + k > bytes.size() ? '=' : letters[(group >> (18 - 6 * k)) & 63]);
  }
  return text;
}

}  // namespace setka::io
