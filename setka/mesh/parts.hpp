// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/mesh/mesh.hpp"

namespace setka::mesh {

/// Elements that hang together by common nodes are a part; parts are numbered from 0 in the order of their
/// first elements.
struct Parts {
  std::vector<std::int32_t> of_node;        // [nodes]; -1: of no element
  std::vector<std::int32_t> of_element;     // [elements]
  std::vector<std::int32_t> first_element;  // [parts]
  std::vector<std::int32_t> element_count;  // [parts]

  std::int32_t count() const { return static_cast<std::int32_t>(first_element.size()); }
};

Parts connected_parts(const Mesh& mesh);

}  // namespace setka::mesh
