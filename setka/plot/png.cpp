// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/plot/png.hpp"

#include <utility>

#include <zlib.h>

#include "setka/base/error.hpp"

namespace setka::plot {
namespace {

/// Seven rows of five points each.
using Glyph = std::array<std::string_view, 7>;

const Glyph* glyph_of(char c) {
  static const std::vector<std::pair<char, Glyph>> glyphs{
      {'0', {" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "}},
      {'1', {"  #  ", " ##  ", "# #  ", "  #  ", "  #  ", "  #  ", "#####"}},
      {'2', {" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"}},
      {'3', {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "}},
      {'4', {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "}},
      {'5', {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "}},
      {'6', {" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "}},
      {'7', {"#####", "    #", "   # ", "  #  ", "  #  ", " #   ", " #   "}},
      {'8', {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "}},
      {'9', {" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "}},
      {'+', {"     ", "  #  ", "  #  ", "#####", "  #  ", "  #  ", "     "}},
      {'-', {"     ", "     ", "     ", "#####", "     ", "     ", "     "}},
      {'.', {"     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "}},
      {'e', {"     ", "     ", " ### ", "#   #", "#####", "#    ", " ### "}},
      {'t', {" #   ", " #   ", "#### ", " #   ", " #   ", " #  #", "  ## "}},
      {'x', {"     ", "     ", "#   #", " # # ", "  #  ", " # # ", "#   #"}},
      {'y', {"     ", "     ", "#   #", "#   #", " ####", "    #", " ### "}},
      {'z', {"     ", "     ", "#####", "   # ", "  #  ", " #   ", "#####"}},
      {'=', {"     ", "     ", "#####", "     ", "#####", "     ", "     "}},
  };
  for (const auto& [letter, glyph] : glyphs) {
    if (letter == c) return &glyph;
  }
  return nullptr;
}

void append_number(std::string& bytes, std::uint32_t number) {
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 255U);
}

void append_chunk(std::string& bytes, std::string_view kind, std::string_view content) {
  append_number(bytes, static_cast<std::uint32_t>(content.size()));
  const std::size_t begin = bytes.size();
  bytes += kind;
  bytes += content;
  const uLong sum = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data() + begin),
                          static_cast<uInt>(bytes.size() - begin));
  append_number(bytes, static_cast<std::uint32_t>(sum));
}

}  // namespace

Picture::Picture(int width, int height, Colour background)
    : width_(width),
      height_(height),
      points_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background) {
  require(width > 0 && height > 0, "Picture: width and height must be positive");
}

void Picture::set(int x, int y, Colour colour) {
  if (x >= 0 && x < width_ && y >= 0 && y < height_) points_[place(x, y)] = colour;
}

void Picture::fill(int x, int y, int width, int height, Colour colour) {
  for (int j = y; j < y + height; ++j) {
    for (int i = x; i < x + width; ++i) set(i, j, colour);
  }
}

void Picture::write(int x, int y, std::string_view text, int size, Colour colour) {
  for (const char c : text) {
    if (const Glyph* const glyph = glyph_of(c)) {
      for (int row = 0; row < 7; ++row) {
        for (int column = 0; column < 5; ++column) {
          if ((*glyph)[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#')
            fill(x + column * size, y + row * size, size, size, colour);
        }
      }
    }
    x += 6 * size;
  }
}

std::string Picture::png() const {
  std::string rows;
  rows.reserve(points_.size() * 3 + static_cast<std::size_t>(height_));
  for (int y = 0; y < height_; ++y) {
    rows += '\0';  // no filter
    for (int x = 0; x < width_; ++x) {
      for (const std::uint8_t part : at(x, y)) rows += static_cast<char>(part);
    }
  }
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                static_cast<uLong>(rows.size()), 6) != Z_OK)
    throw Error(Fault::resource, "zlib could not compress: out of memory");
  packed.resize(size);
  std::string header;
  append_number(header, static_cast<std::uint32_t>(width_));
  append_number(header, static_cast<std::uint32_t>(height_));
  header += std::string_view("\x08\x02\x00\x00\x00", 5);  // 8 bits of red, green and blue, not interlaced
  std::string bytes("\x89PNG\r\n\x1a\n");
  append_chunk(bytes, "IHDR", header);
  append_chunk(bytes, "IDAT", packed);
  append_chunk(bytes, "IEND", "");
  return bytes;
}

}  // namespace setka::plot
