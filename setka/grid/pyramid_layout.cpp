// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/base/text.hpp"
#include "setka/grid/pyramid.hpp"
#include "setka/grid/pyramid_blocks.hpp"

namespace setka::grid {
namespace {

constexpr int max_height = 128;

/// The most planes of a block that fit; 0: none.
std::int64_t planes_that_fit(PyramidShape shape, int height, std::int64_t capacity) {
  const std::int64_t none = device_planes(shape, height, 0);
  const std::int64_t each = device_planes(shape, height, 1) - none;
  const std::int64_t planes = std::max<std::int64_t>(capacity - none, 0) / each;
  // The paper's blocks must be as wide as their overlap: their neighbour's neighbour is not to be read.
  return shape == PyramidShape::overlapping && planes < height ? 0 : planes;
}

}  // namespace

std::string_view name(PyramidShape shape) {
  return shape == PyramidShape::skewed ? "skewed" : "overlapping";
}

std::int64_t device_planes(PyramidShape shape, int height, std::int64_t planes) {
  const PyramidBlocks blocks({shape, height, planes, 0, 0}, height, 1);
  return blocks.first_ring() + blocks.second_ring() + blocks.source_ring();
}

PyramidLayout pyramid_layout(const StationaryHeat& heat, int value_bytes, std::uint64_t memory,
                             const PyramidOptions& options) {
  require(options.height >= 0 && options.planes >= 0, [&] {
    return fmt::format("pyramid: height {}, {} planes; neither may be negative", options.height,
                       options.planes);
  });
  require(options.shape == PyramidShape::skewed || options.planes == 0 || options.planes >= options.height,
          [&] {
            return fmt::format("pyramid: blocks of {} planes overlap by {}; they are as wide or wider",
                               options.planes, options.height);
          });
  const std::uint64_t plane_bytes =
      static_cast<std::uint64_t>(heat.plane_nodes()) * static_cast<std::uint64_t>(value_bytes);
  const auto capacity = static_cast<std::int64_t>(memory / plane_bytes);
  PyramidLayout layout;
  layout.shape = options.shape;
  layout.height = options.height;
  if (layout.height == 0) {
    const std::int64_t share = options.shape == PyramidShape::skewed ? 9 : 24;
    const std::int64_t chosen =
        std::clamp<std::int64_t>(std::min(capacity / share, heat.planes() / 4), 1, max_height);
    layout.height = static_cast<int>(chosen > 1 ? chosen / 2 * 2 : chosen);
  }
  layout.planes = options.planes;
  if (layout.planes == 0)
    layout.planes = std::min(planes_that_fit(layout.shape, layout.height, capacity),
                             std::max<std::int64_t>(heat.planes(), layout.height));
  const std::int64_t least = layout.shape == PyramidShape::skewed ? 1 : layout.height;
  const std::int64_t needed = device_planes(layout.shape, layout.height, std::max(layout.planes, least));
  layout.bytes = static_cast<std::uint64_t>(needed) * plane_bytes;
  if (layout.planes == 0 || layout.bytes > memory)
    throw Error(
        Fault::resource,
        fmt::format("pyramid: height {} with blocks of {} planes needs {}, but there are {}", layout.height,
                    std::max(layout.planes, least), format_bytes(layout.bytes), format_bytes(memory)),
        "give more memory or a lower height");
  layout.blocks = PyramidBlocks(layout, layout.height, heat.planes()).in_pass();
  return layout;
}

}  // namespace setka::grid
