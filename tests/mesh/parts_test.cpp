// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/parts.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/mesh/disjoint_sets.hpp"

namespace setka::mesh {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Mesh trusses(std::initializer_list<std::array<std::int32_t, 2>> ends, int nodes) {
  Mesh mesh;
  for (int i = 1; i <= nodes; ++i) mesh.add_node(i, i, 0, 0);
  for (const auto& nodes_of : ends) mesh.add_element(mesh.element_count() + 1, Cell::line2, nodes_of);
  return mesh;
}

TEST(Parts, AreWhatHangsTogether) {
  // Elements 0 and 2 meet through element 3 alone; node 6 is of no element.
  const Parts parts = connected_parts(trusses({{0, 1}, {4, 5}, {2, 3}, {3, 1}}, 7));
  EXPECT_EQ(parts.count(), 2);
  EXPECT_THAT(parts.of_node, ElementsAre(0, 0, 0, 0, 1, 1, -1));
  EXPECT_THAT(parts.of_element, ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(parts.first_element, ElementsAre(0, 1));
  EXPECT_THAT(parts.element_count, ElementsAre(3, 1));
}

TEST(Parts, OfNothing) {
  EXPECT_EQ(connected_parts(Mesh()).count(), 0);
  EXPECT_THAT(connected_parts(trusses({}, 2)).of_node, ElementsAre(-1, -1));
  EXPECT_THAT(connected_parts(trusses({}, 2)).of_element, IsEmpty());
}

TEST(DisjointSets, JoinAndSeparate) {
  DisjointSets sets(5);
  EXPECT_TRUE(sets.join(0, 1));
  EXPECT_TRUE(sets.join(3, 4));
  EXPECT_NE(sets.leader(0), sets.leader(3));
  EXPECT_TRUE(sets.join(1, 3));
  EXPECT_FALSE(sets.join(4, 0));  // by way of the others
  EXPECT_EQ(sets.leader(0), sets.leader(4));
  EXPECT_EQ(sets.leader(2), 2);
  for (const std::int32_t member : {0, 1, 3, 4}) sets.separate(member);
  for (std::int32_t member = 0; member < 5; ++member) EXPECT_EQ(sets.leader(member), member);
}

}  // namespace
}  // namespace setka::mesh
