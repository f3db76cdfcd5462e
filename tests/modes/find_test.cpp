// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/find.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modes/problems.hpp"
#include "setka/base/error.hpp"
#include "setka/modes/shifted_matrix.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/on_device.hpp"
#include "support/sanitized.hpp"

namespace setka::modes {
namespace {

using ::testing::HasSubstr;

Request lowest(std::int64_t count, double tolerance = 0) {
  Request request;
  request.count = count;
  request.tolerance = tolerance;
  return request;
}

std::vector<Method> methods() {
  std::vector<Method> all{Method::dense, Method::lobpcg, Method::subspace, Method::automatic};
  if (solve::Cholesky::available()) all.push_back(Method::lanczos);
  return all;
}

class FindOn : public test::OnDevice {
 protected:
  Modes run(const test::ElasticModes& made, const Request& request, Method method) const {
    return run(made, made.stiffness.system.matrix, request, method);
  }

  Modes run(const test::ElasticModes& made, const sparse::BlockCsr<double>& k, const Request& request,
            Method method) const {
    const exec::Device cpu = exec::Device::cpu();
    EigenSystem system;
    system.stiffness = &k;
    system.mass = &made.mass.system.matrix;
    system.place = made.stiffness.numbering.place;
    system.geometry = [&] { return made.stiffness.geometry; };
    system.unknowns = [&](const sparse::BlockCsr<double>& matrix) {
      return fem::over_unknowns(matrix, made.stiffness.numbering);
    };
    Monitor monitor;
    return find(device(), cpu, system, request, method, monitor);
  }
};

test::ElasticModes small_block(bool held) {
  test::ElasticBlock block;
  block.cells = {8, 3, 3};
  block.size = {3, 1, 1.2};
  block.held = held;
  return test::ElasticModes(block);
}

TEST_P(FindOn, MethodsAgreeOnAHeldBlock) {
  const test::ElasticModes made = small_block(true);
  const Modes reference = run(made, lowest(10), Method::dense);
  ASSERT_TRUE(reference.converged);
  EXPECT_EQ(reference.check, Check::all);
  for (const Method method : methods()) {
    const Modes modes = run(made, lowest(10), method);
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_EQ(modes.rows, made.stiffness.numbering.place.size());
    EXPECT_TRUE(test::same_lambda(modes.lambda, reference.lambda, 1e-9)) << modes.method;
    EXPECT_LT(test::departure_from_orthonormal(made.m(), modes), 1e-10) << modes.method;
    for (std::size_t k = 0; k < modes.shape.size(); ++k)
      ASSERT_NEAR(modes.shape[k], reference.shape[k], 2e-5) << modes.method << ", entry " << k;
  }
}

TEST_P(FindOn, MethodsAgreeOnAFreeBlock) {
  const test::ElasticModes made = small_block(false);
  const Modes reference = run(made, lowest(11), Method::dense);
  for (const Method method : methods()) {
    const Modes modes = run(made, lowest(11), method);
    EXPECT_TRUE(modes.converged) << modes.trouble;
    ASSERT_EQ(modes.count(), 11);
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_LT(std::abs(modes.lambda[j]), 1e-7 * reference.lambda[6]) << modes.method;
    EXPECT_TRUE(test::same_lambda({modes.lambda.begin() + 6, modes.lambda.end()},
                                  {reference.lambda.begin() + 6, reference.lambda.end()}, 1e-9))
        << modes.method;
  }
}

TEST_P(FindOn, MethodsAgreeOnAnIndefiniteStiffness) {
  const test::ElasticModes made = small_block(true);
  const Modes at_rest = run(made, lowest(6), Method::dense);
  const double lowered = 0.5 * (at_rest.lambda[2] + at_rest.lambda[3]);
  const sparse::BlockCsr<double> k =
      shifted_matrix(made.stiffness.system.matrix, -lowered, made.mass.system.matrix);
  for (const Method method : methods()) {
    const Modes modes = run(made, k, lowest(6), method);
    EXPECT_TRUE(modes.converged) << modes.method << ": " << modes.trouble;
    ASSERT_EQ(modes.count(), 6) << modes.method;
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_NEAR(modes.lambda[j], at_rest.lambda[j] - lowered, 1e-8 * lowered) << modes.method;
  }
}

TEST_P(FindOn, MethodsAgreeBelowALimit) {
  const test::ElasticModes made = small_block(true);
  const Modes reference = run(made, lowest(10), Method::dense);
  Request request;
  request.tolerance = 0;
  request.upper = 0.5 * (reference.lambda[6] + reference.lambda[7]);
  request.lower = 0.5 * (reference.lambda[0] + reference.lambda[1]);
  for (const Method method : methods()) {
    const Modes modes = run(made, request, method);
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_TRUE(
        test::same_lambda(modes.lambda, {reference.lambda.begin() + 1, reference.lambda.begin() + 7}, 1e-9))
        << modes.method;
  }
}

TEST_P(FindOn, SaysWhatIsWrong) {
  const test::ElasticModes made = small_block(true);
  for (const Method method : methods()) {
    EXPECT_THROW(run(made, lowest(100000), method), Error);
    EXPECT_THROW(run(made, lowest(0), method), Error);
  }
}

TEST_P(FindOn, ALargeModelIsIterated) {
  if (test::sanitized) GTEST_SKIP() << "takes half a minute under sanitizers";
  test::ElasticBlock block;
  block.cells = {40, 13, 13};
  block.size = {3, 1, 1};
  const test::ElasticModes made(block);
  const Modes modes = run(made, lowest(4), Method::automatic);
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_EQ(modes.method, "LOBPCG");
  EXPECT_NEAR(modes.lambda[1], modes.lambda[0], 1e-9 * modes.lambda[0]);  // a square section
}

TEST(Find, ChoosesByTheSize) {
  const exec::Device cpu = exec::Device::cpu();
  EXPECT_EQ(chosen_method(Method::automatic, 300, lowest(10), cpu), Method::dense);
  EXPECT_EQ(chosen_method(Method::automatic, 1000000, lowest(10), cpu), Method::lobpcg);
  EXPECT_EQ(chosen_method(Method::subspace, 300, lowest(10), cpu), Method::subspace);
  if (!solve::Cholesky::available()) return;
  EXPECT_EQ(chosen_method(Method::automatic, 5000, lowest(10), cpu), Method::lanczos);
  EXPECT_EQ(chosen_method(Method::automatic, 50000, lowest(5000), cpu), Method::lanczos);
}

TEST(Find, KnowsItsMethodsByName) {
  EXPECT_EQ(method_of("lobpcg"), Method::lobpcg);
  try {
    method_of("arnoldi");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_THAT(error.what(), HasSubstr("give auto, dense, lanczos, lobpcg or subspace"));
  }
}

TEST(ShiftedMatrix, UnitesBlocksInDifferentPlaces) {
  const auto chain = test::chains(5, 1);
  const sparse::BlockCsr<double> mass = test::diagonal({1, 2, 3, 4, 5});
  const auto sum = sparse::upper_triangle(shifted_matrix(chain.k, 0.5, mass));
  const auto k = chain.stiffness();
  ASSERT_EQ(sum.column, k.column);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto at = static_cast<std::size_t>(k.offset[i]);
    EXPECT_DOUBLE_EQ(sum.value[at], k.value[at] + 0.5 * static_cast<double>(i + 1));
  }
  EXPECT_DOUBLE_EQ(trace(mass), 15);
}

SETKA_ON_ALL_DEVICES(FindOn);

}  // namespace
}  // namespace setka::modes
