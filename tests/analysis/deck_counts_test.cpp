// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/deck_counts.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "setka/analysis/job.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/deck/inp.hpp"
#include "setka/fem/touched_blocks.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::analysis {
namespace {

std::string example(const char* name, const char* element, std::int64_t size, std::int64_t modes = 0) {
  std::string text;
  deck::write_example({name, size, element, modes}, [&](std::string_view more) { text += more; });
  return text;
}

struct Counted {
  plan::DeckCounts counts;
  std::vector<StepSummary> steps;  // of a run
};

Counted count_and_run(const std::string& text, const char* solver = "cg") {
  Monitor monitor;
  const deck::Deck deck = deck::read_inp_text(text, "deck.inp", monitor);
  const Setup setup = prepare(deck.model, monitor);
  Computing computing = Computing::on_cpu(2);
  computing.solver.method = solve::method_of(solver);
  Counted made{count_deck(setup, computing), {}};
  made.steps = run_steps(
      setup, computing, [](const model::Step&, const model::Frame&) {}, monitor);
  return made;
}

/// Two hexahedra of which an equation ties a corner of one to two of the other.
const char* const tied = R"(*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
11, 1, 0, 0
12, 2, 0, 0
13, 2, 1, 0
14, 1, 1, 0
15, 1, 0, 1
16, 2, 0, 1
17, 2, 1, 1
18, 1, 1, 1
*ELEMENT, TYPE=C3D8, ELSET=E
1, 1, 2, 3, 4, 5, 6, 7, 8
2, 11, 12, 13, 14, 15, 16, 17, 18
*MATERIAL, NAME=M
*ELASTIC
2.1e5, 0.3
*SOLID SECTION, ELSET=E, MATERIAL=M
*EQUATION
2
11, 1, 1, 2, 1, -1
2
11, 2, 1, 2, 2, -1
2
11, 3, 1, 2, 3, -1
3
14, 1, 1, 3, 1, -0.5, 2, 1, -0.5
2
14, 2, 1, 3, 2, -1
2
14, 3, 1, 3, 3, -1
2
15, 1, 1, 6, 1, -1
2
15, 2, 1, 6, 2, -1
2
15, 3, 1, 6, 3, -1
*BOUNDARY
1, 1, 3
4, 1, 3
5, 1, 3
8, 1, 3
*STEP
*STATIC
*CLOAD
12, 1, 100
*NODE FILE
U
*END STEP
)";

TEST(DeckCounts, AreThoseOfTheMatrixThatIsBuilt) {
  for (const char* const element : {"C3D8", "C3D8I", "C3D4", "C3D10", "C3D15", "C3D20R"}) {
    const Counted made = count_and_run(example("block", element, 900));
    ASSERT_EQ(made.counts.steps.size(), 1U) << element;
    EXPECT_EQ(made.counts.steps[0].unknowns, made.steps[0].solved.unknowns) << element;
    EXPECT_EQ(made.counts.steps[0].entries, static_cast<double>(made.steps[0].solved.matrix_entries))
        << element;
    EXPECT_TRUE(made.counts.picks) << element;
  }
}

TEST(DeckCounts, OfShellsAndOfEquationsToo) {
  for (const std::string& text :
       {example("roof", "S8R", 700), example("roof", "S4", 500), std::string(tied)}) {
    const Counted made = count_and_run(text);
    EXPECT_EQ(made.counts.steps[0].unknowns, made.steps[0].solved.unknowns);
    EXPECT_EQ(made.counts.steps[0].entries, static_cast<double>(made.steps[0].solved.matrix_entries));
    EXPECT_FALSE(made.counts.picks);
  }
}

TEST(DeckCounts, KindsOfElementsSayWhatTheyStandFor) {
  const Counted roof = count_and_run(example("roof", "S8R", 700));
  ASSERT_EQ(roof.counts.kinds.size(), 1U);
  EXPECT_EQ(roof.counts.kinds[0].kind, "hex20_reduced of shells");
  EXPECT_EQ(roof.counts.kinds[0].values, roof.counts.kinds[0].elements * 60 * 60);
  EXPECT_EQ(roof.counts.kinds[0].elements, roof.counts.elements);
}

TEST(DeckCounts, FactorsAreAnalysedByTheGraphOfNodes) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "no CHOLMOD in this build";
  for (const char* const element : {"C3D8", "C3D10", "C3D20R"}) {
    Monitor monitor;
    const deck::Deck deck = deck::read_inp_text(example("block", element, 3000), "deck.inp", monitor);
    const analysis::Setup setup = prepare(deck.model, monitor);
    const plan::DeckCounts counts = count_deck(setup, Computing::on_cpu(2));
    ASSERT_TRUE(counts.steps[0].factor_is_exact);
    // The factor itself, of a matrix with this pattern.
    const fem::Region region = setup.solids.region();
    std::vector<std::int32_t> held;
    for (std::int32_t n = 0; n < region.node_count(); ++n) {
      if (region.coordinates[3 * static_cast<std::size_t>(n)] == 0)
        for (std::int32_t i = 0; i < 3; ++i) held.push_back(3 * n + i);
    }
    const fem::Space space(region, 3, fem::Constraints::fixed(3 * region.node_count(), held));
    ASSERT_EQ(space.unknown_count(), counts.steps[0].unknowns);
    const fem::PatternSize size = fem::size_of_pattern(space, exec::Device::cpu(1), true);
    sparse::SymmetricCsr matrix;
    matrix.rows = space.unknown_count();
    matrix.offset.assign(1, 0);
    for (std::int32_t b = 0; b < size.rows; ++b) {
      for (std::int32_t i = 0; i < 3; ++i) {
        for (std::int64_t k = size.offset[static_cast<std::size_t>(b)];
             k < size.offset[static_cast<std::size_t>(b) + 1]; ++k) {
          const std::int32_t other = size.later[static_cast<std::size_t>(k)];
          for (std::int32_t j = other == b ? i : 0; j < 3; ++j) {
            matrix.column.push_back(3 * other + j);
            matrix.value.push_back(other == b && i == j ? 1000.0 : -0.01);
          }
        }
        matrix.offset.push_back(static_cast<std::int64_t>(matrix.column.size()));
      }
    }
    solve::Cholesky factor;
    ASSERT_EQ(factor.factorise(matrix), -1);
    // As it is stored: supernodes with the upper triangles of their first blocks.
    const auto stored = static_cast<double>(factor.factor_entries());
    EXPECT_GT(counts.steps[0].factor_entries, 0.6 * stored) << element;
    EXPECT_LT(counts.steps[0].factor_entries, 1.15 * stored) << element;
  }
}

TEST(DeckCounts, StepsOfModesKnowTheirColumns) {
  const Counted made = count_and_run(example("block", "C3D8", 900, 5), "auto");
  EXPECT_EQ(made.counts.steps[0].kind, plan::StepKind::modes);
  EXPECT_EQ(made.counts.steps[0].modes, 5);
  EXPECT_GE(made.counts.steps[0].columns, 8);
  EXPECT_FALSE(made.counts.steps[0].stresses);
}

}  // namespace
}  // namespace setka::analysis
