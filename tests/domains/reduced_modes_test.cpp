// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modes/problems.hpp"
#include "setka/base/error.hpp"
#include "setka/domains/condensation.hpp"
#include "setka/domains/craig_bampton.hpp"
#include "setka/domains/mode_synthesis.hpp"
#include "setka/domains/reduced_modes.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/blocked.hpp"

namespace setka::domains {
namespace {

using setka::test::chains;
using setka::test::ModesProblem;

constexpr std::int64_t all = 1'000'000;  // more than there are

class ReducedModesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  }

  /// Rows in runs of the same length.
  static std::vector<std::int32_t> runs(std::int32_t rows, int parts) {
    std::vector<std::int32_t> part_of;
    for (std::int32_t i = 0; i < rows; ++i)
      part_of.push_back(static_cast<std::int32_t>(std::int64_t{i} * parts / rows));
    return part_of;
  }

  static ReducedModes reduced(const ModesProblem& problem, std::int64_t count, const Reduction& reduction) {
    Monitor monitor;
    const sparse::SymmetricCsr k = problem.stiffness();
    return reduced_modes(k, problem.mass(), runs(k.rows, reduction.parts), count, reduction, monitor);
  }
};

TEST_F(ReducedModesTest, AreExactWhereNothingIsLeftOut) {
  const ModesProblem problem = chains(60, 1);
  for (const std::int64_t interface_modes : {all, std::int64_t{2}}) {  // the interface has two unknowns
    const ReducedModes found = reduced(problem, 10, {3, all, interface_modes});
    EXPECT_EQ(found.interface, 2);
    EXPECT_EQ(found.reduced, 60);
    ASSERT_EQ(found.modes.count(), 10);
    for (int j = 0; j < 10; ++j) {
      const double exact = setka::test::chain_lambda(60, j + 1);
      EXPECT_NEAR(found.modes.lambda[static_cast<std::size_t>(j)], exact, 1e-10 * exact) << j;
      EXPECT_LT(found.modes.residual[static_cast<std::size_t>(j)], 1e-8);
    }
  }
}

TEST_F(ReducedModesTest, OfAChainComeFromFewUnknowns) {
  const ModesProblem problem = chains(2000, 1);
  const ReducedModes found = reduced(problem, 6, {4, 8, 3});
  EXPECT_EQ(found.reduced, 35);
  for (int j = 0; j < 6; ++j) {
    const double exact = setka::test::chain_lambda(2000, j + 1);
    const double got = found.modes.lambda[static_cast<std::size_t>(j)];
    EXPECT_GT(got, exact * (1 - 1e-8));  // a reduced model is stiffer
    EXPECT_LT(got, exact * 1.002) << j;
  }
}

TEST_F(ReducedModesTest, OfAFreeBodyHaveItsRigidMotions) {
  const ReducedModes found = reduced(chains(400, 1, 1, true), 4, {4, 8, 0});
  EXPECT_NEAR(found.modes.lambda[0], 0, found.modes.zero);
  for (int j = 1; j < 4; ++j) {
    const double exact = std::pow(2 * std::sin(j * std::numbers::pi / 800), 2);
    EXPECT_NEAR(found.modes.lambda[static_cast<std::size_t>(j)], exact, 2e-3 * exact) << j;
  }
}

TEST_F(ReducedModesTest, OfBodiesThatArePartsByThemselvesNeedNoInterface) {
  const ReducedModes found = reduced(chains(50, 3, 1, true), 6, {3, 10, 0});
  EXPECT_EQ(found.interface, 0);
  EXPECT_EQ(found.reduced, 30);
  for (int j = 0; j < 3; ++j)
    EXPECT_NEAR(found.modes.lambda[static_cast<std::size_t>(j)], 0, found.modes.zero);
  const double exact = std::pow(2 * std::sin(std::numbers::pi / 100), 2);
  for (int j = 3; j < 6; ++j)
    EXPECT_NEAR(found.modes.lambda[static_cast<std::size_t>(j)], exact, 1e-6 * exact);
}

TEST_F(ReducedModesTest, OfManyPartsMayAllBeInterface) {
  const ReducedModes found = reduced(chains(12, 1), 3, {12, 5, all});
  EXPECT_EQ(found.interface, 11);  // the last part has no part after it
  EXPECT_NEAR(found.modes.lambda[2], setka::test::chain_lambda(12, 3), 1e-10);
}

/// A cantilever in parts as a partition of its matrix gives them.
TEST_F(ReducedModesTest, OfASolidAreWithinAThousandth) {
  setka::test::ElasticBlock block;
  block.cells = {24, 4, 4};
  block.size = {6, 1, 1};
  const setka::test::ElasticModes made(block);
  Monitor monitor;
  modes::Request request;
  request.count = 10;
  const modes::Modes exact = modes::lanczos(made.k(), made.m(), request, monitor);
  const ReducedModes found =
      reduced_modes(made.stiffness.system.matrix, made.mass.system.matrix, made.stiffness.space.places(), 10,
                    {4, 0, 0}, exec::Device::cpu(2), monitor);
  EXPECT_EQ(found.parts, 4);
  EXPECT_EQ(found.unknowns, made.k().rows);
  EXPECT_LT(found.reduced, found.unknowns / 6);
  EXPECT_LT(found.interface_modes, found.interface);
  ASSERT_EQ(found.modes.count(), 10);
  for (std::size_t j = 0; j < 10; ++j) {
    EXPECT_GT(found.modes.lambda[j], exact.lambda[j] * (1 - 1e-7));
    EXPECT_LT(found.modes.lambda[j], exact.lambda[j] * 1.002) << j;  // of squares of frequencies
  }
  EXPECT_LT(setka::test::departure_from_orthonormal(made.m(), found.modes), 1e-9);
}

/// Parts that know nothing of each other but the interface, as from several meshes.
TEST_F(ReducedModesTest, PartsAreJoinedAtTheirInterface) {
  // A chain of 2 n + 1 masses in halves that share the middle one, half of it each.
  const std::int32_t n = 20;
  const auto half = [&](bool first) {
    sparse::Triplets k{n + 1, n + 1, {}, {}, {}};
    sparse::Triplets m = k;
    const std::int32_t shared = first ? n : 0;
    for (std::int32_t i = 0; i <= n; ++i) {
      setka::test::add(k, i, i, i == shared ? 1 : 2);
      setka::test::add(m, i, i, i == shared ? 0.5 : 1);
      if (i > 0) setka::test::add(k, i, i - 1, -1);
    }
    const std::vector<std::int32_t> boundary{shared};
    Monitor monitor;
    const auto upper = [](sparse::Triplets list) {
      return sparse::upper_triangle(setka::test::from_entries(std::move(list)));
    };
    return CraigBampton(split(upper(std::move(k)), boundary), split(upper(std::move(m)), boundary), n,
                        monitor);
  };
  std::vector<PlacedPart> parts;
  parts.push_back({half(true), {0}});
  parts.push_back({half(false), {0}});
  sparse::SymmetricCsr none;
  none.rows = 1;
  none.offset = {0, 0};
  Monitor monitor;
  const ModeSynthesis synthesis(std::move(parts), none, none, 0, monitor);
  EXPECT_EQ(synthesis.size(), 2 * n + 1);
  const modes::Modes found = synthesis.modes(5, monitor);
  for (int j = 0; j < 5; ++j) {
    const double exact = setka::test::chain_lambda(2 * n + 1, j + 1);
    EXPECT_NEAR(found.lambda[static_cast<std::size_t>(j)], exact, 1e-9 * exact) << j;
  }
  const ConstDenseView shapes{found.shape.data(), found.rows, 5, 5, 1};
  const Dense middle = synthesis.at_interface(shapes);
  const Dense left = synthesis.inside(0, shapes);
  // The first mode is a half sine.
  EXPECT_NEAR(left(0, 0) / middle(0, 0), std::sin(std::numbers::pi / (2 * n + 2)), 1e-8);
}

TEST_F(ReducedModesTest, PartsOfOtherSizesAreRefused) {
  Monitor monitor;
  const ModesProblem problem = chains(10, 1);
  try {
    reduced_modes(problem.stiffness(), problem.mass(), runs(9, 2), 2, {2, 0, 0}, monitor);
    FAIL() << "nine rows have a part, of ten";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "reduced modes: K has 10 rows, M 10, and 9 have a part");
  }
}

TEST(Condensation, SplitsAndCondenses) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  const sparse::SymmetricCsr k = chains(5, 1).stiffness();
  const std::vector<std::int32_t> boundary{4, 1};
  const SplitMatrix parts = split(k, boundary);
  EXPECT_THAT(inner_unknowns(5, boundary), ::testing::ElementsAre(0, 2, 3));
  EXPECT_EQ(parts.coupling.at(0, 2), -1);  // 4 and 3
  EXPECT_EQ(parts.coupling.at(1, 0), -1);  // 1 and 0
  EXPECT_EQ(parts.coupling.at(0, 0), 0);
  Monitor monitor;
  const Condensation condensation(parts);
  ASSERT_EQ(condensation.loose(), -1);
  const Dense s = condensation.schur_complement(monitor);
  // Springs in a row: 1/3 between 1 and 4; each has a wall besides, 1 and 2 springs away.
  EXPECT_NEAR(s(0, 1), -1. / 3, 1e-15);
  EXPECT_NEAR(s(0, 0), 1. / 3 + 1, 1e-15);
  EXPECT_NEAR(s(1, 1), 1. / 3 + 1. / 2, 1e-15);
}

TEST(Condensation, TellsWhatIsLoose) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  const sparse::SymmetricCsr two_free = chains(4, 2, 1, true).stiffness();
  const std::vector<std::int32_t> boundary{0};
  const Condensation condensation(split(two_free, boundary));
  EXPECT_GE(condensation.loose(), 3);  // inner unknowns of the second chain begin there
}

}  // namespace
}  // namespace setka::domains
