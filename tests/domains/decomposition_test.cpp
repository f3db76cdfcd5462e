// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/decomposition.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "fem/element_meshes.hpp"
#include "setka/base/error.hpp"
#include "support/random.hpp"

namespace setka::domains {
namespace {

using fem::Element;
using fem::test::SmallModel;

/// For each node the sum over its elements, in their order, of the sum of u over their nodes: a product with
/// a matrix that has a row a node.
std::vector<double> global_product(const fem::Region& region, const std::vector<double>& u) {
  std::vector<double> y(u.size(), 0.0);
  for (std::int32_t e = 0; e < region.element_count(); ++e) {
    double sum = 0;
    for (const std::int32_t node : region.nodes(e)) sum += u[static_cast<std::size_t>(node)];
    for (const std::int32_t node : region.nodes(e)) y[static_cast<std::size_t>(node)] += sum;
  }
  return y;
}

/// The same by parts: each knows the values that it owns and those that it was sent.
std::vector<double> product_by_parts(const fem::Region& region, const Decomposition& parts,
                                     const std::vector<double>& u) {
  std::vector<std::vector<double>> values;  // [parts] of local nodes
  for (int p = 0; p < parts.count(); ++p) {
    const Part& part = parts.part(p);
    std::vector<double> own(part.nodes.size(), 1e30);
    for (std::int32_t i = 0; i < part.owned_nodes; ++i)
      own[static_cast<std::size_t>(i)] = u[static_cast<std::size_t>(part.nodes[static_cast<std::size_t>(i)])];
    values.push_back(std::move(own));
  }
  for (int p = 0; p < parts.count(); ++p) {
    for (const Exchange& exchange : parts.part(p).neighbours) {
      const auto& back = parts.part(exchange.with).neighbours;
      const auto sender = std::ranges::find(back, p, &Exchange::with);
      EXPECT_NE(sender, back.end());
      EXPECT_EQ(sender->send.size(), exchange.receive.size());
      for (std::size_t k = 0; k < exchange.receive.size(); ++k) {
        values[static_cast<std::size_t>(p)][static_cast<std::size_t>(exchange.receive[k])] =
            values[static_cast<std::size_t>(exchange.with)][static_cast<std::size_t>(sender->send[k])];
      }
    }
  }
  std::vector<double> y(u.size(), -1e30);
  for (int p = 0; p < parts.count(); ++p) {
    const Part& part = parts.part(p);
    std::vector<std::int32_t> local(u.size(), -1);
    for (std::size_t i = 0; i < part.nodes.size(); ++i)
      local[static_cast<std::size_t>(part.nodes[i])] = static_cast<std::int32_t>(i);
    std::vector<double> own(part.nodes.size(), 0.0);
    std::vector<std::int32_t> elements = part.elements;
    std::ranges::sort(elements);
    for (const std::int32_t e : elements) {
      double sum = 0;
      for (const std::int32_t node : region.nodes(e)) {
        EXPECT_GE(local[static_cast<std::size_t>(node)], 0);
        sum += values[static_cast<std::size_t>(p)]
                     [static_cast<std::size_t>(local[static_cast<std::size_t>(node)])];
      }
      for (const std::int32_t node : region.nodes(e))
        own[static_cast<std::size_t>(local[static_cast<std::size_t>(node)])] += sum;
    }
    for (std::int32_t i = 0; i < part.owned_nodes; ++i)
      y[static_cast<std::size_t>(part.nodes[static_cast<std::size_t>(i)])] = own[static_cast<std::size_t>(i)];
  }
  return y;
}

void expect_sound(const fem::Region& region, const Decomposition& parts) {
  std::vector<int> owners(static_cast<std::size_t>(region.node_count()), 0);
  std::int64_t elements = 0;
  for (int p = 0; p < parts.count(); ++p) {
    const Part& part = parts.part(p);
    elements += part.own_elements;
    std::set<std::int32_t> unique(part.nodes.begin(), part.nodes.end());
    EXPECT_EQ(unique.size(), part.nodes.size());
    for (std::int32_t i = 0; i < part.owned_nodes; ++i) {
      const std::int32_t node = part.nodes[static_cast<std::size_t>(i)];
      ++owners[static_cast<std::size_t>(node)];
      EXPECT_EQ(parts.owner_of_node()[static_cast<std::size_t>(node)], p);
    }
    // Inner elements need nothing of others; inner nodes are of inner elements alone.
    std::set<std::int32_t> of_others;
    for (std::size_t k = 0; k < part.elements.size(); ++k) {
      const bool inner = std::ranges::all_of(region.nodes(part.elements[k]), [&](std::int32_t node) {
        return parts.owner_of_node()[static_cast<std::size_t>(node)] == p;
      });
      EXPECT_EQ(inner, k < static_cast<std::size_t>(part.inner_elements));
      if (inner) continue;
      for (const std::int32_t node : region.nodes(part.elements[k])) of_others.insert(node);
    }
    for (std::int32_t i = 0; i < part.owned_nodes; ++i) {
      const bool boundary = of_others.contains(part.nodes[static_cast<std::size_t>(i)]);
      EXPECT_EQ(boundary, i >= part.inner_nodes);
    }
    std::size_t received = 0;
    for (const Exchange& exchange : part.neighbours) received += exchange.receive.size();
    EXPECT_EQ(received, static_cast<std::size_t>(part.ghosts()));
  }
  EXPECT_THAT(owners, ::testing::Each(1));
  EXPECT_EQ(elements, region.element_count());
  const std::vector<double> u = setka::test::random_values<double>(region.node_count(), 3);
  EXPECT_EQ(product_by_parts(region, parts, u), global_product(region, u)) << "to the last bit";
}

SmallModel bodies() {
  SmallModel model = fem::test::small_model(Element::hex8, fem::test::Elasticity::isotropic, {6, 3, 3});
  fem::test::add_block(model, Element::tet10, {3, 2, 2});
  return model;
}

TEST(Decomposition, ProductsByPartsAreThoseOfTheWhole) {
  const SmallModel model = bodies();
  for (const Partitioner by : {Partitioner::automatic, Partitioner::bisection}) {
    for (int parts = 1; parts <= 9; ++parts) {
      SCOPED_TRACE(parts);
      const Partition elements = partition(element_graph(model.region(), 1), parts, {by});
      expect_sound(model.region(), Decomposition::by_elements(model.region(), elements, parts % 3 + 1));
      const Partition nodes = partition(node_graph(model.region(), 1), parts, {by});
      expect_sound(model.region(), Decomposition::by_nodes(model.region(), nodes));
    }
  }
}

TEST(Decomposition, PartsInARowOwnOneOfTheirBordersEach) {
  const SmallModel model = test::bar(Element::hex8, {12, 2, 2});
  const Partition elements = partition(element_graph(model.region(), 1), 4, {Partitioner::bisection});
  const Decomposition parts = Decomposition::by_elements(model.region(), elements);
  const std::vector<std::int32_t> pieces = pieces_of_parts(model.region(), parts);
  for (int p = 0; p < 4; ++p) {
    EXPECT_EQ(parts.part(p).own_elements, 12);
    EXPECT_EQ(pieces[static_cast<std::size_t>(p)], 1);
    EXPECT_LE(parts.part(p).neighbours.size(), 2U);
  }
  const std::int32_t plane = 9;
  EXPECT_EQ(parts.part(1).owned_nodes, 3 * plane);
  EXPECT_EQ(parts.part(2).owned_nodes, 3 * plane);
  EXPECT_EQ(parts.shared_nodes(), 6 * plane) << "on each side of three borders";
}

TEST(Decomposition, APartMayBeInPieces) {
  const SmallModel model = bodies();
  Partition one{1, std::vector<std::int32_t>(static_cast<std::size_t>(model.region().element_count()), 0),
                ""};
  const Decomposition whole = Decomposition::by_elements(model.region(), one);
  EXPECT_EQ(pieces_of_parts(model.region(), whole), std::vector<std::int32_t>{2});
  EXPECT_EQ(whole.part(0).ghosts(), 0);
  EXPECT_EQ(whole.shared_nodes(), 0);
}

TEST(Decomposition, APartMayOwnNothing) {
  const SmallModel model = fem::test::small_model(Element::hex8, fem::test::Elasticity::isotropic, {4, 1, 1});
  const Partition three{3, {0, 0, 2, 2}, ""};
  const Decomposition parts = Decomposition::by_elements(model.region(), three);
  expect_sound(model.region(), parts);
  EXPECT_EQ(parts.part(1).owned_nodes, 0);
  EXPECT_TRUE(parts.part(1).neighbours.empty());
}

TEST(Decomposition, NodesWithoutElementsBelongToTheFirstPart) {
  SmallModel model = fem::test::small_model(Element::hex8, fem::test::Elasticity::isotropic, {2, 1, 1});
  model.coordinates.insert(model.coordinates.end(), {9, 9, 9});
  const Partition two{2, {1, 1}, ""};
  const Decomposition parts = Decomposition::by_elements(model.region(), two);
  EXPECT_EQ(parts.owner_of_node().back(), 0);
  EXPECT_EQ(parts.part(0).owned_nodes, 1);
  expect_sound(model.region(), parts);
}

TEST(Decomposition, APartitionOfSomethingElseIsRefused) {
  const SmallModel model = bodies();
  EXPECT_THROW(Decomposition::by_elements(model.region(), {1, {0, 0}, ""}), Error);
  EXPECT_THROW(Decomposition::by_nodes(model.region(), {1, {0, 0}, ""}), Error);
}

}  // namespace
}  // namespace setka::domains
