// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// A plate a thousand times as wide as thick, which no multigrid of solids takes: what a run does with it.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/inp.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka {
namespace {

constexpr double youngs_modulus = 2.1e11, poissons_ratio = 0.3, pressure = 1;
constexpr double thin = 1e-3;

/// A unit square of S8R, `cells` by `cells` (an even number), simply supported, with its middle as node 1.
std::string plate(int cells, double thickness) {
  const int m = 2 * cells + 1;
  const auto number = [=](int i, int j) { return 2 * i == m - 1 && 2 * j == m - 1 ? 1 : 2 + i * m + j; };
  std::string text = "*NODE\n";
  std::string edge = "*NSET,NSET=EDGE\n";
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      if (i % 2 == 1 && j % 2 == 1) continue;
      text += fmt::format("{},{:.12g},{:.12g},0\n", number(i, j), static_cast<double>(i) / (m - 1),
                          static_cast<double>(j) / (m - 1));
      if (i == 0 || j == 0 || i == m - 1 || j == m - 1) edge += fmt::format("{}\n", number(i, j));
    }
  }
  text += "*ELEMENT,TYPE=S8R,ELSET=E\n";
  for (int i = 0; i < m - 1; i += 2) {
    for (int j = 0; j < m - 1; j += 2)
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", 1 + i * cells + j / 2, number(i, j),
                          number(i + 2, j), number(i + 2, j + 2), number(i, j + 2), number(i + 1, j),
                          number(i + 2, j + 1), number(i + 1, j + 2), number(i, j + 1));
  }
  return text + edge +
         fmt::format(
             "*MATERIAL,NAME=M\n*ELASTIC\n{},{}\n*SHELL SECTION,ELSET=E,MATERIAL=M\n{}\n"
             "*BOUNDARY\nEDGE,3\n{},1,2\n{},2\n*STEP\n*STATIC\n*DLOAD\nE,P,{}\n*NODE FILE\nU\n*END STEP\n",
             youngs_modulus, poissons_ratio, thickness, number(0, 0), number(m - 1, 0), pressure);
}

struct Solved {
  solve::SolveReport report;
  double deflection = 0;  // of the middle
};

Solved solve(int cells, double thickness, const analysis::Computing& computing) {
  Monitor monitor(ProgressDisplay::silent());
  const deck::Deck deck = deck::read_inp_text(plate(cells, thickness), "plate.inp", monitor);
  const analysis::Setup setup = analysis::prepare(deck.model, monitor);
  Solved solved;
  const auto summaries = analysis::run_steps(
      setup, computing,
      [&](const model::Step&, const model::Frame& frame) {
        solved.deflection =
            frame.node_field("U")->values.at(3 * static_cast<std::size_t>(deck.model.mesh.find_node(1)) + 2);
      },
      monitor);
  solved.report = summaries.front().solved;
  return solved;
}

/// 0.00406 q a^4 / D, of a thin plate.
double navier(double thickness) {
  const double stiffness =
      youngs_modulus * std::pow(thickness, 3) / (12 * (1 - poissons_ratio * poissons_ratio));
  return 0.00406235 * pressure / stiffness;
}

TEST(ThinPlate, IsFactorisedByPlan) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  const Solved solved = solve(34, thin, analysis::Computing::on_cpu(1));
  EXPECT_TRUE(solved.report.converged);
  EXPECT_TRUE(solved.report.factorised);
  EXPECT_EQ(solved.report.method, "Cholesky");  // without iterations before it
  EXPECT_GT(solved.report.unknowns, 20000);     // where solids alone are iterated
  EXPECT_NEAR(solved.deflection, navier(thin), 2e-3 * navier(thin));
}

/// Ten times as thick: single precision has digits enough, and conjugate gradients take out what it rounds.
TEST(ThinPlate, IsFactorisedInSinglePrecisionWhereThatIsSafe) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  constexpr double thick = 10 * thin;
  const Solved solved = solve(34, thick, analysis::Computing::on_cpu(2));
  EXPECT_TRUE(solved.report.converged);
  EXPECT_TRUE(solved.report.factorised);
  EXPECT_EQ(solved.report.method, "CG with Cholesky in single precision");
  EXPECT_LE(solved.report.iterations, 8);
  EXPECT_NEAR(solved.deflection, navier(thick), 1e-2 * navier(thick));  // it shears, too
  // The order of the unknowns is found beside the assembly there, and after it by one thread.
  const Solved alone = solve(34, thick, analysis::Computing::on_cpu(1));
  EXPECT_NEAR(solved.deflection, alone.deflection, 1e-9 * alone.deflection);
}

/// Forces across so thin a plate are the small rest of large ones, and what is left of the residual is their
/// rounding; by the energy of the error the displacements are right.
TEST(ThinPlate, ThinnerThanResidualsTell) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  constexpr double foil = 0.3 * thin;
  const Solved solved = solve(34, foil, analysis::Computing::on_cpu(2));
  EXPECT_TRUE(solved.report.converged) << solved.report.trouble;
  EXPECT_TRUE(solved.report.factorised);
  EXPECT_GT(solved.report.residual, 1e-6);
  EXPECT_NEAR(solved.deflection, navier(foil), 5e-3 * navier(foil));
}

/// Thinner still, rounding of K itself makes displacements wrong by up to a fifth: refused, not told.
TEST(ThinPlate, TooThinForDoublePrecisionIsRefused) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  EXPECT_THROW(solve(34, 0.1 * thin, analysis::Computing::on_cpu(2)), Error);
}

/// Who insists on iterations is told soon that they do not get there.
TEST(ThinPlate, IterationsThatAreAskedForEnd) {
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  computing.solver.method = solve::Method::cg;
  computing.solver.preconditioner = "amg";
  const Solved solved = solve(20, thin, computing);
  EXPECT_FALSE(solved.report.converged);
  EXPECT_EQ(solved.report.trouble, "the residual no longer falls");
  EXPECT_LT(solved.report.iterations, 200);
}

}  // namespace
}  // namespace setka
