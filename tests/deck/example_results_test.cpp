// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// The example decks solved, against beam theory, the stress concentration of a hole, fin theory, Euler's
// columns and the published roof.
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/deck/inp.hpp"

namespace setka::deck {
namespace {

struct Solved {
  Deck deck;
  model::Frame frame;
  analysis::StepSummary summary;
};

Solved solve(const ExampleRequest& request) {
  Monitor monitor(ProgressDisplay::silent());
  std::string text;
  write_example(request, [&](std::string_view part) { text += part; });
  Solved solved{read_inp_text(text, "example.inp", monitor), {}, {}};
  const analysis::Setup setup = analysis::prepare(solved.deck.model, monitor);
  auto summaries = analysis::run_steps(
      setup, analysis::Computing::on_cpu(1),
      [&](const model::Step&, const model::Frame& frame) { solved.frame = frame; }, monitor);
  EXPECT_EQ(summaries.size(), 1U);
  solved.summary = std::move(summaries.front());
  EXPECT_TRUE(solved.summary.solved.converged);
  return solved;
}

double value_at(const Solved& solved, const std::string& field, std::int32_t node, int component) {
  const model::NodeField* values = solved.frame.node_field(field);
  if (values == nullptr) throw Error(Fault::internal, "the frame has no " + field);
  const auto row = static_cast<std::size_t>(node) * static_cast<std::size_t>(values->components);
  return values->values[row + static_cast<std::size_t>(component)];
}

/// The first node of the set PROBE: the middle of the end of the block, the crown of the hole of the plate.
std::int32_t probe(const Solved& solved) {
  const auto set = static_cast<std::size_t>(solved.deck.model.find_node_set("PROBE"));
  return solved.deck.model.node_sets.at(set).nodes.front();
}

TEST(ExampleResults, BlockBendsAsABeam) {
  const double e = 2.1e11, g = e / 2.6, area = 0.08 * 0.12, inertia = 0.08 * 0.12 * 0.12 * 0.12 / 12;
  const double timoshenko = 1000 / (3 * e * inertia) + 1000 / (5.0 / 6 * g * area);
  // The fixed end also keeps the section from contracting, which the beam does not know.
  for (const char* element : {"C3D20R", "C3D20", "C3D10", "C3D15"}) {
    const Solved block = solve({"block", 4000, element});
    EXPECT_NEAR(value_at(block, "U", probe(block), 2), -timoshenko, 0.02 * timoshenko) << element;
  }
}

TEST(ExampleResults, HoleConcentratesStressAsHeywoodSays) {
  const double ratio = 0.2;  // diameter to width
  const double factor = (2 + std::pow(1 - ratio, 3)) / (1 - ratio);
  for (const auto& [element, size] :
       {std::pair{"CPS8R", 6000}, std::pair{"CPS6", 6000}, std::pair{"C3D20R", 12000}}) {
    const Solved plate = solve({"plate-with-hole", size, element});
    // Heywood's formula is within 1 % of Howland's series here; stresses at nodes are extrapolated.
    EXPECT_NEAR(value_at(plate, "S", probe(plate), 0), factor * 1e8, 0.03 * factor * 1e8) << element;
  }
}

TEST(ExampleResults, PumpSinksUnderItsWeight) {
  const Solved pump = solve({"pump", 10000, ""});
  const double sunk = value_at(pump, "U", probe(pump), 2);
  EXPECT_LT(sunk, -1e-5);
  EXPECT_GT(sunk, -5e-3);
  // The pump stands in the middle of a frame of even sides: it sinks straight down.
  EXPECT_NEAR(value_at(pump, "U", probe(pump), 1), 0, 1e-4 * std::abs(sunk));
}

/// Films that are weak against the conduction across: temperatures are nearly even there.
TEST(ExampleResults, FinCoolsAsTheTheoryOfFinsSays) {
  const double m = std::sqrt(50 * 0.06 / (200 * 0.02 * 0.01)), at_tip = 50 / (m * 200);
  const double tip = 20 + 80 / (std::cosh(m * 0.1) + at_tip * std::sinh(m * 0.1));
  for (const auto& [element, size] : {std::pair{"C3D20R", 1000}, std::pair{"C3D10", 1000},
                                      std::pair{"C3D15", 1000}, std::pair{"C3D8", 4000}}) {
    const Solved fin = solve({"fin", size, element});
    EXPECT_NEAR(value_at(fin, "NT", probe(fin), 0), tip, 2e-3 * (tip - 20)) << element;
  }
}

TEST(ExampleResults, ColumnBucklesAtEulersLoads) {
  const auto euler = [](double wide, double high) {
    return std::pow(std::numbers::pi / 2, 2) * 2.1e11 * wide * std::pow(high, 3) / 12 / 1e4;
  };
  for (const char* element : {"C3D20R", "C3D20", "C3D10"}) {
    const Solved column = solve({"column", 4000, element});
    ASSERT_TRUE(column.summary.buckling);
    const auto& modes = column.summary.buckling->modes;
    ASSERT_EQ(modes.size(), 2U);
    // Shear gives way by 0.1 %, the held end adds 0.5 %.
    EXPECT_NEAR(modes[0].factor, euler(0.04, 0.03), 0.01 * euler(0.04, 0.03)) << element;
    EXPECT_NEAR(modes[1].factor, euler(0.03, 0.04), 0.01 * euler(0.03, 0.04)) << element;
  }
}

TEST(ExampleResults, RoofSinksAsPublished) {
  const Solved roof = solve({"roof", 5000, "S8R"});
  EXPECT_NEAR(value_at(roof, "U", probe(roof), 2), -0.3024, 0.01 * 0.3024);
  EXPECT_LT(value_at(roof, "U", probe(roof), 1), 0);  // inwards
}

}  // namespace
}  // namespace setka::deck
