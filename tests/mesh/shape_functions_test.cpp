// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/shape_functions_kernel.hpp"

#include <array>
#include <cstddef>

#include <gtest/gtest.h>

namespace setka::mesh {
namespace {

template <class Functions>
class ShapeFunctionsTest : public ::testing::Test {};

using All =
    ::testing::Types<ShapeFunctions<Cell::line2>, ShapeFunctions<Cell::line3>, ShapeFunctions<Cell::tri3>,
                     ShapeFunctions<Cell::tri6>, ShapeFunctions<Cell::quad4>, ShapeFunctions<Cell::quad8>,
                     ShapeFunctions<Cell::tet4>, ShapeFunctions<Cell::tet10>, ShapeFunctions<Cell::wedge6>,
                     ShapeFunctions<Cell::wedge15>, ShapeFunctions<Cell::hex8>, ShapeFunctions<Cell::hex20>>;
TYPED_TEST_SUITE(ShapeFunctionsTest, All);

template <Cell cell>
constexpr Cell cell_of(ShapeFunctions<cell>) {
  return cell;
}

constexpr std::array<double, 3> inside{0.21, 0.34, 0.17};

TYPED_TEST(ShapeFunctionsTest, IsOneAtItsNodeAndZeroAtTheOthers) {
  for (int node = 0; node < TypeParam::nodes; ++node) {
    std::array<double, 3> r{};
    std::array<double, TypeParam::nodes> n{};
    TypeParam::node(node, r.data());
    TypeParam::values(r.data(), n.data());
    for (int i = 0; i < TypeParam::nodes; ++i) {
      EXPECT_NEAR(n[static_cast<std::size_t>(i)], i == node ? 1 : 0, 1e-15)
          << "function " << i << " at node " << node;
    }
  }
}

TYPED_TEST(ShapeFunctionsTest, NodesAmidEdgesAreAtTheMeanOfTheirEnds) {
  const Cell cell = cell_of(TypeParam{});
  const auto edges = edges_with_nodes(cell);
  int node = corner_count(cell);
  ASSERT_EQ(node + static_cast<int>(edges.size()), TypeParam::nodes);
  for (const auto& ends : edges) {
    std::array<double, 3> at{};
    std::array<double, 3> a{};
    std::array<double, 3> b{};
    TypeParam::node(node++, at.data());
    TypeParam::node(ends[0], a.data());
    TypeParam::node(ends[1], b.data());
    for (std::size_t d = 0; d < TypeParam::dimension; ++d) EXPECT_EQ(at[d], (a[d] + b[d]) / 2) << node - 1;
  }
}

TYPED_TEST(ShapeFunctionsTest, SumToOneAndReproduceTheCoordinates) {
  std::array<double, TypeParam::nodes> n{};
  TypeParam::values(inside.data(), n.data());
  double sum = 0;
  std::array<double, 3> place{};
  for (int i = 0; i < TypeParam::nodes; ++i) {
    std::array<double, 3> r{};
    TypeParam::node(i, r.data());
    sum += n[static_cast<std::size_t>(i)];
    for (std::size_t d = 0; d < 3; ++d) place[d] += n[static_cast<std::size_t>(i)] * r[d];
  }
  EXPECT_NEAR(sum, 1, 1e-14);
  for (std::size_t d = 0; d < TypeParam::dimension; ++d) EXPECT_NEAR(place[d], inside[d], 1e-14);
}

TYPED_TEST(ShapeFunctionsTest, GradientsAreTheDerivatives) {
  constexpr int dimension = TypeParam::dimension;
  std::array<double, TypeParam::nodes * dimension> dn{};
  TypeParam::gradients(inside.data(), dn.data());
  constexpr double h =
      1e-5;  // the functions are cubic at most: error of h^2 / 6 times a third derivative of size 1
  for (std::size_t d = 0; d < dimension; ++d) {
    std::array<double, 3> before = inside;
    std::array<double, 3> after = inside;
    before[d] -= h;
    after[d] += h;
    std::array<double, TypeParam::nodes> low{};
    std::array<double, TypeParam::nodes> high{};
    TypeParam::values(before.data(), low.data());
    TypeParam::values(after.data(), high.data());
    for (std::size_t i = 0; i < TypeParam::nodes; ++i) {
      EXPECT_NEAR(dn[i * dimension + d], (high[i] - low[i]) / (2 * h), 1e-9)
          << "function " << i << " along " << d;
    }
  }
}

}  // namespace
}  // namespace setka::mesh
