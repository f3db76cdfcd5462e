// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/graph.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_meshes.hpp"

namespace setka::domains {
namespace {

using fem::Element;
using ::testing::Each;
using ::testing::ElementsAre;

std::vector<std::int32_t> neighbours(const Graph& graph, std::int32_t vertex) {
  const auto all = graph.neighbours(vertex);
  return {all.begin(), all.end()};
}

void expect_symmetric(const Graph& graph) {
  for (std::int32_t v = 0; v < graph.size(); ++v) {
    const auto own = graph.neighbours(v);
    EXPECT_TRUE(std::ranges::is_sorted(own));
    for (const std::int32_t other : own) {
      EXPECT_NE(other, v);
      EXPECT_EQ(std::ranges::count(graph.neighbours(other), v), 1) << v << " " << other;
    }
  }
}

TEST(Graph, ElementsThatShareAFaceAreNeighbours) {
  // Elements of a block are numbered with z fastest.
  const auto model = fem::test::small_model(Element::hex8, fem::test::Elasticity::isotropic, {3, 2, 2});
  const Graph graph = element_graph(model.region(), 2);
  ASSERT_EQ(graph.size(), 12);
  expect_symmetric(graph);
  std::size_t edges = 0;
  for (std::int32_t e = 0; e < graph.size(); ++e) edges += graph.neighbours(e).size();
  EXPECT_EQ(edges, 2U * (2 * 2 * 2 + 3 * 2 + 3 * 2));
  EXPECT_THAT(graph.edge_weight, Each(4));
  EXPECT_THAT(graph.vertex_weight, Each(1));
}

TEST(Graph, EdgesWeighTheNodesOfAFace) {
  const auto model =
      fem::test::small_model(Element::hex20_reduced, fem::test::Elasticity::isotropic, {2, 1, 1});
  const Graph graph = element_graph(model.region(), 1);
  EXPECT_THAT(neighbours(graph, 0), ElementsAre(1));
  EXPECT_THAT(graph.edge_weight, Each(8));
}

TEST(Graph, LargerElementsWeighMore) {
  auto model = fem::test::small_model(Element::tet4, fem::test::Elasticity::isotropic, {1, 1, 1});
  fem::test::add_block(model, Element::hex20, {1, 1, 1});
  const Graph graph = element_graph(model.region(), 1);
  EXPECT_EQ(graph.vertex_weight.front(), 1);
  EXPECT_EQ(graph.vertex_weight.back(), 25);  // 20 and 4 nodes, squared
  EXPECT_TRUE(graph.neighbours(graph.size() - 1).empty()) << "another body";
}

TEST(Graph, NodesThatShareAnElementAreNeighbours) {
  const auto model = fem::test::small_model(Element::hex8, fem::test::Elasticity::isotropic, {2, 2, 2});
  const Graph graph = node_graph(model.region(), 2);
  ASSERT_EQ(graph.size(), 27);
  expect_symmetric(graph);
  EXPECT_EQ(graph.neighbours(13).size(), 26U) << "the one in the middle";
  EXPECT_EQ(graph.vertex_weight[13], 27);
  EXPECT_EQ(graph.neighbours(0).size(), 7U);
}

TEST(Graph, ThreadsDoNotMatter) {
  const auto model = fem::test::small_model(Element::tet10, fem::test::Elasticity::isotropic, {9, 8, 7});
  for (const auto make : {element_graph, node_graph}) {
    const Graph one = make(model.region(), 1);
    const Graph two = make(model.region(), 2);
    EXPECT_EQ(one.offset, two.offset);
    EXPECT_EQ(one.neighbour, two.neighbour);
    EXPECT_EQ(one.edge_weight, two.edge_weight);
    EXPECT_EQ(one.vertex_weight, two.vertex_weight);
  }
}

}  // namespace
}  // namespace setka::domains
