// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes that Gmsh shared out to partitions.
#include "setka/io/msh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/msh_models.hpp"

namespace setka::io {
namespace {

using setka::test::error_of;
using setka::test::msh_bytes;
using setka::test::read_bytes;
using setka::test::read_data;
using setka::test::with;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Place = std::array<std::int64_t, 3>;

/// Rounded, so that files of another precision agree.
Place place_of(std::array<double, 3> x) {
  Place place{};
  for (std::size_t k = 0; k < 3; ++k) place[k] = std::llround(1e6 * x[k]);
  return place;
}

Place centre(const mesh::Mesh& mesh, std::int32_t element) {
  std::array<double, 3> sum{};
  for (const std::int32_t node : mesh.nodes(element)) {
    for (std::size_t k = 0; k < 3; ++k) sum[k] += mesh.coordinates(node)[k];
  }
  return place_of(sum);
}

std::map<Place, std::int32_t> part_of_centre(const model::Model& model) {
  std::map<Place, std::int32_t> parts;
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e)
    parts[centre(model.mesh, e)] = model.partition.of_element.at(static_cast<std::size_t>(e));
  return parts;
}

/// Elements of each part.
std::vector<int> sizes(const model::Model& model) {
  std::vector<int> count(static_cast<std::size_t>(model.partition.count), 0);
  for (const std::int32_t part : model.partition.of_element) ++count.at(static_cast<std::size_t>(part));
  return count;
}

std::map<std::string, std::set<Place>> places_of_sets(const model::Model& model) {
  std::map<std::string, std::set<Place>> places;
  for (const model::NodeSet& set : model.node_sets) {
    for (const std::int32_t node : set.nodes) {
      const auto x = model.mesh.coordinates(node);
      places[set.name].insert(place_of({x[0], x[1], x[2]}));
    }
  }
  return places;
}

const std::vector<std::string> versions{"parts", "parts_binary", "parts_msh22", "parts_msh22_binary"};

TEST(MshParts, EachElementIsOfOnePartition) {
  const model::Model first = read_data("parts");
  EXPECT_EQ(first.partition.count, 3);
  EXPECT_THAT(sizes(first), ElementsAre(16, 16, 16));
  for (const std::string& version : versions) {
    SCOPED_TRACE(version);
    const model::Model model = read_data(version);
    EXPECT_EQ(model.mesh.element_count(), 48);
    EXPECT_EQ(model.mesh.node_count(), 30);
    EXPECT_EQ(model.partition.count, 3);
    ASSERT_EQ(model.partition.of_element.size(), 48U);
    EXPECT_EQ(part_of_centre(model), part_of_centre(first));
  }
}

TEST(MshParts, SetsAreThoseOfTheWholeMesh) {
  const model::Model whole = read_data("parts_whole");
  EXPECT_EQ(whole.partition.count, 0);
  EXPECT_TRUE(whole.partition.of_element.empty());
  for (const std::string& version : versions) {
    SCOPED_TRACE(version);
    const model::Model model = read_data(version);
    EXPECT_EQ(places_of_sets(model), places_of_sets(whole));
    ASSERT_EQ(model.element_sets.size(), whole.element_sets.size());
    for (std::size_t i = 0; i < whole.element_sets.size(); ++i) {
      EXPECT_EQ(model.element_sets[i].name, whole.element_sets[i].name);
      EXPECT_EQ(model.element_sets[i].elements.size(), whole.element_sets[i].elements.size());
    }
    ASSERT_EQ(model.surfaces.size(), whole.surfaces.size());
    for (std::size_t i = 0; i < whole.surfaces.size(); ++i) {
      EXPECT_EQ(model.surfaces[i].name, whole.surfaces[i].name);
      EXPECT_EQ(model.surfaces[i].faces.size(), whole.surfaces[i].faces.size());
    }
  }
}

TEST(MshParts, GhostsOfAFileOfOnePartitionAreLeftOut) {
  // The file has the 16 elements of partition 1, and of its neighbours those beside it.
  ASSERT_THAT(msh_bytes("parts_split_1"), HasSubstr("$GhostElements"));
  const model::Model model = read_data("parts_split_1");
  EXPECT_EQ(model.mesh.element_count(), 16);
  EXPECT_EQ(model.partition.count, 3);
  EXPECT_THAT(model.partition.of_element, Each(0));
  EXPECT_EQ(part_of_centre(model).size(), 16U);
  for (const auto& [place, part] : part_of_centre(model))
    EXPECT_EQ(part_of_centre(read_data("parts")).at(place), part);
}

TEST(MshParts, AnElementOfSeveralGroupsIsOfOnePartition) {
  const model::Model model = read_data("parts_several_msh22");
  EXPECT_EQ(model.mesh.element_count(), 16);
  EXPECT_THAT(sizes(model), ElementsAre(8, 8));
}

TEST(MshParts, BordersOfAPlaneModelAreNoEdgesOfIts) {
  const model::Model model = read_data("parts_plane");
  EXPECT_THAT(sizes(model), ElementsAre(4, 4));
  // Gmsh gives the borders the number of the group that the surface is in.
  EXPECT_EQ(model.find_node_set("PHYSICAL_1_1"), -1);
  std::vector<std::string> names;
  for (const model::NodeSet& set : model.node_sets) names.push_back(set.name);
  EXPECT_THAT(names, ElementsAre("CORNER", "LEFT_SIDE", "PLATE"));
  ASSERT_EQ(model.surfaces.size(), 1U);
  EXPECT_EQ(model.surfaces[0].faces.size(), 2U);
}

TEST(MshParts, DamageIsToldWithItsPlace) {
  const std::string bytes = msh_bytes("parts");
  EXPECT_THAT(error_of(with(bytes, "$PartitionedEntities\n3\n", "$PartitionedEntities\n0\n")),
              HasSubstr("part.msh:61: the number of partitions is 0"));
  EXPECT_THAT(error_of(with(bytes, "$PartitionedEntities\n3\n", "$PartitionedEntities\n1\n")),
              HasSubstr("an entity is in partition"));
  EXPECT_THAT(error_of(with(bytes, "$PartitionedEntities\n3\n3\n", "$PartitionedEntities\n3\n99999\n")),
              HasSubstr("part.msh:62: 99999 ghost entities are announced"));
  EXPECT_THAT(error_of(with(bytes, "$EndPartitionedEntities", "1 2 3\n$EndPartitionedEntities")),
              HasSubstr("$EndPartitionedEntities should follow the entities"));
}

TEST(MshParts, OtherTagsOfVersion22SayNothing) {
  // Three tags, and a number of partitions beyond the tags that follow.
  const std::string bytes = msh_bytes("tetra_2_msh22");
  EXPECT_EQ(read_bytes(bytes).partition.count, 0);
  const std::string tetra =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
      "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n";
  EXPECT_EQ(read_bytes(with(tetra, "1 4 2 1 1 ", "1 4 3 1 1 7 ")).partition.count, 0);
  EXPECT_EQ(read_bytes(with(tetra, "1 4 2 1 1 ", "1 4 4 1 1 5 9 ")).partition.count, 0);
  const model::Model parts = read_bytes(with(tetra, "1 4 2 1 1 ", "1 4 5 1 1 2 2 -3 "));
  EXPECT_EQ(parts.partition.count, 3);
  EXPECT_THAT(parts.partition.of_element, ElementsAre(1));
}

}  // namespace
}  // namespace setka::io
