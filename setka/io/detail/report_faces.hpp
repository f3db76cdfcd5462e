// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/mesh/mesh.hpp"

namespace setka::io::detail {

/// A face that is shown: its corners, outward for the right hand, then the nodes amid its edges, of which
/// there are as many or none.
struct ReportFace {
  std::int32_t chunk = 0;
  std::int32_t behind = -1;  // of the element on its other side; -1: there is none
  std::int8_t corners = 0;   // 3 or 4; 2: the line of a beam
  bool quadratic = false;
  std::array<std::int32_t, 8> nodes{};

  std::span<const std::int32_t> corner_nodes() const {
    return {nodes.data(), static_cast<std::size_t>(corners)};
  }
  std::int32_t amid(int edge) const {
    return quadratic ? nodes[static_cast<std::size_t>(corners) + static_cast<std::size_t>(edge)] : -1;
  }
};

/// Those that belong to one solid, or to two of different chunks; surfaces and lines as they are.
/// chunk_of: [elements]
std::vector<ReportFace> report_faces(const mesh::Mesh& mesh, std::span<const std::int32_t> chunk_of);

}  // namespace setka::io::detail
