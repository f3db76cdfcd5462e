// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "setka/io/detail/msh_shapes.hpp"
#include "setka/io/detail/msh_source.hpp"
#include "setka/io/msh.hpp"
#include "setka/mesh/mesh.hpp"

namespace setka::io::detail {

/// A physical group, or an entity of the geometry.
struct MshTag {
  int dimension = 0;
  std::int32_t tag = 0;
  bool operator==(const MshTag&) const = default;
  bool operator<(const MshTag& other) const {
    return dimension != other.dimension ? dimension < other.dimension : tag < other.tag;
  }
};

/// Elements of one shape and one entity that follow each other in the file.
struct MshBlock {
  const MshShape* shape = nullptr;
  MshTag entity;
  std::int32_t group = 0;      // version 2.2: the one physical group, 0 for none; 4.1 has them at the entity
  std::int32_t partition = 0;  // from 1; 0: none
  std::int64_t first_element = 0;
  std::int64_t first_node = 0;  // of its first element, into element_nodes
  std::int64_t count = 0;
  bool ghost = false;  // elements of other partitions, which one of them has besides
};

/// What is in the file, in its order and numbering.
struct MshContent {
  bool old = false;                                    // version 2.2
  std::map<MshTag, std::string> names;                 // of groups, as written
  std::map<MshTag, std::vector<std::int32_t>> groups;  // of entities, version 4.1
  std::int32_t partitions = 0;                         // 0: the mesh is whole
  std::map<MshTag, std::int32_t> partition_of;         // of entities, version 4.1
  std::set<MshTag> ghost_entities;                     // likewise

  std::vector<std::int32_t> node_tags;
  std::vector<double> coordinates;  // [nodes, 3]
  mesh::LabelMap node_map;

  std::vector<MshBlock> blocks;
  std::vector<std::int32_t> element_tags;
  std::vector<std::int32_t> element_nodes;  // positions of nodes, in Gmsh's order
};

MshContent read_msh_content(MshSource& source);

model::Model make_msh_model(const MshContent& content, const std::string& name, const MshOptions& options);

}  // namespace setka::io::detail
