// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/lobpcg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modes/problems.hpp"
#include "setka/base/error.hpp"
#include "setka/modes/lanczos.hpp"
#include "setka/modes/lobpcg_space.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/on_device.hpp"
#include "support/sanitized.hpp"

namespace setka::modes {
namespace {

using ::testing::HasSubstr;

Request lowest(std::int64_t count) {
  Request request;
  request.count = count;
  return request;
}

class LobpcgOn : public test::OnDevice {
 protected:
  /// With the diagonal as preconditioner.
  Modes run(const test::ModesProblem& problem, const Request& request,
            const LobpcgOptions& options = {}) const {
    const solve::BlockCsrOperator k(std::as_const(problem.k).to(device()));
    const solve::BlockCsrOperator m(std::as_const(problem.m).to(device()));
    const solve::BlockJacobi diagonal(device(), 1, solve::inverse_diagonal_blocks(problem.k));
    Monitor monitor;
    return lobpcg(device(), k, m, diagonal, request, monitor, options);
  }

  /// With multigrid of K + alpha M.
  Modes run(const test::ElasticModes& made, double alpha, const Request& request,
            const LobpcgOptions& options = {}) const {
    const solve::BlockCsrOperator k(std::as_const(made.stiffness.system.matrix).to(device()));
    const solve::BlockCsrOperator m(std::as_const(made.mass.system.matrix).to(device()));
    Monitor monitor;
    const solve::Amg amg(device(), made.shifted(alpha), made.stiffness.geometry, {}, monitor);
    return lobpcg(device(), k, m, amg, request, monitor, options);
  }
};

TEST_P(LobpcgOn, FindsEveryCopyOfAnEigenvalue) {
  for (const int copies : {1, 2, 5}) {
    const auto problem = test::chains(60, copies, 1);
    const Modes modes = run(problem, lowest(3 * copies + 1));
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_EQ(modes.check, Check::search) << modes.check_text;
    EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(60, copies, 3 * copies + 1), 1e-9));
    EXPECT_LT(test::departure_from_orthonormal(problem.mass(), modes), 1e-11);
  }
}

TEST_P(LobpcgOn, BeginsWithShapesThatAreGiven) {
  const auto problem = test::chains(80, 2, 1);
  const Modes known = run(problem, lowest(9));
  ASSERT_TRUE(known.converged) << known.trouble;
  LobpcgOptions options;
  std::vector<double> start = known.shape;
  options.start = {start.data(), 80 * 2, 9, 9};
  const Modes again = run(problem, lowest(8), options);
  EXPECT_TRUE(again.converged) << again.trouble;
  EXPECT_EQ(again.iterations, 0);
  EXPECT_TRUE(test::same_lambda(again.lambda, test::chain_spectrum(80, 2, 8), 1e-9));
  // Fewer than are wanted, the same twice, and none: what is missing is found.
  for (std::size_t i = 0; i < start.size(); i += 9) start[i] = start[i + 1] = start[i + 2];
  const Modes repeated = run(problem, lowest(12), options);
  EXPECT_TRUE(repeated.converged) << repeated.trouble;
  EXPECT_TRUE(test::same_lambda(repeated.lambda, test::chain_spectrum(80, 2, 12), 1e-9));
}

TEST_P(LobpcgOn, AStartOfAnotherSizeIsRefused) {
  LobpcgOptions options;
  const std::vector<double> start(59);
  options.start = {start.data(), 59, 1, 1};
  try {
    run(test::chains(60, 1, 1), lowest(3), options);
    FAIL() << "a start of 59 rows is taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("lobpcg: the start has 59 rows, K has 60"));
  }
}

TEST_P(LobpcgOn, FindsClusters) {
  std::vector<double> stiffness = test::clusters(500, 4, 1e-7);
  const std::vector<double> units(500, 1.0);
  const test::ModesProblem problem{test::diagonal(stiffness), test::diagonal(units)};
  const solve::BlockCsrOperator k(std::as_const(problem.k).to(device()));
  const solve::BlockCsrOperator m(std::as_const(problem.m).to(device()));
  Monitor monitor;
  // The identity: with K's own diagonal every mode would be found at once.
  const Modes modes = lobpcg(device(), k, m, m, lowest(10), monitor);
  EXPECT_TRUE(modes.converged) << modes.trouble;
  stiffness.resize(10);
  EXPECT_TRUE(test::same_lambda(modes.lambda, stiffness, 1e-9));
}

TEST_P(LobpcgOn, APerfectPreconditionerBreaksNothing) {
  std::vector<double> stiffness = test::clusters(300, 3, 0);
  const test::ModesProblem problem{test::diagonal(stiffness), test::diagonal(std::vector<double>(300, 1.0))};
  const Modes modes = run(problem, lowest(9));
  EXPECT_TRUE(modes.converged) << modes.trouble;
  stiffness.resize(9);
  EXPECT_TRUE(test::same_lambda(modes.lambda, stiffness, 1e-9));
}

/// Counts the products with blocks of columns.
class Counted final : public solve::Operator {
 public:
  explicit Counted(const solve::Operator& of) : of_(of) {}

  const exec::Device& device() const override { return of_.device(); }
  std::int64_t rows() const override { return of_.rows(); }
  void apply(const exec::Stream& stream, exec::View<const double> x, exec::View<double> y) const override {
    of_.apply(stream, x, y);
  }
  void apply(const exec::Stream& stream, exec::MultiView<const double> x,
             exec::MultiView<double> y) const override {
    ++products;
    of_.apply(stream, x, y);
  }

  mutable int products = 0;

 private:
  const solve::Operator& of_;
};

TEST_P(LobpcgOn, DirectionsThatDependOnEachOtherNarrowTheSpace) {
  // The preconditioner leaves 20 unknowns, which X, P and W of 8 columns each cannot span independently.
  constexpr std::size_t unknowns = 200;
  constexpr std::size_t left = 20;
  std::vector<double> stiffness(unknowns);
  std::vector<double> inverse(unknowns, 0.0);
  for (std::size_t i = 0; i < unknowns; ++i) stiffness[i] = 1 + static_cast<double>(i);
  for (std::size_t i = 0; i < left; ++i) inverse[i] = 1 + 0.1 * static_cast<double>(i % 3);
  const solve::BlockCsrOperator k(test::diagonal(stiffness).to(device()));
  const solve::BlockCsrOperator m(test::diagonal(std::vector<double>(unknowns, 1.0)).to(device()));
  const solve::BlockCsrOperator preconditioner(test::diagonal(inverse).to(device()));
  const Counted mass(m);
  const Problem problem(device(), k, mass, preconditioner, 1e-10);
  LobpcgSpace space(problem, {}, 8, 1);
  int narrowed = 0;
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> residual = space.residuals();
    if (*std::max_element(residual.begin(), residual.end()) < 1e-9) break;
    const int before = mass.products;
    ASSERT_TRUE(space.step(residual, 1e-10)) << "step " << i;
    if (mass.products > before + 1) ++narrowed;  // otherwise the one product M W is enough
  }
  EXPECT_GT(narrowed, 0);
  for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(space.lambda()[j], stiffness[j], 1e-9) << j;
  Modes shapes;
  shapes.rows = unknowns;
  shapes.lambda = space.lambda();
  shapes.shape = space.x().values();
  const auto units = sparse::upper_triangle(test::diagonal(std::vector<double>(unknowns, 1.0)));
  EXPECT_LT(test::departure_from_orthonormal(units, shapes), 1e-10);
}

TEST_P(LobpcgOn, TheWholeSpaceMayBeWanted) {
  for (const int length : {1, 2, 3, 17, 33}) {
    const auto problem = test::chains(length, 1);
    const Modes modes = run(problem, lowest(length));
    EXPECT_TRUE(modes.converged) << length << ": " << modes.trouble;
    EXPECT_EQ(modes.check, Check::all);
    EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(length, 1, length), 1e-9)) << length;
  }
}

TEST_P(LobpcgOn, FindsAllUpToALimit) {
  const auto problem = test::chains(60, 2);
  Request request;
  request.upper = 0.5 * (test::chain_lambda(60, 11) + test::chain_lambda(60, 12));
  const Modes modes = run(problem, request);
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(60, 2, 22), 1e-9));
  request.upper = 4;  // all of them, in several passes
  const Modes all = run(problem, request);
  EXPECT_TRUE(all.converged) << all.trouble;
  EXPECT_TRUE(test::same_lambda(all.lambda, test::chain_spectrum(60, 2, 120), 1e-9));
}

TEST_P(LobpcgOn, MoreModesThanABlockTakesComeInPasses) {
  if (test::sanitized) GTEST_SKIP() << "takes half a minute under sanitizers";
  const auto problem = test::chains(150, 2);
  for (const std::int64_t count : {53, 64, 65, 120}) {
    const Modes modes = run(problem, lowest(count));
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_EQ(modes.check, Check::search) << modes.check_text;
    EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(150, 2, count), 1e-9));
    EXPECT_LT(test::departure_from_orthonormal(problem.mass(), modes), 1e-11);
    EXPECT_LT(*std::max_element(modes.residual.begin(), modes.residual.end()), 1e-6);
  }
}

TEST_P(LobpcgOn, KeepsOffAKnownNullSpace) {
  constexpr std::size_t length = 40;
  const auto problem = test::chains(length, 3, 2.0, true);
  LobpcgOptions options;
  options.null_count = 4;  // one too many: the last is the sum of the others
  options.null_space.assign(12 * length, 0.0);
  for (std::size_t i = 0; i < 3 * length; ++i) {
    options.null_space[4 * i + i / length] = 1;
    options.null_space[4 * i + 3] = 1;
  }
  const Modes modes = run(problem, lowest(7), options);
  EXPECT_TRUE(modes.converged) << modes.trouble;
  ASSERT_EQ(modes.count(), 7);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_LT(std::abs(modes.lambda[j]), 1e-10 * modes.lambda[3]);
  // A chain without walls has the eigenvalues 4 sin^2(j pi / 2n).
  for (std::size_t j = 3; j < 7; ++j) {
    EXPECT_NEAR(modes.lambda[j], test::chain_lambda(length - 1, j < 6 ? 1 : 2) / 2, 1e-9);
  }
  EXPECT_LT(test::departure_from_orthonormal(problem.mass(), modes), 1e-11);
  options.null_space[1] += 0.1;
  EXPECT_THROW(run(problem, lowest(7), options), Error);
  options.null_is_guess = true;  // what is left of it is two motions
  const Modes guessed = run(problem, lowest(7), options);
  EXPECT_TRUE(guessed.converged) << guessed.trouble;
  EXPECT_TRUE(test::same_lambda({guessed.lambda.begin() + 3, guessed.lambda.end()},
                                {modes.lambda.begin() + 3, modes.lambda.end()}, 1e-9));
}

TEST_P(LobpcgOn, UnknownsWithoutMassFollow) {
  auto problem = test::chains(120, 1);
  std::vector<double> mass(120, 1.0);
  for (std::size_t i = 0; i < mass.size(); i += 3) mass[i] = 0;
  problem.m = test::diagonal(mass);
  const Modes modes = run(problem, lowest(5));
  EXPECT_TRUE(modes.converged) << modes.trouble;
  if (!solve::Cholesky::available()) return;
  Monitor monitor;
  const Modes reference = lanczos(problem.stiffness(), problem.mass(), lowest(5), monitor);
  EXPECT_TRUE(test::same_lambda(modes.lambda, reference.lambda, 1e-8));
}

TEST_P(LobpcgOn, ASearchSettlesAboveOnlyWhereNothingIsMissing) {
  test::ElasticBlock block;
  block.cells = {12, 4, 4};
  block.size = {6, 1, 1};  // a square section: each bending mode twice
  const test::ElasticModes made(block);
  const solve::BlockCsrOperator k(std::as_const(made.stiffness.system.matrix).to(device()));
  const solve::BlockCsrOperator m(std::as_const(made.mass.system.matrix).to(device()));
  Monitor monitor;
  const solve::Amg amg(device(), made.shifted(0), made.stiffness.geometry, {}, monitor);
  const Problem problem(device(), k, m, amg, 1e-6);
  LobpcgSpace space(problem, {}, 16, 1);
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(space.step(space.residuals(), 1e-12));
  const double highest = space.lambda()[9];
  const auto search = [&](const MassBlock& found, std::uint64_t seed) {
    LobpcgSpace other(problem, {&found}, 4, seed);
    for (int i = 0; i < 12; ++i) {
      const std::vector<double> residual = other.residuals();
      if (other.settled_above(highest, residual)) break;
      other.step(residual, 1e-6);
    }
    return other.lambda().front();
  };
  for (std::uint64_t seed = 2; seed < 12; ++seed) {
    EXPECT_GT(search(space.x(), seed), highest);
    for (std::int64_t missing = 0; missing < 9; ++missing) {
      std::vector<std::int64_t> others;
      for (std::int64_t j = 0; j < 16; ++j) {
        if (j != missing) others.push_back(j);
      }
      EXPECT_LT(search(*space.columns_of_x(others), seed), highest)
          << "mode " << missing << ", start " << seed;
    }
  }
}

TEST_P(LobpcgOn, WhatWasMissingTakesThePlaceOfGuards) {
  const auto problem = test::chains(80, 2);
  const solve::BlockCsrOperator k(std::as_const(problem.k).to(device()));
  const solve::BlockCsrOperator m(std::as_const(problem.m).to(device()));
  const solve::BlockJacobi diagonal(device(), 1, solve::inverse_diagonal_blocks(problem.k));
  const Problem on_device(device(), k, m, diagonal, 1e-8);
  const auto iterate = [](LobpcgSpace& space) {
    for (int i = 0; i < 200 && space.step(space.residuals(), 1e-8); ++i) {
    }
  };
  LobpcgSpace known(on_device, {}, 3, 7);
  iterate(known);
  LobpcgSpace space(on_device, {&known.x()}, 5, 1);  // kept off the three lowest: they are missing
  iterate(space);
  EXPECT_NEAR(space.lambda()[0], test::chain_lambda(80, 2), 1e-9);
  const exec::Array<double> values(on_device.stream.device(), space.x().values());
  LobpcgSpace whole(on_device, values, 5);
  whole.replace_last(known.x(), 3);
  ASSERT_EQ(whole.columns(), 5);
  EXPECT_TRUE(test::same_lambda(whole.lambda(), test::chain_spectrum(80, 2, 5), 1e-8));
}

TEST_P(LobpcgOn, NothingToDo) {
  Request request;
  request.upper = 1;
  const test::ModesProblem empty{test::diagonal({}), test::diagonal({})};
  EXPECT_EQ(run(empty, request).count(), 0);
}

TEST_P(LobpcgOn, SaysWhatIsWrong) {
  const auto problem = test::chains(10, 1);
  EXPECT_THROW(run(problem, lowest(11)), Error);
  EXPECT_THROW(run(problem, Request{}), Error);
  LobpcgOptions options;
  options.null_count = 2;
  EXPECT_THROW(run(problem, lowest(2), options), Error);
  auto spoiled = test::chains(10, 1);
  std::vector<double> stiffness(10, 1.0);
  stiffness[3] = std::nan("");
  spoiled.m = test::diagonal(stiffness);
  EXPECT_THROW(run(spoiled, lowest(2)), Error);
  Request request = lowest(4);
  request.max_iterations = 2;
  const Modes modes = run(test::chains(500, 1), request);
  EXPECT_FALSE(modes.converged);
  EXPECT_THAT(modes.trouble, HasSubstr("2 iterations of LOBPCG were not enough"));
}

TEST_P(LobpcgOn, AgreesWithLanczosOnAHeldBlock) {
  test::ElasticBlock block;
  block.cells = {10, 5, 5};  // a square section: bending comes in pairs
  block.size = {2, 1, 1};
  const test::ElasticModes made(block);
  const Modes modes = run(made, 0, lowest(12));
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_EQ(modes.check, Check::search) << modes.check_text;
  EXPECT_LT(modes.iterations, 40);
  EXPECT_LT(*std::max_element(modes.residual.begin(), modes.residual.end()), 1e-6);
  const Modes again = run(made, 0, lowest(12));
  EXPECT_EQ(modes.lambda, again.lambda);
  EXPECT_EQ(modes.shape, again.shape);
  if (!solve::Cholesky::available()) return;
  Monitor monitor;
  const Modes reference = lanczos(made.k(), made.m(), lowest(12), monitor);
  EXPECT_TRUE(reference.converged) << reference.trouble;
  EXPECT_TRUE(test::same_lambda(modes.lambda, reference.lambda, 1e-6));
}

TEST_P(LobpcgOn, AgreesWithLanczosOnAFreeBlock) {
  test::ElasticBlock block;
  block.cells = {7, 5, 4};
  block.size = {2, 1, 0.7};
  block.held = false;
  const test::ElasticModes made(block);
  const double alpha = 1e6;  // a fifth of the first elastic mode
  LobpcgOptions with_motions;
  with_motions.null_count = 6;
  with_motions.null_space = made.stiffness.geometry.mode.on_host();
  for (const LobpcgOptions& options : {LobpcgOptions(), with_motions}) {
    const Modes modes = run(made, alpha, lowest(15), options);
    EXPECT_TRUE(modes.converged) << modes.trouble;
    ASSERT_EQ(modes.count(), 15);
    for (std::size_t j = 0; j < 6; ++j) EXPECT_LT(std::abs(modes.lambda[j]), 1e-6 * modes.lambda[6]);
    EXPECT_LT(test::departure_from_orthonormal(made.m(), modes), 1e-11);
    if (!solve::Cholesky::available()) continue;
    Monitor monitor;
    const Modes reference = lanczos(made.k(), made.m(), lowest(15), monitor);
    const std::vector<double> elastic(modes.lambda.begin() + 6, modes.lambda.end());
    const std::vector<double> expected(reference.lambda.begin() + 6, reference.lambda.end());
    EXPECT_TRUE(test::same_lambda(elastic, expected, 1e-6));
  }
}

SETKA_ON_ALL_DEVICES(LobpcgOn);

}  // namespace
}  // namespace setka::modes
