// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/partition.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "fem/element_meshes.hpp"
#include "setka/base/error.hpp"

namespace setka::domains {
namespace {

using fem::Element;
using ::testing::HasSubstr;

class PartitionBy : public ::testing::TestWithParam<Partitioner> {
 protected:
  void SetUp() override {
    if (!available(GetParam())) GTEST_SKIP() << "this build does not have it";
  }
  Partition shared_out(const Graph& graph, int parts) const { return partition(graph, parts, {GetParam()}); }
};

std::string name_of(const ::testing::TestParamInfo<Partitioner>& info) {
  return info.param == Partitioner::metis    ? "metis"
         : info.param == Partitioner::scotch ? "scotch"
                                             : "bisection";
}

INSTANTIATE_TEST_SUITE_P(By, PartitionBy,
                         ::testing::Values(Partitioner::metis, Partitioner::scotch, Partitioner::bisection),
                         name_of);

Graph of_block(Element type, std::array<int, 3> cells) {
  return element_graph(test::bar(type, cells).region(), 2);
}

TEST_P(PartitionBy, PartsWeighTheSame) {
  const Graph graph = of_block(Element::hex8, {20, 10, 8});
  for (int parts = 1; parts <= 9; ++parts) {
    SCOPED_TRACE(parts);
    const Partition made = shared_out(graph, parts);
    EXPECT_EQ(made.parts, parts);
    ASSERT_EQ(made.of.size(), 1600U);
    const PartitionQuality found = quality(graph, made);
    EXPECT_LE(found.imbalance, 0.05);
    EXPECT_GT(std::ranges::min(found.weight), 0);
    EXPECT_LE(std::ranges::max(made.of), parts - 1);
  }
}

TEST_P(PartitionBy, PartsWeighTheirShares) {
  const Graph graph = of_block(Element::hex8, {20, 10, 8});
  const std::vector<std::vector<double>> cases{{3, 1}, {0.2, 0.8}, {1, 2, 5}, {4, 1, 1, 1, 1}, {19, 1}};
  for (const std::vector<double>& shares : cases) {
    SCOPED_TRACE(testing::PrintToString(shares));
    PartitionOptions options{GetParam()};
    options.shares = shares;
    const Partition made = partition(graph, static_cast<int>(shares.size()), options);
    const PartitionQuality found = quality(graph, made);
    double whole = 0;
    for (const double share : shares) whole += share;
    for (std::size_t p = 0; p < shares.size(); ++p)
      EXPECT_NEAR(static_cast<double>(found.weight[p]), 1600 * shares[p] / whole, 0.05 * 1600) << p;
  }
}

TEST(Partition, DevicesOfATeamHaveTheirShares) {
  const Graph graph = of_block(Element::hex8, {20, 10, 8});
  const exec::Team team({exec::Device::cpu(1), exec::Device::cpu(1)}, {3, 1});
  const PartitionQuality found = quality(graph, partition(graph, team));
  EXPECT_NEAR(static_cast<double>(found.weight[0]), 1200, 60);
}

TEST_P(PartitionBy, BordersAreShort) {
  const Graph graph = of_block(Element::hex8, {20, 10, 8});
  EXPECT_EQ(quality(graph, shared_out(graph, 1)).cut, 0);
  // The least is across the longest side: 80 faces of 4 nodes.
  EXPECT_LE(quality(graph, shared_out(graph, 2)).cut, 320 * 1.3);
  EXPECT_LE(quality(graph, shared_out(graph, 4)).cut, 3 * 320 * 1.3);
}

TEST_P(PartitionBy, TheSameAtEveryRun) {
  const Graph graph = of_block(Element::tet10, {6, 5, 4});
  EXPECT_EQ(shared_out(graph, 7).of, shared_out(graph, 7).of);
}

TEST_P(PartitionBy, NoPartIsEmpty) {
  const Graph graph = of_block(Element::hex8, {3, 2, 2});
  for (int parts = 1; parts <= 12; ++parts) {
    const PartitionQuality found = quality(graph, shared_out(graph, parts));
    EXPECT_GT(std::ranges::min(found.weight), 0) << parts;
  }
}

TEST_P(PartitionBy, HeavyElementsCount) {
  auto model = fem::test::small_model(Element::hex8, fem::test::Elasticity::isotropic, {8, 4, 4});
  fem::test::add_block(model, Element::hex20, {8, 4, 4});
  const Graph graph = element_graph(model.region(), 1);
  const PartitionQuality found = quality(graph, shared_out(graph, 3));
  EXPECT_LE(found.imbalance, 0.06);
}

TEST(Partition, MorePartsThanThereAreElementsAreRefused) {
  const Graph graph = of_block(Element::hex8, {1, 2, 1});
  try {
    partition(graph, 3);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_THAT(error.what(), HasSubstr("at most 2 parts"));
  }
  EXPECT_THROW(partition(graph, 0), Error);
}

TEST(Partition, WordsAreKnown) {
  EXPECT_EQ(partitioner_of("auto"), Partitioner::automatic);
  EXPECT_EQ(partitioner_of("bisection"), Partitioner::bisection);
  EXPECT_THROW(partitioner_of("hand"), Error);
}

}  // namespace
}  // namespace setka::domains
