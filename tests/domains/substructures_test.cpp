// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/substructures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/domains/primal.hpp"
#include "setka/solve/cholesky.hpp"
#include "solve/elastic_block.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::domains {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

solve::SolverChoice to(double tolerance) {
  solve::SolverChoice choice;
  choice.tolerance = tolerance;
  return choice;
}

/// A block of hexahedra that is clamped at x = 0, with its elements.
struct Block {
  setka::test::ElasticBlock block;
  setka::test::ElasticSystem made;
  fem::ElementMatrix element_matrix;
  std::vector<double> b;

  explicit Block(setka::test::ElasticBlock of) : block(std::move(of)), made(setka::test::assemble(block)) {
    element_matrix = [this](std::int32_t e, std::span<double> k) {
      std::vector<double> x;
      for (const std::int32_t node : made.solids->nodes(e)) {
        const auto at = made.solids->region().coordinates_of(node);
        x.insert(x.end(), at.begin(), at.end());
      }
      const std::array<double, 3> at = middle(e);
      fem::stiffness(block.element, x,
                     setka::test::isotropic(block.modulus(at[0], at[1], at[2]), block.poisson,
                                            fem::point_count(block.element)),
                     k);
    };
    b = made.space.spread(setka::test::random_values<double>(made.space.unknown_count(), 3));
  }

  std::array<double, 3> middle(std::int32_t e) const {
    std::array<double, 3> sum{};
    const auto nodes = made.solids->nodes(e);
    for (const std::int32_t node : nodes) {
      for (std::size_t i = 0; i < 3; ++i)
        sum[i] += made.solids->region().coordinates_of(node)[i] / static_cast<double>(nodes.size());
    }
    return sum;
  }

  /// Each element to the part that is told for its middle.
  Partition by_place(int parts, const std::function<int(const std::array<double, 3>&)>& part_at) const {
    Partition partition;
    partition.parts = parts;
    for (std::int32_t e = 0; e < made.solids->element_count(); ++e)
      partition.of.push_back(part_at(middle(e)));
    return partition;
  }

  ElementSystem system() const { return {made.space, element_matrix, made.system.matrix}; }

  std::vector<double> expected() const {
    solve::LinearSystem linear;
    linear.unknown_count = made.space.unknown_count();
    linear.matrix = &made.system.matrix;
    linear.place = made.space.places();
    solve::SolverChoice choice;
    choice.method = solve::Method::cholesky;
    Monitor monitor;
    return solve::solve(exec::Device::cpu(1), linear, b, choice, monitor).x;
  }

  solve::SolveResult solve(const Partition& parts, double tolerance, const SubstructureOptions& options = {},
                           int threads = 2) const {
    Monitor monitor;
    return solve_by_substructures(exec::Device::cpu(threads), system(), b, parts, options, to(tolerance),
                                  monitor);
  }
};

Block small_block() {
  setka::test::ElasticBlock block;
  block.cells = {6, 4, 3};
  block.size = {3, 2, 1};
  return Block(block);
}

/// Parts of n^3 elements in a cube.
Block cube_of_cubes(int parts_along, int elements_along) {
  setka::test::ElasticBlock block;
  const int cells = parts_along * elements_along;
  block.cells = {cells, cells, cells};
  return Block(block);
}

Partition cubes(const Block& block, int along) {
  return block.by_place(along * along * along, [&](const std::array<double, 3>& at) {
    const auto index = [&](std::size_t i) { return static_cast<int>(at[i] * along); };
    return index(0) + along * (index(1) + along * index(2));
  });
}

void expect_same(const std::vector<double>& x, const std::vector<double>& expected) {
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  EXPECT_TRUE(setka::test::all_near(x, expected, 1e-7 * size));
}

class Substructures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!solve::Cholesky::available()) GTEST_SKIP() << "no sparse Cholesky in this build";
  }
};

TEST_F(Substructures, AnyNumberOfPartsGivesTheAnswerOfOneFactor) {
  const Block block = small_block();
  const std::vector<double> expected = block.expected();
  Monitor monitor;
  for (int parts = 1; parts <= 9; ++parts) {
    for (const Schur schur : {Schur::automatic, Schur::as_matrix, Schur::by_factors}) {
      SCOPED_TRACE(parts);
      SubstructureOptions options;
      options.parts = parts;
      options.schur = schur;
      const solve::SolveResult found =
          solve_by_substructures(exec::Device::cpu(2), block.system(), block.b, options, to(1e-10), monitor);
      EXPECT_TRUE(found.report.converged) << found.report.trouble;
      EXPECT_LE(found.report.residual, 1.1e-10);
      EXPECT_THAT(found.report.method, HasSubstr("CG with BDDC on " + std::to_string(parts)));
      expect_same(found.x, expected);
    }
  }
}

TEST_F(Substructures, IterationsDoNotGrowWithTheParts) {
  std::vector<int> iterations;
  for (const int along : {2, 3, 4}) {
    const Block block = cube_of_cubes(along, 4);
    const solve::SolveReport report = block.solve(cubes(block, along), 1e-8).report;
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.residual, 1.1e-8);
    iterations.push_back(report.iterations);
  }
  EXPECT_LE(iterations[0], 14);
  EXPECT_LE(iterations[1], 1.25 * iterations[0]);
  EXPECT_LE(iterations[2], 1.25 * iterations[0]);
}

TEST_F(Substructures, ThreadsChangeNoBit) {
  const Block block = small_block();
  const Partition parts = block.by_place(6, [](const auto& at) { return static_cast<int>(2 * at[0]); });
  const std::vector<double> alone = block.solve(parts, 1e-8, {}, 1).x;
  EXPECT_EQ(block.solve(parts, 1e-8, {}, 2).x, alone);
  EXPECT_EQ(block.solve(parts, 1e-8, {}, 3).x, alone);
}

// Slabs float but for the first; one part is of two pieces, one of one element, one of none.
TEST_F(Substructures, PartsMayBeOfAnyKind) {
  const Block block = small_block();
  const std::vector<double> expected = block.expected();
  const std::vector<std::function<int(const std::array<double, 3>&)>> ways{
      [](const auto& at) { return static_cast<int>(2 * at[0]); },     // slabs
      [](const auto& at) { return at[0] < 1 || at[0] > 2 ? 0 : 4; },  // two pieces, three of nothing
      [](const auto& at) { return at[0] > 2.5 && at[1] > 1.5 && at[2] > 0.6 ? 1 : 0; },  // a corner
      [](const auto& at) { return (static_cast<int>(2 * at[0]) + static_cast<int>(2 * at[1])) % 2; },
  };
  for (std::size_t i = 0; i < ways.size(); ++i) {
    SCOPED_TRACE(i);
    const solve::SolveResult found = block.solve(block.by_place(6, ways[i]), 1e-10);
    EXPECT_TRUE(found.report.converged) << found.report.trouble;
    EXPECT_LT(found.report.iterations, i == 3 ? 60 : 25);  // a chequerboard touches itself along edges
    expect_same(found.x, expected);
  }
}

TEST_F(Substructures, StiffAndSoftPartsAreAveragedByStiffness) {
  setka::test::ElasticBlock of;
  of.cells = {8, 8, 8};
  of.modulus = [](double x, double y, double z) {
    return (static_cast<int>(2 * x) + static_cast<int>(2 * y) + static_cast<int>(2 * z)) % 2 == 0 ? 1.0 : 1e4;
  };
  const Block block(of);
  const solve::SolveResult found = block.solve(cubes(block, 2), 1e-8);
  EXPECT_TRUE(found.report.converged);
  EXPECT_LT(found.report.iterations, 25);
  expect_same(found.x, block.expected());
}

TEST_F(Substructures, InterfacesAreFacesEdgesAndCorners) {
  const Block block = cube_of_cubes(2, 2);
  const std::vector<PartMatrix> parts =
      part_matrices(block.made.space, block.element_matrix, cubes(block, 2), 1);
  const Interface interface = find_interface(parts, block.made.space.blocks(), 3, block.made.space.places());
  const fem::NearNullspace modes = block.made.space.near_nullspace(exec::Device::cpu(1));
  std::vector<int> counts;
  for (const PrimalClass& one : primal_classes(parts, interface, modes.values.to_vector(), modes.modes, 1))
    counts.push_back(one.count);
  std::ranges::sort(counts);
  // One corner, six edges of two nodes or of one where they end at the clamped face, twelve faces.
  EXPECT_EQ(counts.size(), 19U);
  EXPECT_EQ(counts.front(), 3);
  EXPECT_EQ(counts.back(), 6);
}

TEST_F(Substructures, RefusesMorePartsThanElements) {
  const Block block = small_block();
  Monitor monitor;
  SubstructureOptions options;
  options.parts = 73;
  EXPECT_THROW(
      solve_by_substructures(exec::Device::cpu(1), block.system(), block.b, options, to(1e-8), monitor),
      Error);
  EXPECT_THAT([] { schur_of("dense"); }, ThrowsMessage<Error>(HasSubstr("give auto, explicit or implicit")));
}

analysis::Computing in_parts(int parts) {
  analysis::Computing computing = analysis::Computing::on_cpu(2);
  computing.solver.tolerance = 1e-12;
  computing.substructures.emplace();
  computing.substructures->parts = parts;
  return computing;
}

// Linear displacements of the surface are linear inside, whatever the parts.
TEST_F(Substructures, PatchTestAcrossParts) {
  for (const char* const name : {"C3D8", "C3D10", "C3D20R"}) {
    model::Model model = setka::test::block_model(
        {4, 3, 3}, deck::element(name),
        [](double s, double t, double r) {
          return std::array<double, 3>{4 * s, 3 * t, 3 * r};
        },
        1000, 0.3);
    const auto linear = [](const auto& at, int i) {
      const std::array<double, 3> u{0.01 * at[0] + 0.02 * at[1], 0.03 * at[2] - 0.01 * at[0],
                                    0.02 * at[0] + 0.01 * at[1] - 0.02 * at[2]};
      return u[static_cast<std::size_t>(i)];
    };
    const mesh::Mesh& mesh = model.mesh;
    for (std::int32_t n = 0; n < mesh.node_count(); ++n) {
      const auto at = mesh.coordinates(n);
      const auto within = [](double x, double size) { return x > 1e-9 && x < size - 1e-9; };
      const bool inside = within(at[0], 4) && within(at[1], 3) && within(at[2], 3);
      for (int i = 0; i < 3 && !inside; ++i) setka::test::prescribe(model, n, i + 1, linear(at, i));
    }
    for (const int parts : {1, 2, 5, 9}) {
      const std::vector<double> u = setka::test::solve(model, in_parts(parts)).node_field("U")->values;
      for (std::int32_t n = 0; n < mesh.node_count(); ++n) {
        for (int i = 0; i < 3; ++i)
          ASSERT_NEAR(u[3 * static_cast<std::size_t>(n) + static_cast<std::size_t>(i)],
                      linear(mesh.coordinates(n), i), 1e-11)
              << name << ", " << parts << " parts";
      }
    }
  }
}

// Plane elements become solids whose nodes are tied by equations, which reach across parts.
TEST_F(Substructures, EquationsReachAcrossParts) {
  model::Model model = setka::test::block_model(
      {6, 3, 0}, deck::element("CPS4"),
      [](double s, double t, double) {
        return std::array<double, 3>{6 * s, 3 * t, 0};
      },
      1000, 0.3);
  for (const std::int32_t n :
       setka::test::nodes_where(model.mesh, [](double x, double, double) { return x < 1e-9; })) {
    for (int i = 0; i < 2; ++i) setka::test::prescribe(model, n, i + 1, 0);
  }
  for (const std::int32_t n :
       setka::test::nodes_where(model.mesh, [](double x, double, double) { return x > 5.999; }))
    setka::test::prescribe(model, n, 2, 0.1);
  const std::vector<double> expected =
      setka::test::solve(model, analysis::Computing::on_cpu(1)).node_field("U")->values;
  for (const int parts : {2, 4}) {
    const std::vector<double> u = setka::test::solve(model, in_parts(parts)).node_field("U")->values;
    EXPECT_TRUE(setka::test::all_near(u, expected, 1e-10));
  }
}

// What is free and not driven is held by springs that no element has.
TEST_F(Substructures, FreeModelsAreHeldInParts) {
  model::Model model = setka::test::block_model(
      {6, 2, 2}, deck::element("C3D8"),
      [](double s, double t, double r) {
        return std::array<double, 3>{6 * s, 2 * t, 2 * r};
      },
      1000, 0.3);
  for (const std::int32_t n :
       setka::test::nodes_where(model.mesh, [](double x, double, double) { return x < 1e-9; }))
    setka::test::prescribe(model, n, 1, 0);
  for (const std::int32_t n :
       setka::test::nodes_where(model.mesh, [](double x, double, double) { return x > 5.999; }))
    setka::test::prescribe(model, n, 1, 0.1);
  const std::vector<double> expected =
      setka::test::solve(model, analysis::Computing::on_cpu(1)).node_field("U")->values;
  const std::vector<double> u = setka::test::solve(model, in_parts(3)).node_field("U")->values;
  EXPECT_TRUE(setka::test::all_near(u, expected, 1e-8));
}

}  // namespace
}  // namespace setka::domains
