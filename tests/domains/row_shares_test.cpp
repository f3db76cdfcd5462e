// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/row_shares.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "setka/base/error.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/plan/team_formulas.hpp"

namespace setka::domains {
namespace {

using ::testing::HasSubstr;

/// What is counted before the matrix is there is what its parts have then, to the byte.
TEST(RowShares, AreThoseOfTheAssembledMatrix) {
  for (const fem::Element type : {fem::Element::hex8, fem::Element::tet10}) {
    const fem::test::SmallModel model = test::bar(type, {6, 3, 2});
    const sparse::BlockCsr<double> k = test::stiffness_on_springs(model, 1.0);
    const Graph nodes = node_graph(model.region(), 1);
    for (const int count : {1, 2, 3, 5}) {
      SCOPED_TRACE(count);
      const Partition rows = partition(nodes, count);
      const MatrixParts parts(k, rows);
      const std::vector<RowShare> shares = row_shares(nodes, rows.of, count);
      ASSERT_EQ(shares.size(), static_cast<std::size_t>(count));
      for (int p = 0; p < count; ++p) {
        const RowShare& share = shares[static_cast<std::size_t>(p)];
        EXPECT_EQ(share.rows, std::ssize(parts.part(p).rows));
        EXPECT_EQ(share.boundary, parts.part(p).boundary());
        EXPECT_EQ(share.ghosts, std::ssize(parts.part(p).ghosts));
        const plan::TeamPart predicted =
            plan::team_part({static_cast<double>(share.rows), static_cast<double>(share.own),
                             static_cast<double>(share.boundary), static_cast<double>(share.beside),
                             static_cast<double>(share.ghosts)},
                            parts.block());
        EXPECT_EQ(predicted.own_bytes, static_cast<double>(parts.own(p).bytes()));
        if (count > 1) {
          EXPECT_EQ(predicted.beside_bytes, static_cast<double>(parts.beside(p).bytes()));
        }
        EXPECT_EQ(predicted.rows, 3.0 * static_cast<double>(share.rows));
        EXPECT_EQ(predicted.ghosts, 3.0 * static_cast<double>(share.ghosts));
      }
    }
  }
}

TEST(RowShares, NodesBesideNoOtherHaveNoRow) {
  Graph nodes;  // 0 - 1, and 2 alone
  nodes.offset = {0, 1, 2, 2};
  nodes.neighbour = {1, 0};
  nodes.edge_weight = {1, 1};
  nodes.vertex_weight = {2, 2, 1};
  const std::vector<std::int32_t> owner{0, 1, 1};
  const std::vector<RowShare> shares = row_shares(nodes, owner, 2);
  for (const RowShare& share : shares) {
    EXPECT_EQ(share.rows, 1);
    EXPECT_EQ(share.own, 1);
    EXPECT_EQ(share.beside, 1);
    EXPECT_EQ(share.boundary, 1);
    EXPECT_EQ(share.ghosts, 1);
  }
  EXPECT_THROW(row_shares(nodes, std::vector<std::int32_t>{0, 1}, 2), Error);
}

TEST(GivenPartition, IsTakenAsItIs) {
  const Partition parts = given_partition(2, {1, 0, 0, 1}, "part.msh");
  EXPECT_EQ(parts.parts, 2);
  EXPECT_EQ(parts.of, (std::vector<std::int32_t>{1, 0, 0, 1}));
  EXPECT_EQ(parts.method, "as the file gives it");
}

TEST(GivenPartition, HasEveryElementAndNoEmptyPart) {
  const auto error = [](int parts, const std::vector<std::int32_t>& of) -> std::string {
    try {
      given_partition(parts, of, "part.msh");
    } catch (const Error& failure) {
      EXPECT_EQ(failure.fault(), Fault::input);
      return failure.what();
    }
    return "none";
  };
  EXPECT_THAT(error(2, {0, -1, 1}),
              HasSubstr("part.msh: 1 of 3 elements are in none of the 2 partitions of the file"));
  EXPECT_THAT(error(2, {0, 2, 1}), HasSubstr("1 of 3 elements are in none"));
  EXPECT_THAT(error(3, {0, 2, 2}), HasSubstr("the file has 3 partitions, and elements of 2 alone"));
  EXPECT_THAT(error(2000000000, {0}), HasSubstr("elements of 1 alone"));
}

}  // namespace
}  // namespace setka::domains
