// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Sections $Entities and $PartitionedEntities of version 4.1.
#include "setka/io/detail/msh_entities.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace setka::io::detail {
namespace {

std::array<std::int64_t, 4> read_counts(MshSource& in) {
  std::array<std::int64_t, 4> counts{};
  for (std::int64_t& count : counts) count = in.size("the number of entities");
  return counts;
}

/// From the box to the bounds; returns the physical groups.
std::vector<std::int32_t> read_rest(MshSource& in, int dimension) {
  for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) in.real("the box of an entity");
  const std::int64_t count = in.checked_count(in.size("the number of groups"), 4, 1, "groups");
  std::vector<std::int32_t> groups;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int32_t number = msh_group(in, in.integer("the tag of a group"));
    if (number != 0) groups.push_back(number);
  }
  if (dimension == 0) return groups;
  const std::int64_t bounds = in.checked_count(in.size("the number of bounds"), 4, 1, "bounds");
  for (std::int64_t k = 0; k < bounds; ++k) in.integer("the tag of a bound");
  return groups;
}

/// The partitions of an entity; the first is its own.
std::int32_t read_partitions(MshSource& in, std::int64_t most) {
  const std::int64_t count = in.checked_count(in.size("the number of partitions"), 4, 1, "partitions");
  std::int32_t own = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t tag = in.integer("a partition");
    if (tag < 1 || tag > most)
      in.fail(fmt::format("an entity is in partition {} of {}", tag, most),
              "the file is damaged: write it again");
    if (k == 0) own = static_cast<std::int32_t>(tag);
  }
  return own;
}

}  // namespace

std::int32_t msh_group(const MshSource& in, std::int64_t tag) {
  const std::int64_t size = tag < 0 ? -(tag + 1) + 1 : tag;  // a minus sign says "turned around"
  if (tag < -INT32_MAX || tag > INT32_MAX)
    in.fail(fmt::format("a physical group has the tag {}", tag), "tags have 32 bits");
  return static_cast<std::int32_t>(size);
}

void read_msh_entities(MshSource& in, MshContent& content) {
  if (in.binary()) in.skip_newline();
  const std::array<std::int64_t, 4> counts = read_counts(in);
  for (int dimension = 0; dimension < 4; ++dimension) {
    const std::int64_t count = counts[static_cast<std::size_t>(dimension)];
    in.checked_count(count, dimension == 0 ? 36 : 68, dimension == 0 ? 5 : 9, "entities");
    for (std::int64_t i = 0; i < count; ++i) {
      const auto tag = static_cast<std::int32_t>(in.integer("the tag of an entity"));
      content.groups[{dimension, tag}] = read_rest(in, dimension);
    }
  }
  in.expect_end("$Entities", "the entities");
}

void read_msh_partitioned_entities(MshSource& in, MshContent& content) {
  if (in.binary()) in.skip_newline();
  const std::int64_t partitions = in.size("the number of partitions");
  if (partitions < 1 || partitions > INT32_MAX)
    in.fail(fmt::format("the number of partitions is {}", partitions), "the file is damaged: write it again");
  content.partitions = static_cast<std::int32_t>(partitions);
  const std::int64_t ghosts =
      in.checked_count(in.size("the number of ghost entities"), 8, 2, "ghost entities");
  std::vector<std::int32_t> ghost_tags;
  for (std::int64_t i = 0; i < ghosts; ++i) {
    ghost_tags.push_back(static_cast<std::int32_t>(in.integer("the tag of a ghost entity")));
    in.integer("the partition of a ghost entity");
  }
  const std::array<std::int64_t, 4> counts = read_counts(in);
  int top = 0;
  for (int dimension = 0; dimension < 4; ++dimension) {
    const std::int64_t count = counts[static_cast<std::size_t>(dimension)];
    in.checked_count(count, dimension == 0 ? 52 : 84, dimension == 0 ? 8 : 12, "entities");
    if (count > 0) top = dimension;
    for (std::int64_t i = 0; i < count; ++i) {
      const MshTag entity{dimension, static_cast<std::int32_t>(in.integer("the tag of an entity"))};
      const std::int64_t parent_dimension = in.integer("the dimension of a parent");
      const std::int64_t parent = in.integer("the tag of a parent");
      content.partition_of[entity] = read_partitions(in, partitions);
      std::vector<std::int32_t> groups = read_rest(in, dimension);
      if (parent_dimension != dimension) {
        // A border of partitions within its parent, whose groups Gmsh copies: they are none of faces or
        // edges.
        const auto of_parent =
            content.groups.find({static_cast<int>(parent_dimension), static_cast<std::int32_t>(parent)});
        if (of_parent != content.groups.end()) {
          std::erase_if(groups, [&](std::int32_t group) {
            return std::ranges::find(of_parent->second, group) != of_parent->second.end();
          });
        }
      }
      content.groups[entity] = std::move(groups);
    }
  }
  for (const std::int32_t tag : ghost_tags) content.ghost_entities.insert({top, tag});
  in.expect_end("$PartitionedEntities", "the entities");
}

}  // namespace setka::io::detail
