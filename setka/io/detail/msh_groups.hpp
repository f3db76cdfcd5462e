// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "setka/io/detail/msh_content.hpp"

namespace setka::io::detail {

/// The physical groups of a block.
std::span<const std::int32_t> groups_of(const MshContent& content, const MshBlock& block);

/// The blocks of each group that has elements.
using MshGroups = std::map<MshTag, std::vector<const MshBlock*>>;
MshGroups msh_groups(const MshContent& content);

/// The name that a set has: capitals, '_' for blanks, commas and the like, PHYSICAL_<dimension>_<tag> where
/// there is none, PHYSICAL_<name> where the name could be taken for a number. Two groups that come to the
/// same name are an Error(Fault::input).
std::map<MshTag, std::string> msh_set_names(const MshContent& content, const MshGroups& groups,
                                            const std::string& file);

/// Node and element sets and surfaces of the groups. node_of: [nodes of the file] in the mesh, or -1;
/// element_of: [elements of the file] in the mesh, or -1. dimension: that of the elements.
void add_msh_sets(const MshContent& content, std::span<const std::int32_t> node_of,
                  std::span<const std::int32_t> element_of, int dimension, const std::string& file,
                  model::Model& model);

}  // namespace setka::io::detail
