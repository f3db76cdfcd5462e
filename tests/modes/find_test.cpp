// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/modes/find.hpp"
#include "setka/fem/elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modes/problems.hpp"
#include "setka/base/error.hpp"
#include "setka/modes/mass_operator.hpp"
#include "setka/modes/memory_need.hpp"
#include "setka/modes/motions_of_parts.hpp"
#include "setka/modes/shifted_matrix.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cholesky.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"
#include "support/tolerance.hpp"

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
  Modes run(const test::ElasticModes& made, const Request& request, const Choice& choice) const {
    return run(made, made.stiffness.system.matrix, request, choice);
  }

  Modes run(const test::ElasticModes& made, const sparse::BlockCsr<double>& k, const Request& request,
            const Choice& choice, Shortage shortage = Shortage::use_cpu) const {
    const exec::Device cpu = exec::Device::cpu();
    EigenSystem system = system_of(made, k);
    Monitor monitor;
    return find(device(), cpu, system, request, choice, monitor, shortage);
  }

  static EigenSystem system_of(const test::ElasticModes& made, const sparse::BlockCsr<double>& k) {
    EigenSystem system;
    system.stiffness.assembled = &k;
    system.mass.assembled = &made.mass.system.matrix;
    system.place = made.stiffness.space.places();
    system.geometry = [&] { return made.stiffness.geometry; };
    return system;
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
    EXPECT_EQ(modes.rows, made.stiffness.space.places().size());
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

TEST_P(FindOn, EveryPreconditionerServes) {
  for (const bool held : {true, false}) {
    const test::ElasticModes made = small_block(held);
    const std::int64_t count = held ? 4 : 10;
    const Modes reference = run(made, lowest(count), Method::dense);
    for (const solve::PreconditionerKind& kind : solve::preconditioners()) {
      for (const Method method : {Method::automatic, Method::lobpcg, Method::subspace}) {
        const Modes modes = run(made, lowest(count), {method, std::string(kind.word)});
        EXPECT_TRUE(modes.converged) << modes.trouble;
        EXPECT_EQ(modes.method,
                  fmt::format("{} with {}", method == Method::subspace ? "subspace iteration" : "LOBPCG",
                              kind.title));
        const std::ptrdiff_t zeros = held ? 0 : 6;
        EXPECT_TRUE(test::same_lambda({modes.lambda.begin() + zeros, modes.lambda.end()},
                                      {reference.lambda.begin() + zeros, reference.lambda.end()}, 1e-9))
            << modes.method;
      }
    }
  }
}

TEST_P(FindOn, PreconditionersThatCannotServeAreRefused) {
  const test::ElasticModes made = small_block(true);
  const auto refused = [&](const EigenSystem& system, const Choice& choice, const char* text) {
    Monitor monitor;
    EXPECT_THAT([&] { find(device(), exec::Device::cpu(), system, lowest(4), choice, monitor); },
                ::testing::ThrowsMessage<Error>(text));
  };
  const EigenSystem system = system_of(made, made.stiffness.system.matrix);
  for (const Method method : {Method::dense, Method::lanczos}) {
    if (method == Method::lanczos && !solve::Cholesky::available()) continue;
    refused(
        system, {method, "jacobi"},
        "modes: the preconditioner jacobi is of an iteration, and a factorisation has none; choose lobpcg "
        "or subspace, or leave the preconditioner out");
  }
  const auto k = made.stiffness.system.matrix.to(device());
  const auto m = made.mass.system.matrix.to(device());
  const solve::BlockCsrOperator k_product(k);
  const solve::BlockCsrOperator m_product(m);
  EigenSystem products = system;
  products.stiffness = {};
  products.stiffness.product = &k_product;
  products.mass = {};
  products.mass.product = &m_product;
  for (const char* const word : {"amg", "fsai"})
    refused(products, {Method::automatic, word},
            fmt::format("modes: the preconditioner {} needs assembled matrices; choose {}", word,
                        solve::preconditioner_words_from_diagonal())
                .c_str());
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
  EXPECT_EQ(modes.method, "LOBPCG with multigrid");
  EXPECT_NEAR(modes.lambda[1], modes.lambda[0], 1e-9 * modes.lambda[0]);  // a square section
}

TEST_P(FindOn, NeedsAboutAsMuchMemoryAsWasSaid) {
  struct Case {
    fem::Element element;
    std::array<int, 3> cells;
    bool held;
    Method method;
    std::int64_t count;
    const char* preconditioner = "amg";
  };
  using fem::Element;
  for (const Case& one : {Case{Element::hex8, {10, 5, 5}, true, Method::lobpcg, 10},
                          Case{Element::hex8, {10, 5, 5}, false, Method::lobpcg, 10},
                          Case{Element::hex8, {10, 5, 5}, true, Method::lobpcg, 60},
                          Case{Element::hex8, {10, 5, 5}, true, Method::subspace, 10},
                          Case{Element::tet4, {10, 5, 5}, true, Method::lobpcg, 3},
                          Case{Element::hex20, {6, 3, 3}, true, Method::lobpcg, 10},
                          // Larger: scratch blocks of those before count too.
                          Case{Element::hex8, {20, 10, 10}, true, Method::lobpcg, 10, "jacobi"},
                          Case{Element::hex8, {20, 10, 10}, true, Method::lobpcg, 10, "fsai"},
                          Case{Element::hex8, {20, 10, 10}, true, Method::subspace, 10, "chebyshev"}}) {
    test::ElasticBlock block;
    block.element = one.element;
    block.cells = one.cells;
    block.size = {2, 1, 1};
    block.held = one.held;
    const test::ElasticModes made(block);
    const EigenSystem system = system_of(made, made.stiffness.system.matrix);
    const Iteration iteration{one.method == Method::subspace, solve::preconditioner_of(one.preconditioner)};
    const MemoryNeed need = memory_need(system, lowest(one.count), iteration, device());
    device().forget_memory_peak();
    const Modes modes = run(made, lowest(one.count), {one.method, one.preconditioner});
    EXPECT_TRUE(modes.converged) << modes.trouble;
    const std::string what =
        fmt::format("{} unknowns, {} modes, {}", system.unknown_count(), one.count, modes.method);
    EXPECT_LE(device().memory_peak(), need.total()) << what;
    EXPECT_GE(2 * device().memory_peak(), need.total()) << what;
  }
}

TEST_P(FindOn, SaysWhatIsNeededWhereMemoryIsShort) {
  const test::ElasticModes made = small_block(true);
  const auto& k = made.stiffness.system.matrix;
  const Modes reference = run(made, lowest(4), Method::dense);  // which needs nothing of the device
  device().limit_memory(100000);
  for (const Method method : {Method::lobpcg, Method::subspace}) {
    try {
      run(made, k, lowest(4), method, Shortage::stop);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::resource);
      EXPECT_THAT(error.what(), HasSubstr("the modes of 384 unknowns need about "));
      EXPECT_THAT(error.what(), HasSubstr(" for vectors), but 97.7 KiB of 97.7 KiB are free; "));
    }
    ::testing::internal::CaptureStderr();
    const Modes modes = run(made, k, lowest(4), method, Shortage::use_cpu);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr(" are free; taking the CPU"));
    EXPECT_TRUE(modes.converged) << modes.trouble;
    EXPECT_TRUE(test::same_lambda(modes.lambda, reference.lambda, 1e-9));
  }
  EXPECT_EQ(device().memory_peak(), 0U);
}

TEST_P(FindOn, AnAllocationThatFailsMidwayIsTold) {
  // What is known of the matrices alone is not enough: something else takes the memory meanwhile.
  const test::ElasticModes made = small_block(true);
  const EigenSystem system = system_of(made, made.stiffness.system.matrix);
  const std::uint64_t need =
      memory_need(system, lowest(4), {false, solve::preconditioner_of("amg")}, device()).total();
  for (const double share : {0.1, 0.5}) {
    EigenSystem later = system;
    later.geometry = [&] {
      device().limit_memory(static_cast<std::uint64_t>(share * static_cast<double>(need)));
      return made.stiffness.geometry;
    };
    Monitor monitor;
    const exec::Device cpu = exec::Device::cpu();
    device().limit_memory(need);
    try {
      find(device(), cpu, later, lowest(4), Method::lobpcg, monitor, Shortage::stop);
      FAIL() << share;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::resource);
      EXPECT_THAT(error.what(), HasSubstr("out of memory on " + device().label()));
    }
    device().limit_memory(need);
    ::testing::internal::CaptureStderr();
    const Modes modes = find(device(), cpu, later, lowest(4), Method::lobpcg, monitor);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr(" free; taking the CPU"));
    EXPECT_TRUE(modes.converged) << modes.trouble;
  }
}

TEST(Find, LanczosTakesThePlaceOfAnIterationThatFails) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without a factorisation";
  const exec::Device cpu = exec::Device::cpu(1);
  const std::int32_t n = 20100;  // beyond what is factorised at once
  const auto chain = test::chains(n, 1);
  EigenSystem system;
  system.stiffness.assembled = &chain.k;
  system.mass.assembled = &chain.m;
  system.geometry = [&] {  // wrong: multigrid is of no use
    std::vector<double> mode(static_cast<std::size_t>(n), 1.0);
    for (std::size_t i = 0; i < mode.size(); i += 2) mode[i] = -1;
    return solve::AmgGeometry{1, std::move(mode), {}};
  };
  Request request = lowest(2);
  request.max_iterations = 15;  // enough for Lanczos alone
  Monitor monitor;
  ::testing::internal::CaptureStderr();
  const Modes modes = find(cpu, cpu, system, request, Method::automatic, monitor);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("; trying Lanczos with a factorisation\n"));
  EXPECT_EQ(modes.method, "Lanczos");
  EXPECT_TRUE(modes.converged) << modes.trouble;
  EXPECT_TRUE(test::same_lambda(modes.lambda, test::chain_spectrum(n, 1, 2), 1e-6));
  // What was asked for by name is not replaced.
  const Modes named = find(cpu, cpu, system, request, Method::lobpcg, monitor);
  EXPECT_EQ(named.method, "LOBPCG with multigrid");
  EXPECT_FALSE(named.converged);
}

TEST(MassOperator, TakesNumbersForBlocksThatAreMultiplesOfTheIdentity) {
  const exec::Device cpu = exec::Device::cpu();
  for (const bool held : {false, true}) {
    const test::ElasticModes made = small_block(held);
    const sparse::BlockCsr<double>& mass = made.mass.system.matrix;
    const auto numbers = identity_multiples(mass);
    ASSERT_TRUE(numbers.has_value());
    EXPECT_EQ(numbers->value().size(), mass.blocks());
    const MassOperator by_numbers(mass);
    const solve::BlockCsrOperator by_blocks(mass);
    for (const std::int64_t columns : {1, 5, 16}) {
      const exec::Array<double> x(cpu, setka::test::random_values<double>(mass.scalar_rows() * columns, 5));
      exec::Array<double> y(cpu, x.size());
      exec::Array<double> expected(cpu, x.size());
      const auto block = [&](auto* data) {
        return exec::MultiView<std::remove_pointer_t<decltype(data)>>{data, mass.scalar_rows(), columns,
                                                                      columns};
      };
      by_numbers.apply(cpu, block(x.data()), block(y.data()));
      by_blocks.apply(cpu, block(x.data()), block(expected.data()));
      const double scale = std::ranges::max(expected.to_vector());
      EXPECT_TRUE(setka::test::all_near(y.to_vector(), expected.to_vector(), 1e-14 * scale)) << columns;
    }
  }
  EXPECT_FALSE(identity_multiples(small_block(true).stiffness.system.matrix).has_value());
  EXPECT_FALSE(identity_multiples(test::diagonal({1, 2, 3})).has_value());
}

TEST(MotionsOfParts, AreThoseOfEachPart) {
  const auto three = test::chains(4, 3, 1, true);
  solve::AmgGeometry geometry{1, std::vector<double>(12, 1.0), {}};
  const Motions motions = motions_of_parts(parts_of(three.k), geometry, 64);
  ASSERT_EQ(motions.count, 3);
  for (std::size_t row = 0; row < 12; ++row) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(motions.values[3 * row + j], row / 4 == j ? 1.0 : 0.0);
  }
  EXPECT_EQ(motions_of_parts(parts_of(three.k), geometry, 2).count, 1);  // too many
  EXPECT_EQ(motions_of_parts(parts_of(test::diagonal({1, 2, 3})), geometry, 64).count, 1);
}

TEST(Find, ChoosesByTheSize) {
  const exec::Device cpu = exec::Device::cpu();
  EXPECT_EQ(chosen_method(Method::automatic, 300, lowest(10), cpu), Method::dense);
  EXPECT_EQ(chosen_method(Method::automatic, 1000000, lowest(10), cpu), Method::lobpcg);
  EXPECT_EQ(chosen_method(Method::subspace, 300, lowest(10), cpu), Method::subspace);
  EXPECT_EQ(chosen_method({Method::automatic, "jacobi"}, 300, lowest(10), cpu), Method::lobpcg);
  if (!solve::Cholesky::available()) return;
  EXPECT_EQ(chosen_method(Method::automatic, 5000, lowest(10), cpu), Method::lanczos);
  EXPECT_EQ(chosen_method(Method::automatic, 50000, lowest(5000), cpu), Method::lanczos);
}

TEST(Find, KnowsItsMethodsByName) {
  EXPECT_EQ(method_of("lobpcg"), Method::lobpcg);
  const auto expect_error = [](std::string_view also, const char* remedy) {
    try {
      method_of("arnoldi", also);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      EXPECT_THAT(error.what(), HasSubstr(remedy));
    }
  };
  expect_error("", "give auto, dense, lanczos, lobpcg or subspace");
  expect_error("reduced", "give auto, dense, lanczos, lobpcg, subspace or reduced");
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
