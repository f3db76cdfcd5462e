// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lanczos.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modes/problems.hpp"
#include "setka/base/error.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka::modes {
namespace {

using ::testing::HasSubstr;

class Lanczos : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  }

  static Modes run(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, const Request& request,
                   const LanczosOptions& options = {}) {
    Monitor monitor;
    return lanczos(k, m, request, monitor, options);
  }
};

Request lowest(std::int64_t count) {
  Request request;
  request.count = count;
  return request;
}

TEST_F(Lanczos, CountsNegativePivots) {
  const auto problem = test::chains(50, 1);
  for (const int below : {0, 1, 7, 50}) {
    const double mu =
        below == 50 ? 5 : 0.5 * (test::chain_lambda(50, below) + test::chain_lambda(50, below + 1));
    EXPECT_EQ(solve::negative_pivots(sum(problem.stiffness(), -mu, problem.mass()), 1e9), below);
  }
  EXPECT_EQ(solve::negative_pivots(problem.stiffness(), 1), std::nullopt) << "too many operations";
}

TEST_F(Lanczos, FindsTheLowestOfAChain) {
  const auto problem = test::chains(1000, 1);
  const Modes modes = run(problem.stiffness(), problem.mass(), lowest(10));
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_EQ(modes.method, "Lanczos");
  EXPECT_EQ(modes.check, Check::inertia) << modes.check_text;
  EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(1000, 1, 10), 1e-9));
  EXPECT_LT(test::departure_from_orthonormal(problem.mass(), modes), 1e-12);
}

TEST_F(Lanczos, FindsEveryCopyOfAnEigenvalue) {
  for (const int copies : {2, 3, 5, 7}) {
    const auto problem = test::chains(101, copies, 2.0);
    // The last group is cut, so that the end of what is wanted is within equal values.
    const Modes modes = run(problem.stiffness(), problem.mass(), lowest(3 * copies + 1));
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_EQ(modes.check, Check::inertia) << modes.check_text;
    std::vector<double> expected = test::chain_spectrum(101, copies, 3 * copies + 1);
    for (double& lambda : expected) lambda /= 2;
    EXPECT_TRUE(test::same_lambda(modes.lambda, expected, 1e-9)) << copies << " copies";
    EXPECT_LT(test::departure_from_orthonormal(problem.mass(), modes), 1e-12);
  }
}

TEST_F(Lanczos, WhatABlockMissesTheInertiaShows) {
  // Of copies that are each their own a single vector sees one; the others come in one at a time.
  const auto problem = test::chains(101, 4);
  LanczosOptions options;
  options.block = 1;
  const Modes modes = run(problem.stiffness(), problem.mass(), lowest(8), options);
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_EQ(modes.check, Check::inertia) << modes.check_text;
  EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(101, 4, 8), 1e-9));
}

TEST_F(Lanczos, SearchesWhereTheInertiaIsTooDear) {
  const auto problem = test::chains(101, 5);
  LanczosOptions options;
  options.max_inertia_flops = 0;
  const Modes modes = run(problem.stiffness(), problem.mass(), lowest(12), options);
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_EQ(modes.check, Check::search) << modes.check_text;
  EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(101, 5, 12), 1e-9));
}

TEST_F(Lanczos, FindsClusters) {
  std::vector<double> stiffness = test::clusters(500, 4, 1e-7);
  const auto k = sparse::upper_triangle(test::diagonal(stiffness));
  const auto m = sparse::upper_triangle(test::diagonal(std::vector<double>(500, 1.0)));
  const Modes modes = run(k, m, lowest(10));
  EXPECT_TRUE(modes.converged) << modes.trouble;
  stiffness.resize(10);
  EXPECT_TRUE(test::same_lambda(modes.lambda, stiffness, 1e-9));
}

TEST_F(Lanczos, FindsAllUpToALimit) {
  const auto problem = test::chains(400, 2);
  for (const double flops : {1e9, 0.0}) {
    LanczosOptions options;
    options.max_inertia_flops = flops;
    Request request;
    request.upper = 0.5 * (test::chain_lambda(400, 11) + test::chain_lambda(400, 12));
    const Modes modes = run(problem.stiffness(), problem.mass(), request, options);
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(400, 2, 22), 1e-9));
    request.lower = 0.5 * (test::chain_lambda(400, 9) + test::chain_lambda(400, 10));
    EXPECT_EQ(run(problem.stiffness(), problem.mass(), request, options).count(), 4);
    request.lower = -1;
    request.upper = 0.5 * test::chain_lambda(400, 1);
    EXPECT_EQ(run(problem.stiffness(), problem.mass(), request, options).count(), 0);
  }
}

TEST_F(Lanczos, FindsZerosOfFreeChains) {
  const auto problem = test::chains(150, 4, 1, true);
  Request request = lowest(9);
  for (const double tolerance : {1e-6, 1e-9}) {
    request.tolerance = tolerance;
    const Modes modes = run(problem.stiffness(), problem.mass(), request);
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_EQ(modes.check, Check::inertia) << modes.check_text;
    for (std::size_t j = 0; j < 4; ++j) EXPECT_LT(std::abs(modes.lambda[j]), 1e-9 * modes.lambda[4]);
    EXPECT_GT(modes.lambda[4], 1e-4);
  }
  LanczosOptions options;
  options.max_inertia_flops = 0;
  const Modes zeros = run(problem.stiffness(), problem.mass(), lowest(4), options);
  EXPECT_TRUE(zeros.converged) << zeros.trouble;
  EXPECT_EQ(zeros.check, Check::search);
}

TEST_F(Lanczos, SmallProblemsAreDense) {
  for (const int length : {1, 2, 33}) {
    const auto problem = test::chains(length, 1);
    const Modes modes = run(problem.stiffness(), problem.mass(), lowest(length));
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_EQ(modes.check, Check::all);
    EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(length, 1, length), 1e-9));
  }
}

TEST_F(Lanczos, UnknownsWithoutMassFollow) {
  for (const int length : {41, 401}) {  // dense, and not
    auto problem = test::chains(length, 1);
    std::vector<double> mass(static_cast<std::size_t>(length), 0.0);
    for (std::size_t i = 9; i < mass.size(); i += 10) mass[i] = 1;
    problem.m = test::diagonal(mass);
    const auto finite = length / 10;
    // Springs of ten links each: a chain of a tenth of the length and of the stiffness, but for its last
    // wall.
    const Modes modes = run(problem.stiffness(), problem.mass(), lowest(4));
    EXPECT_TRUE(modes.converged) << modes.trouble;
    const double bound = 4 * std::pow(std::sin(4 * std::numbers::pi / (2.0 * (finite + 1))), 2) / 10;
    EXPECT_LT(modes.lambda[3], 5 * bound);
    EXPECT_LT(test::departure_from_orthonormal(problem.mass(), modes), 1e-10);
    const Modes all = run(problem.stiffness(), problem.mass(), lowest(finite + 2));
    EXPECT_EQ(all.count(), finite);
    EXPECT_THAT(all.trouble, HasSubstr("M is singular"));
  }
}

TEST_F(Lanczos, SaysWhatIsWrong) {
  const auto problem = test::chains(10, 1);
  const auto k = problem.stiffness();
  const auto m = problem.mass();
  EXPECT_THROW(run(k, m, lowest(11)), Error);
  EXPECT_THROW(run(k, m, Request{}), Error);
  EXPECT_THROW(run(k, test::chains(9, 1).mass(), lowest(2)), Error);
  auto spoiled = k;
  spoiled.value[3] = std::nan("");
  EXPECT_THROW(run(spoiled, m, lowest(2)), Error);
  auto loose = k;
  auto weightless = m;
  for (const std::size_t entry : {0U, 1U}) loose.value[entry] = 0;  // the first row, which has two entries
  weightless.value[0] = 0;
  EXPECT_THAT(run(loose, weightless, lowest(2)).trouble, HasSubstr("neither stiffness nor mass"));
  auto massless = m;
  for (double& value : massless.value) value = 0;
  EXPECT_THAT(run(k, massless, lowest(2)).trouble, HasSubstr("no unknown has mass"));
}

TEST_F(Lanczos, ShiftsAnIndefiniteStiffness) {
  for (const int length : {20, 400}) {  // dense, and by iteration
    const auto problem = test::chains(length, 1);
    auto k = problem.stiffness();
    const auto m = problem.mass();
    for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i)
      k.value[static_cast<std::size_t>(k.offset[i])] -= 1;  // every eigenvalue of the chain less one
    const Modes modes = run(k, m, lowest(5));
    EXPECT_TRUE(modes.converged) << modes.trouble;
    ASSERT_EQ(modes.count(), 5);
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_NEAR(modes.lambda[j], test::chain_lambda(length, static_cast<int>(j) + 1) - 1, 1e-9);
  }
}

TEST_F(Lanczos, SaysWhenIterationsAreNotEnough) {
  const auto problem = test::chains(1000, 1);
  Request request = lowest(20);
  request.max_iterations = 3;
  const Modes modes = run(problem.stiffness(), problem.mass(), request);
  EXPECT_FALSE(modes.converged);
  EXPECT_THAT(modes.trouble, HasSubstr("after 3 iterations"));
}

TEST_F(Lanczos, SameBitsAtEachRun) {
  const auto problem = test::chains(300, 3);
  const Modes first = run(problem.stiffness(), problem.mass(), lowest(10));
  const Modes second = run(problem.stiffness(), problem.mass(), lowest(10));
  EXPECT_EQ(first.lambda, second.lambda);
  EXPECT_EQ(first.shape, second.shape);
}

TEST_F(Lanczos, FreeBlockHasSixZeros) {
  test::ElasticBlock block;
  block.cells = {7, 5, 4};
  block.size = {2, 1, 0.7};
  block.held = false;
  const test::ElasticModes made(block);
  const auto m = made.m();
  const Modes modes = run(made.k(), m, lowest(15));
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_EQ(modes.check, Check::inertia) << modes.check_text;
  for (std::size_t j = 0; j < 6; ++j) EXPECT_LT(std::abs(modes.lambda[j]), 1e-8 * modes.lambda[6]);
  EXPECT_GT(modes.lambda[6], 1e5);
  EXPECT_LT(test::departure_from_orthonormal(m, modes), 1e-11);
}

}  // namespace
}  // namespace setka::modes
