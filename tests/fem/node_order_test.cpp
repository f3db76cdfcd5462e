// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/node_order.hpp"
#include "setka/fem/elements.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "setka/analysis/solids.hpp"
#include "setka/base/monitor.hpp"
#include "setka/fem/assembly.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/space.hpp"
#include "setka/sparse/unknowns.hpp"

namespace setka::fem {
namespace {

/// Cubes of C3D8 in layers; number: [nodes] of each node by its place in the layers.
analysis::Solids cubes(const std::array<std::int32_t, 3>& cells, const std::vector<std::int32_t>& number) {
  analysis::Solids solids;
  const std::int32_t nx = cells[0] + 1;
  const std::int32_t ny = cells[1] + 1;
  const auto at = [&](std::int32_t i, std::int32_t j, std::int32_t k) {
    const std::int32_t place = i + nx * (j + ny * k);
    return number[static_cast<std::size_t>(place)];
  };
  solids.coordinates.resize(3 * number.size());
  solids.user_dofs = static_cast<std::int32_t>(solids.coordinates.size());
  for (std::size_t p = 0; p < number.size(); ++p) {
    const auto place = static_cast<std::int32_t>(p);
    const std::array<std::int32_t, 3> x{place % nx, place / nx % ny, place / nx / ny};
    std::ranges::copy(x, solids.coordinates.begin() + 3 * std::ptrdiff_t{number[p]});
  }
  for (std::int32_t k = 0; k < cells[2]; ++k) {
    for (std::int32_t j = 0; j < cells[1]; ++j) {
      for (std::int32_t i = 0; i < cells[0]; ++i) {
        for (std::int32_t z = k; z <= k + 1; ++z) {
          for (const std::int32_t node : {at(i, j, z), at(i + 1, j, z), at(i + 1, j + 1, z), at(i, j + 1, z)})
            solids.node.push_back(node);
        }
        solids.type.push_back(fem::Element::hex8);
        solids.first_node.push_back(static_cast<std::int64_t>(solids.node.size()));
      }
    }
  }
  return solids;
}

std::vector<std::int32_t> in_layers(std::int32_t count) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(count));
  std::iota(number.begin(), number.end(), 0);
  return number;
}

std::vector<std::int32_t> shuffled(std::int32_t count) {
  std::vector<std::int32_t> number = in_layers(count);
  std::shuffle(number.begin(), number.end(), std::mt19937(7));  // NOLINT: the same at every run
  return number;
}

TEST(OrderAlongCurve, LeavesLayersAsTheyAre) {
  EXPECT_TRUE(order_along_curve(cubes({20, 6, 6}, in_layers(21 * 7 * 7)).region()).empty());
  EXPECT_TRUE(order_along_curve(cubes({6, 6, 20}, in_layers(21 * 7 * 7)).region()).empty());
  EXPECT_TRUE(order_along_curve(Region()).empty());
}

TEST(OrderAlongCurve, BringsNeighboursTogether) {
  const analysis::Solids solids = cubes({15, 15, 15}, shuffled(16 * 16 * 16));
  const std::vector<std::int32_t> place = order_along_curve(solids.region());
  std::vector<std::int32_t> sorted = place;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, in_layers(16 * 16 * 16));
  // Half of the cubes of a power of two lie in cubes of eight nodes or next to one: most are near.
  std::int32_t near = 0;
  for (std::int32_t e = 0; e < solids.element_count(); ++e) {
    const auto nodes = solids.nodes(e);
    const auto [least, most] = std::ranges::minmax(
        nodes, {}, [&](std::int32_t node) { return place[static_cast<std::size_t>(node)]; });
    if (place[static_cast<std::size_t>(most)] - place[static_cast<std::size_t>(least)] < 512) ++near;
  }
  EXPECT_GT(near, solids.element_count() / 2);
}

TEST(Space, OfOrderedNodesHasTheSameMatrixOverTheUnknowns) {
  const analysis::Solids solids = cubes({5, 4, 3}, in_layers(6 * 5 * 4));
  ConstraintBuilder held(
      solids.user_dofs, [](std::int32_t) { return std::string(); }, [](model::Line) { return SourceLine{}; });
  for (const std::int32_t dof : {0, 1, 2, 31, 62, 63}) held.prescribe(dof, 0, {});
  const Constraints constraints = held.build();
  const std::vector<std::int32_t> order = shuffled(6 * 5 * 4);
  const ElementMatrix element = [](std::int32_t e, std::span<double> k) {
    for (std::size_t i = 0; i < 24; ++i) {
      for (std::size_t j = 0; j < 24; ++j) k[24 * i + j] = e + 1.0 / static_cast<double>(1 + i + j);
    }
  };
  const auto over = [&](const Space& space) {
    Monitor monitor;
    const System system = assemble(space, element, exec::Device::cpu(), monitor);
    return sparse::over_unknowns(system.matrix, space.places());
  };
  const Space plain(solids.region(), 3, constraints);
  const Space ordered(solids.region(), 3, constraints, order);
  EXPECT_EQ(ordered.blocks(), plain.blocks());
  EXPECT_FALSE(std::ranges::is_sorted(ordered.places()));
  const sparse::SymmetricCsr expected = over(plain);
  const sparse::SymmetricCsr found = over(ordered);
  EXPECT_EQ(found.offset, expected.offset);
  EXPECT_EQ(found.column, expected.column);
  EXPECT_EQ(found.value, expected.value);
}

}  // namespace
}  // namespace setka::fem
