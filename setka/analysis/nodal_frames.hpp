// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/model/model.hpp"

namespace setka::analysis {

/// What the shells or the beams at a node have in common there, or an element of a membrane by itself:
/// directions across the surface or the line, sizes along them and the offsets of the middle, over the size.
struct NodalFrame {
  std::int32_t node = -1;
  model::ProfileShape shape = model::ProfileShape::plate;
  std::array<std::array<double, 3>, 2> axis{};  // the normal of a shell; axes 1 and 2 of a beam
  std::array<double, 2> size{1, 1};
  std::array<double, 2> offset{};
  bool hinged = false;  // of a membrane
};

/// As CalculiX has them: at a node, elements whose normals differ by less than 20 degrees (0.5 from one that
/// the user gives), and which are as thick, share the mean of their normals. A node with several frames is
/// stiff between them, but for those of membranes, of which each element has its own.
struct NodalFrames {
  std::vector<NodalFrame> frames;         // by node
  std::vector<std::int64_t> first_place;  // [elements + 1]; none where nothing has a profile
  std::vector<std::int32_t> frame;        // of each node of each shell, membrane and beam, into frames

  bool empty() const { return frames.empty(); }
  std::span<const std::int32_t> of(std::int32_t element) const {
    const auto e = static_cast<std::size_t>(element);
    return {frame.data() + first_place[e], static_cast<std::size_t>(first_place[e + 1] - first_place[e])};
  }
};

/// section_of: [elements] into model.sections; -1: none, and of unit thickness. Where a normal has no length
/// an Error says of which element.
NodalFrames nodal_frames(const model::Model& model, std::span<const std::int32_t> section_of);

}  // namespace setka::analysis
