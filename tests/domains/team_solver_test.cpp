// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_solver.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "setka/base/error.hpp"
#include "setka/solve/matrix_system.hpp"
#include "support/on_team.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::domains {
namespace {

using ::testing::HasSubstr;

class TeamSolverOn : public setka::test::OnTeam {};
SETKA_ON_ALL_DEVICES(TeamSolverOn);

/// A bar on springs, with what multigrid wants to know of it.
struct Bar {
  fem::test::SmallModel model = test::bar(fem::Element::hex8, {16, 5, 5});
  sparse::BlockCsr<double> matrix = test::stiffness_on_springs(model, 0.1);
  std::vector<double> b = setka::test::random_values<double>(matrix.scalar_rows(), 8);

  solve::LinearSystem system() const {
    solve::LinearSystem made;
    made.unknown_count = static_cast<std::int32_t>(matrix.scalar_rows());
    made.matrix = &matrix;
    made.geometry = [this] { return solve::geometry_of(matrix, {3, model.coordinates}); };
    return made;
  }
};

TEST_P(TeamSolverOn, every_preconditioner_serves) {
  const Bar bar;
  Monitor monitor;
  solve::SolverChoice choice;
  choice.method = solve::Method::cg;
  const std::vector<double> expected = solve::solve(device(), bar.system(), bar.b, choice, monitor).x;
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  choice.preconditioner = "jacobi";
  const int of_jacobi = solve::solve(device(), bar.system(), bar.b, choice, monitor).report.iterations;
  for (const solve::PreconditionerKind& kind : solve::preconditioners()) {
    choice.preconditioner = kind.word;
    const int alone = solve::solve(device(), bar.system(), bar.b, choice, monitor).report.iterations;
    for (const int members : {2, 3, 4}) {
      SCOPED_TRACE(std::string(kind.word) + " " + std::to_string(members));
      const solve::SolveResult found = solve(team(members), bar.system(), bar.b, choice, monitor);
      EXPECT_TRUE(found.report.converged) << found.report.trouble;
      EXPECT_LE(found.report.residual, 1e-8);
      EXPECT_THAT(found.report.method, HasSubstr("devices"));
      EXPECT_TRUE(setka::test::all_near(found.x, expected, 1e-6 * size));
      if (kind.word == "jacobi" || kind.word == "block-jacobi") {
        EXPECT_LE(std::abs(found.report.iterations - alone), 2);
      } else {
        EXPECT_LT(found.report.iterations, of_jacobi);
      }
    }
  }
}

TEST_P(TeamSolverOn, members_may_be_of_both_kinds) {
  const Bar bar;
  Monitor monitor;
  solve::SolverChoice choice;
  choice.method = solve::Method::cg;
  for (const std::string preconditioner : {"jacobi", "amg"}) {
    choice.preconditioner = preconditioner;
    const solve::SolveResult alone = solve::solve(device(), bar.system(), bar.b, choice, monitor);
    double size = 0;
    for (const double value : alone.x) size = std::max(size, std::abs(value));
    for (const bool first : {true, false}) {
      const exec::Team mixed(first ? std::vector{twin(), exec::Device::cpu(1)}
                                   : std::vector{exec::Device::cpu(1), twin()});
      const solve::SolveResult found = solve(mixed, bar.system(), bar.b, choice, monitor);
      EXPECT_TRUE(found.report.converged) << found.report.trouble;
      EXPECT_TRUE(setka::test::all_near(found.x, alone.x, 1e-6 * size));
    }
  }
}

TEST_P(TeamSolverOn, nothing_to_solve_is_solved) {
  const Bar bar;
  Monitor monitor;
  const std::vector<double> zero(bar.b.size(), 0.0);
  const solve::SolveResult found = solve(team(2), bar.system(), zero, {}, monitor);
  EXPECT_TRUE(found.report.converged);
  EXPECT_EQ(found.x, zero);
}

TEST(TeamSolver, RefusesMethodsOfOneDevice) {
  const Bar bar;
  Monitor monitor;
  const exec::Team team({exec::Device::cpu(1), exec::Device::cpu(1)});
  for (const solve::Method method : {solve::Method::cholesky, solve::Method::minres, solve::Method::gmres}) {
    solve::SolverChoice choice;
    choice.method = method;
    EXPECT_THROW(solve(team, bar.system(), bar.b, choice, monitor), Error);
  }
}

}  // namespace
}  // namespace setka::domains
