// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_matrix.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "setka/base/error.hpp"
#include "setka/domains/matrix_parts.hpp"
#include "setka/domains/partition.hpp"
#include "setka/exec/team.hpp"
#include "setka/solve/block_cg.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/minres.hpp"
#include "support/on_team.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::domains {
namespace {

class TeamMatrixOn : public setka::test::OnTeam {};
SETKA_ON_ALL_DEVICES(TeamMatrixOn);

sparse::BlockCsr<double> stiffness(std::array<int, 3> cells) {
  return test::stiffness_on_springs(test::bar(fem::Element::hex8, cells), 5);
}

struct Solved {
  std::vector<double> x;
  solve::Outcome outcome;
};

Solved solved_by(const exec::Team& team, const MatrixParts& parts, const std::vector<double>& b) {
  Solved made{std::vector<double>(b.size()), {}};
  team.run([&](const exec::Member& member) {
    const TeamMatrix a(member, parts);
    const solve::BlockJacobi jacobi(member.device(), 1, solve::inverse_diagonal(a.matrix().own()));
    const exec::Array<double> load(member.device(), parts.values_of(member.number(), b));
    exec::Array<double> x(member.device(), std::vector<double>(static_cast<std::size_t>(load.size()), 0.0));
    Monitor monitor;
    const solve::Outcome outcome = solve::Cg().solve(member.device(), a, jacobi, load, x, monitor);
    parts.put(member.number(), x.to_vector(), made.x);
    if (member.number() == 0) made.outcome = outcome;
  });
  return made;
}

TEST_P(TeamMatrixOn, products_are_those_of_the_whole) {
  const sparse::BlockCsr<double> k = stiffness({9, 4, 3});
  const Graph graph = matrix_graph(k, {}, 1);
  const std::vector<double> u = setka::test::random_values<double>(k.scalar_rows(), 2);
  exec::Array<double> expected(k.device(), k.scalar_rows());
  sparse::multiply<double>(k.device(), k, exec::Array<double>(k.device(), u), expected);
  for (const int members : {1, 2, 3, 4, 9}) {
    SCOPED_TRACE(members);
    const MatrixParts parts(k, partition(graph, members));
    std::vector<double> found(u.size());
    std::vector<double> third(u.size());
    team(members).run([&](const exec::Member& member) {
      const TeamMatrix a(member, parts);
      const std::vector<double> own = parts.values_of(member.number(), u);
      const exec::Array<double> x(member.device(), own);
      exec::Array<double> y(member.device(), a.rows());
      a.apply(member.device(), x, y);
      parts.put(member.number(), y.to_vector(), found);
      std::vector<double> columns;
      for (const double value : own) columns.insert(columns.end(), {0, -value, value});
      const exec::MultiVector<double> many(member.device(), a.rows(), 3, columns);
      exec::MultiVector<double> of_many(member.device(), a.rows(), 3);
      a.apply(member.device(), many.view(), of_many.view());
      const std::vector<double> values = of_many.values().to_vector();
      std::vector<double> last;
      for (std::size_t i = 2; i < values.size(); i += 3) last.push_back(values[i]);
      parts.put(member.number(), last, third);
    });
    EXPECT_TRUE(setka::test::all_near(found, expected.to_vector(), 1e-12 * 1e4));
    EXPECT_TRUE(setka::test::all_near(third, expected.to_vector(), 1e-12 * 1e4));
  }
}

TEST_P(TeamMatrixOn, conjugate_gradients_take_as_many_iterations_as_one_device) {
  const sparse::BlockCsr<double> k = stiffness({12, 4, 4});
  const Graph graph = matrix_graph(k, {}, 1);
  const std::vector<double> b = setka::test::random_values<double>(k.scalar_rows(), 5);
  const Solved alone = solved_by(team(1), MatrixParts(k, partition(graph, 1)), b);
  ASSERT_TRUE(alone.outcome.converged());
  ASSERT_GT(alone.outcome.iterations, 20);
  double size = 0;
  for (const double value : alone.x) size = std::max(size, std::abs(value));
  for (const int members : {2, 3, 4}) {
    SCOPED_TRACE(members);
    const MatrixParts parts(k, partition(graph, members));
    const Solved together = solved_by(team(members), parts, b);
    EXPECT_TRUE(together.outcome.converged());
    EXPECT_LE(std::abs(together.outcome.iterations - alone.outcome.iterations), 2);
    EXPECT_LE(together.outcome.residual, 1e-8);
    EXPECT_TRUE(setka::test::all_near(together.x, alone.x, 1e-6 * size));
    const Solved again = solved_by(team(members), parts, b);
    EXPECT_EQ(again.x, together.x) << "the same bits at every run";
  }
}

TEST_P(TeamMatrixOn, a_member_may_have_no_rows) {
  const sparse::BlockCsr<double> k = stiffness({2, 1, 1});
  Partition two{3, std::vector<std::int32_t>(static_cast<std::size_t>(k.rows()), 0), ""};
  for (std::size_t i = 6; i < two.of.size(); ++i) two.of[i] = 2;
  const std::vector<double> b = setka::test::random_values<double>(k.scalar_rows(), 5);
  const Solved found = solved_by(team(3), MatrixParts(k, two), b);
  EXPECT_TRUE(found.outcome.converged());
}

TEST(TeamMatrix, MethodsOfOneDeviceRefuseATeam) {
  const sparse::BlockCsr<double> k = stiffness({2, 1, 1});
  const MatrixParts parts(k, partition(matrix_graph(k, {}, 1), 2));
  const exec::Team team({exec::Device::cpu(1), exec::Device::cpu(1)});
  EXPECT_THROW(team.run([&](const exec::Member& member) {
    const TeamMatrix a(member, parts);
    exec::Array<double> b(member.device(), a.rows());
    exec::Array<double> x(member.device(), a.rows());
    Monitor monitor;
    solve::Minres().solve(member.device(), a, a, b, x, monitor);
  }),
               Error);
}

// Devices are driven by one thread each, and that of the matrix is nobody's then.
TEST_P(TeamMatrixOn, blocks_of_columns_are_solved_over_the_team) {
  const sparse::BlockCsr<double> k = stiffness({9, 4, 3});
  const Graph graph = matrix_graph(k, {}, 1);
  constexpr std::int64_t columns = 5;
  const std::vector<double> b = setka::test::random_values<double>(columns * k.scalar_rows(), 4);
  const auto solved_in = [&](int members, int& iterations) {
    const MatrixParts parts(k, partition(graph, members));
    std::vector<double> all(b.size());
    team(members).run([&](const exec::Member& member) {
      const TeamMatrix a(member, parts);
      const solve::BlockJacobi jacobi(member.device(), 1, solve::inverse_diagonal(a.matrix().own()));
      const exec::MultiVector<double> right(member.device(), a.rows(), columns,
                                            parts.values_of(member.number(), b, 3 * columns));
      exec::MultiVector<double> x(member.device(), a.rows(), columns,
                                  std::vector<double>(static_cast<std::size_t>(columns * a.rows()), 0.0));
      Monitor monitor;
      solve::SolverOptions options;
      options.tolerance = 1e-10;
      const solve::BlockOutcome outcome =
          solve::BlockCg(options).solve(member.device(), a, jacobi, right.view(), x.view(), monitor);
      EXPECT_TRUE(outcome.converged());
      parts.put(member.number(), x.values().to_vector(), all, 3 * columns);
      if (member.number() == 0) iterations = outcome.iterations;
    });
    return all;
  };
  int alone = 0;
  const std::vector<double> expected = solved_in(1, alone);
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  for (const int members : {2, 3, 5}) {
    int iterations = 0;
    EXPECT_TRUE(setka::test::all_near(solved_in(members, iterations), expected, 1e-7 * size)) << members;
    EXPECT_NEAR(iterations, alone, 1);
  }
}

TEST(MatrixParts, AreTakenBySeveralThreadsAtOnce) {
  const sparse::BlockCsr<double> a =
      test::stiffness_on_springs(test::bar(fem::Element::hex8, {6, 2, 2}), 0.1);
  const MatrixParts parts(a, partition(matrix_graph(a, {}, 1), 4));
  for (int round = 0; round < 20; ++round) {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int p = 0; p < 4; ++p) {
      threads.emplace_back([&parts, p] {
        const auto rows = static_cast<std::int32_t>(parts.part(p).rows.size());
        for (int i = 0; i < 5; ++i) EXPECT_EQ(parts.own(p).to(exec::Device::cpu(1)).rows(), rows);
      });
    }
  }
}

}  // namespace
}  // namespace setka::domains
