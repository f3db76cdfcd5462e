// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "setka/grid/pyramid.hpp"

/// Which planes a block of a pyramid loads, sweeps and stores, and where they are on the device.
namespace setka::grid {

struct PlaneRange {
  std::int64_t first = 0;
  std::int64_t last = 0;  // one beyond

  std::int64_t count() const { return std::max<std::int64_t>(last - first, 0); }
};

/// The blocks of several passes of one height, one after the other, numbered from 0 on. Planes lie in rings
/// on the device under the number plane + shift.
class PyramidBlocks {
 public:
  PyramidBlocks(const PyramidLayout& layout, int height, std::int64_t grid_planes)
      : shape_(layout.shape), height_(height), planes_(layout.planes), grid_(grid_planes) {}

  std::int64_t in_pass() const { return (grid_ + (skewed() ? height_ : 0) + planes_ - 1) / planes_; }
  std::int64_t in_place(std::int64_t block) const { return block % in_pass(); }

  PlaneRange load(std::int64_t block) const {
    const std::int64_t first = in_place(block) * planes_;
    return skewed() ? clipped(first, first + planes_) : clipped(first - height_, first + planes_ + height_);
  }
  /// Of sweep 1 .. height.
  PlaneRange swept(std::int64_t block, std::int64_t sweep) const {
    const std::int64_t first = in_place(block) * planes_;
    if (skewed()) return clipped(first - sweep, first + planes_ - sweep);
    const PlaneRange all = load(block);
    return {all.first == 0 ? 0 : all.first + sweep, all.last == grid_ ? grid_ : all.last - sweep};
  }
  PlaneRange store(std::int64_t block) const {
    const std::int64_t first = in_place(block) * planes_ - (skewed() ? height_ : 0);
    return clipped(first, first + planes_);
  }
  std::int64_t shift(std::int64_t block) const {
    if (skewed()) return (block - in_place(block)) * planes_;
    return block * width() - (in_place(block) * planes_ - height_);
  }

  /// The last block of the pass before that wrote what this one loads; -1: none.
  std::int64_t written_by(std::int64_t block) const {
    const std::int64_t pass = block - in_place(block);
    if (pass == 0) return -1;
    const std::int64_t more = skewed() ? (height_ + planes_ - 1) / planes_ : 1;
    return pass - in_pass() + std::min(in_place(block) + more, in_pass() - 1);
  }
  /// A block whose neighbour, the next one, still needs the old values of its planes.
  bool keeps_old(std::int64_t block) const { return !skewed() && in_place(block) + 1 < in_pass(); }

  // Sizes of the rings: first the one that loads arrive in (results too, when the height is even), then the
  // other, then f's. A block's planes, those of the next on their way in, those of the one before on their
  // way out.
  std::int64_t first_ring() const {
    if (!skewed()) return (even() ? 3 : 2) * width();
    return even() ? 3 * planes_ + height_ : 2 * planes_ + height_ + 1;
  }
  std::int64_t second_ring() const {
    if (!skewed()) return (even() ? 1 : 2) * width();
    return even() ? planes_ + height_ : 2 * planes_ + height_;
  }
  std::int64_t source_ring() const { return skewed() ? 2 * planes_ + height_ : 2 * width(); }

 private:
  bool skewed() const { return shape_ == PyramidShape::skewed; }
  bool even() const { return height_ % 2 == 0; }
  std::int64_t width() const { return planes_ + 2 * height_; }
  PlaneRange clipped(std::int64_t first, std::int64_t last) const {
    return {std::clamp<std::int64_t>(first, 0, grid_), std::clamp<std::int64_t>(last, 0, grid_)};
  }

  PyramidShape shape_;
  std::int64_t height_;
  std::int64_t planes_;
  std::int64_t grid_;
};

}  // namespace setka::grid
