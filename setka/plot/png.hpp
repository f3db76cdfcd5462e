// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace setka::plot {

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

/// Points of colour, [height, width], the first row on top.
class Picture {
 public:
  Picture(int width, int height, Colour background = {255, 255, 255});

  int width() const { return width_; }
  int height() const { return height_; }
  Colour at(int x, int y) const { return points_[place(x, y)]; }

  /// Points outside the picture are left out.
  void set(int x, int y, Colour colour);
  void fill(int x, int y, int width, int height, Colour colour);

  /// Numbers in letters of 5 x 7 points, each point a square of `size`; x, y: the upper left corner. It knows
  /// digits and "+-.etxyz= "; others are blank.
  void write(int x, int y, std::string_view text, int size, Colour colour);
  static int text_width(std::string_view text, int size) { return static_cast<int>(text.size()) * 6 * size; }

  /// The bytes of a PNG file.
  std::string png() const;

 private:
  std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  int width_;
  int height_;
  std::vector<Colour> points_;
};

}  // namespace setka::plot
