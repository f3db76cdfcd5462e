// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Modes against beam theory, and what every set of modes has in common.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "setka/analysis/job.hpp"
#include "setka/deck/inp.hpp"
#include "setka/modes/find.hpp"
#include "setka/solve/cholesky.hpp"

namespace {

using namespace setka;

constexpr double length = 20;
constexpr double width = 1.5;
constexpr double height = 1;

/// Nodes and elements of a bar along x, numbered after those of a first number; y: where it begins.
std::string bar_mesh(int elements, int before = 0, double y = 0) {
  std::string text = "*NODE\n";
  for (int i = 0; i <= elements; ++i) {
    for (int corner = 0; corner < 4; ++corner) {
      const bool right = corner == 1 || corner == 2;
      const bool top = corner > 1;
      text += fmt::format("{},{},{},{}\n", before + 4 * i + corner + 1, length * i / elements,
                          y + (right ? width : 0.0), top ? height : 0.0);
    }
  }
  text += "*ELEMENT,TYPE=C3D8I,ELSET=E\n";
  for (int i = 0; i < elements; ++i) {
    const int n = before + 4 * i;
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", before + i + 1, n + 1, n + 2, n + 3, n + 4, n + 5,
                        n + 6, n + 7, n + 8);
  }
  return text;
}

/// A bar along x of so many C3D8I, all constants one, no lateral contraction. ROOT and TIP are its ends.
std::string bar(int elements, const std::string& density = "*DENSITY\n1\n") {
  std::string text = bar_mesh(elements);
  const int last = 4 * elements;
  text += fmt::format("*NSET,NSET=ROOT\n1,2,3,4\n*NSET,NSET=TIP\n{},{},{},{}\n", last + 1, last + 2, last + 3,
                      last + 4);
  return text + "*MATERIAL,NAME=M\n*ELASTIC\n1,0\n" + density + "*SOLID SECTION,ELSET=E,MATERIAL=M\n";
}

const std::string held = "*BOUNDARY\nROOT,1,3\n";

std::string frequency_step(const std::string& data, const std::string& parameters = "") {
  return "*STEP" + parameters + "\n*FREQUENCY\n" + data + "\n*NODE FILE\nU,RF\n*EL FILE\nS\n*END STEP\n";
}

struct ModesOfDeck {
  std::vector<model::ModeTable> tables;
  std::vector<model::Frame> frames;
};

ModesOfDeck modes_of(const std::string& text, modes::Method method = modes::Method::automatic) {
  Monitor monitor(ProgressDisplay::silent());
  const deck::Deck deck = deck::read_inp_text(text, "deck.inp", monitor);
  deck::refuse_unsupported(deck);
  const analysis::Setup setup = analysis::prepare(deck.model, monitor);
  ModesOfDeck found;
  analysis::Computing computing = analysis::Computing::on_cpu(1);
  computing.modes = method;
  analysis::run_steps(
      setup, computing, [&](const model::Step&, const model::Frame& frame) { found.frames.push_back(frame); },
      monitor, [&](const model::ModeTable& table) { found.tables.push_back(table); });
  return found;
}

/// Of a cantilever by Euler and Bernoulli, all constants one; in cycles per time. The effects of shear and of
/// rotary inertia take 0.1 % off in a bar as slender as this.
double euler_frequency(double thickness) {
  const double root = 1.8751040687;
  return root * root / (length * length) * thickness / std::sqrt(12.0) / (2 * std::numbers::pi);
}

TEST(Frequency, ShapesAreAtTheirNodesHoweverTheseAreNumbered) {
  if (!solve::Cholesky::available()) GTEST_SKIP() << "the reference is by Lanczos, which factorises";
  // Held nodes are held in all directions, so that there are as many unknowns as rows, and the mesh jumps
  // from node to node, so that rows lie in an order of their own.
  constexpr int elements = 249;
  constexpr int nodes = 4 * (elements + 1);
  std::string text = "*NODE\n";
  for (int k = 0; k < nodes + 9; ++k) {
    const int n = k * 617 % (nodes + 9);  // 1009 is prime: every node once
    if (n >= nodes) continue;
    const bool right = n % 4 == 1 || n % 4 == 2;
    text += fmt::format("{},{},{},{}\n", n + 1, length * static_cast<double>(n / 4) / elements,
                        right ? width : 0.0, n % 4 > 1 ? height : 0.0);
  }
  text += "*ELEMENT,TYPE=C3D8I,ELSET=E\n";
  for (int e = 0; e < elements; ++e) {
    text += std::to_string(e + 1);
    for (int k = 1; k <= 8; ++k) text += fmt::format(",{}", 4 * e + k);
    text += "\n";
  }
  text += "*NSET,NSET=ROOT\n1,2,3,4\n";
  text += "*MATERIAL,NAME=M\n*ELASTIC\n1,0\n*DENSITY\n1\n*SOLID SECTION,ELSET=E,MATERIAL=M\n" + held;
  text += frequency_step("3");
  const ModesOfDeck expected = modes_of(text, modes::Method::lanczos);
  for (const modes::Method method : {modes::Method::lobpcg, modes::Method::subspace}) {
    const ModesOfDeck found = modes_of(text, method);
    ASSERT_EQ(found.frames.size(), expected.frames.size());
    for (std::size_t j = 0; j < found.frames.size(); ++j) {
      const std::vector<double>& u = found.frames[j].node_field("U")->values;
      const std::vector<double>& exact = expected.frames[j].node_field("U")->values;
      double size = 0;
      double apart = 0;
      for (std::size_t i = 0; i < u.size(); ++i) {
        size = std::max(size, std::abs(exact[i]));
        apart = std::max(apart, std::min(std::abs(u[i] - exact[i]), std::abs(u[i] + exact[i])));
      }
      EXPECT_LT(apart, 1e-3 * size) << "mode " << j + 1;
      const auto& factors = found.tables[0].modes[j].participation;
      for (std::size_t k = 0; k < factors.size(); ++k)
        EXPECT_NEAR(std::abs(factors[k]), std::abs(expected.tables[0].modes[j].participation[k]),
                    1e-3 * length);
    }
  }
}

TEST(Frequency, CantileverIsThatOfBeamTheory) {
  for (const int elements : {40, 80}) {  // solved densely, by iteration
    const ModesOfDeck found = modes_of(bar(elements) + held + frequency_step("2"));
    const auto& modes = found.tables.at(0).modes;
    ASSERT_EQ(modes.size(), 2u);
    EXPECT_NEAR(modes[0].frequency(), euler_frequency(height), 0.005 * euler_frequency(height)) << elements;
    EXPECT_NEAR(modes[1].frequency(), euler_frequency(width), 0.005 * euler_frequency(width)) << elements;
    // The first bending mode of a cantilever moves 61.3 % of its mass across.
    EXPECT_NEAR(std::pow(modes[0].participation[2], 2), 0.613 * length * width * height, 0.15) << elements;
    for (const model::Mode& mode : modes) EXPECT_LT(mode.residual, 1e-8) << elements;
  }
}

TEST(Frequency, ShapesHaveUnitMassAndTheirLargestEntryIsPositive) {
  const ModesOfDeck found = modes_of(bar(10) + held + frequency_step("4"));
  ASSERT_EQ(found.frames.size(), 4u);
  for (const model::Frame& frame : found.frames) {
    const std::vector<double>& u = frame.node_field("U")->values;
    const std::vector<double>& f = frame.node_field("RF")->values;
    double largest = 0;
    double energy = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (std::abs(u[i]) > std::abs(largest)) largest = u[i];
      energy += u[i] * f[i];  // u' K u, which is the eigenvalue where u' M u is one
    }
    EXPECT_GT(largest, 0);
    EXPECT_NEAR(energy, frame.mode->eigenvalue, 1e-8 * frame.mode->eigenvalue);
  }
}

TEST(Frequency, FreeBodyHasSixRigidModesAndAllItsMassInThem) {
  const ModesOfDeck found = modes_of(bar(10) + frequency_step("8"));
  const model::ModeTable& table = found.tables.at(0);
  const double first_elastic = table.modes[6].eigenvalue;
  std::array<double, 6> mass{};
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_LT(std::abs(table.modes[j].eigenvalue), 1e-6 * first_elastic) << j;
    for (std::size_t i = 0; i < 6; ++i) mass[i] += std::pow(table.modes[j].participation[i], 2);
  }
  EXPECT_GT(first_elastic, 0);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(mass[i], table.total_mass[i], 1e-6 * table.total_mass[i]) << i;
  EXPECT_NEAR(table.total_mass[0], length * width * height, 1e-9);
}

TEST(Frequency, OnlyModesInTheRangeAreWrittenUnderTheirNumbers) {
  const double between = (euler_frequency(height) + euler_frequency(width)) / 2;
  const ModesOfDeck found = modes_of(bar(40) + held + frequency_step(fmt::format("3,{},{}", between, 0.02)));
  ASSERT_EQ(found.tables.at(0).modes.size(), 3u);
  ASSERT_FALSE(found.frames.empty());
  EXPECT_EQ(found.frames[0].mode->number, 2);
  EXPECT_FALSE(found.tables[0].modes[0].in_range);
}

TEST(Frequency, AllModesUpToAFrequency) {
  const ModesOfDeck some = modes_of(bar(40) + held + frequency_step("9"));
  const auto frequency = [&](std::size_t j) { return some.tables.at(0).modes.at(j).frequency(); };
  const double upper = (frequency(6) + frequency(7)) / 2;
  const double lower = (frequency(1) + frequency(2)) / 2;
  for (const modes::Method method : {modes::Method::automatic, modes::Method::lobpcg}) {
    const ModesOfDeck found =
        modes_of(bar(40) + held + frequency_step(fmt::format("0,{},{}", lower, upper)), method);
    ASSERT_EQ(found.tables.at(0).modes.size(), 7u);
    for (std::size_t j = 0; j < 7; ++j)
      EXPECT_NEAR(found.tables[0].modes[j].frequency(), frequency(j), 1e-8 * frequency(j));
    ASSERT_EQ(found.frames.size(), 5u);  // those above the lower frequency
    EXPECT_EQ(found.frames[0].mode->number, 3);
  }
  const ModesOfDeck none = modes_of(bar(40) + held + frequency_step(fmt::format(",,{}", frequency(0) / 2)));
  EXPECT_TRUE(none.tables.at(0).modes.empty());
  EXPECT_TRUE(none.tables[0].converged);
}

TEST(Frequency, MethodsAgree) {
  // Held, free, and pressed beyond buckling.
  const std::string pressed = "*STEP\n*STATIC\n*CLOAD\nTIP,1,-2e-4\n*END STEP\n";
  for (const std::string& deck : {bar(20) + held + frequency_step("6"), bar(20) + frequency_step("9"),
                                  bar(20) + held + pressed + frequency_step("4", ",PERTURBATION")}) {
    const ModesOfDeck dense = modes_of(deck, modes::Method::dense);
    const std::size_t count = dense.tables.at(0).modes.size();
    const double scale = dense.tables[0].modes.back().eigenvalue;
    for (const modes::Method method :
         {modes::Method::lanczos, modes::Method::lobpcg, modes::Method::subspace}) {
      if (method == modes::Method::lanczos && !solve::Cholesky::available()) continue;
      const ModesOfDeck found = modes_of(deck, method);
      ASSERT_EQ(found.tables.at(0).modes.size(), count);
      EXPECT_TRUE(found.tables[0].converged) << found.tables[0].trouble;
      for (std::size_t j = 0; j < count; ++j) {
        EXPECT_NEAR(found.tables[0].modes[j].eigenvalue, dense.tables[0].modes[j].eigenvalue, 1e-8 * scale)
            << found.tables[0].method << ", mode " << j + 1;
      }
    }
  }
}

TEST(Frequency, TensionRaisesAndLoadsWithoutPerturbationDoNothing) {
  const std::string pulled = "*STEP\n*STATIC\n*CLOAD\nTIP,1,1e-4\n*END STEP\n";
  const auto first = [](const ModesOfDeck& found) { return found.tables.at(0).modes.at(0).frequency(); };
  const double at_rest = first(modes_of(bar(20) + held + frequency_step("1")));
  EXPECT_DOUBLE_EQ(first(modes_of(bar(20) + held + pulled + frequency_step("1"))), at_rest);
  EXPECT_GT(first(modes_of(bar(20) + held + pulled + frequency_step("1", ",PERTURBATION"))), 1.05 * at_rest);
  // Stresses of a mode are those of its shape alone; the frame's time counts the step.
  const ModesOfDeck found = modes_of(bar(20) + held + pulled + frequency_step("1", ",PERTURBATION"));
  EXPECT_EQ(found.frames.back().time, 2);
}

/// The same bar of C3D8, whose masses and preload are those of CalculiX to all digits; light, since the shift
/// of CalculiX makes it miss eigenvalues far below one.
std::string light_bar() {
  std::string text = bar(10, "*DENSITY\n1e-8\n") + held;
  text.replace(text.find("C3D8I"), 5, "C3D8");
  return text;
}

/// An element with two loaded faces.
const std::string tetrahedron =
    "*NODE,NSET=ALL\n1,0,0,0\n2,1,0.1,0\n3,0.2,1,0.1\n4,0.3,0.2,1\n"
    "5,0.506667,0.0633333,0.02\n6,0.593333,0.536667,0.03\n7,0.106667,0.513333,0.07\n"
    "8,0.143333,0.0866667,0.48\n9,0.656667,0.163333,0.52\n10,0.243333,0.586667,0.53\n"
    "*ELEMENT,TYPE=C3D10,ELSET=E\n1,1,2,3,4,5,6,7,8,9,\n10\n*MATERIAL,NAME=M\n*ELASTIC\n"
    "1000.,.3\n*DENSITY\n1.\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\n1,1,3\n2,1,3\n"
    "3,1,3\n5,1,3\n6,1,3\n7,1,3\n";
const std::string plane =
    "*NODE,NSET=ALL\n1,0,0\n2,1,.1\n3,1.1,1\n4,0,.9\n5,.5,.05\n6,1.05,.55\n7,.55,.95\n"
    "8,0,.45\n*ELEMENT,TYPE=CPE8R,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n"
    "1000.,.3\n*DENSITY\n1.\n*SOLID SECTION,ELSET=E,MATERIAL=M\n0.5\n*BOUNDARY\n1,1,2\n"
    "2,1,2\n5,1,2\n";

void expect_eigenvalues(const std::string& deck, const std::vector<double>& of_calculix) {
  const ModesOfDeck found = modes_of(deck);
  ASSERT_EQ(found.tables.size(), 1u);
  ASSERT_EQ(found.tables[0].modes.size(), of_calculix.size());
  for (std::size_t j = 0; j < of_calculix.size(); ++j)
    EXPECT_NEAR(found.tables[0].modes[j].eigenvalue, of_calculix[j], 6e-7 * of_calculix[j]) << j;
}

// The numbers are those that CalculiX 2.20 prints for these decks.
TEST(Frequency, PressuresFollowTheirFaces) {
  const std::string light = light_bar();
  const std::string pressed = "*STEP\n*STATIC\n*DLOAD\nE,P5,1e-5\n10,P2,1e-4\n*END STEP\n";
  expect_eigenvalues(light + pressed + frequency_step("4", ",PERTURBATION"),
                     {1945.208, 2730.174, 75738.32, 104671.5});
  expect_eigenvalues(light + pressed + frequency_step("4"), {1923.245, 2714.818, 75974.65, 105022.7});
  expect_eigenvalues(tetrahedron + "*STEP\n*STATIC\n*DLOAD\nE,P2,60\nE,P3,30\n*END STEP\n" +
                         frequency_step("2", ",PERTURBATION"),
                     {1930.878, 2513.676});
  expect_eigenvalues(
      plane + "*STEP\n*STATIC\n*DLOAD\nE,P2,60\nE,P3,-30\n*END STEP\n" + frequency_step("2", ",PERTURBATION"),
      {635.4349, 3828.436});
}

TEST(Frequency, PressuresAreThoseOfTheStepOfModesAsOfTheEndOfTheStaticOne) {
  const std::string light = light_bar();
  const auto lowest = [&](const std::string& statics, const std::string& in_step) {
    const ModesOfDeck found =
        modes_of(light + "*AMPLITUDE,NAME=A\n0,0,1,0.5,10,5\n*STEP\n*STATIC\n" + statics +
                 "*END STEP\n*STEP,PERTURBATION\n*FREQUENCY\n1\n" + in_step + "*END STEP\n");
    return found.tables.at(0).modes.at(0).eigenvalue;
  };
  const double plain = lowest("*DLOAD\n10,P2,1e-4\n", "");
  EXPECT_DOUBLE_EQ(lowest("1,2\n*DLOAD,AMPLITUDE=A\n10,P2,1e-4\n", ""), plain);
  const double without = lowest("*DLOAD\n10,P2,1e-4\n", "*DLOAD,OP=NEW\n");
  EXPECT_GT(std::abs(without - plain), 1e-3 * plain);
  EXPECT_NEAR(lowest("*DLOAD\n10,P2,1e-4\n", "*DLOAD\n10,P2,0\n"), without, 1e-9 * plain);
}

TEST(Frequency, SpringsTurnWithTheirPreload) {
  const std::string model = light_bar() +
                            "*NODE\n1000,20.,4.,-3.\n*ELEMENT,TYPE=SPRINGA,ELSET=S\n1000,43,1000\n"
                            "*SPRING,ELSET=S\n\n.001\n*BOUNDARY\n1000,1,3\n";
  const std::string pulled = "*STEP\n*STATIC\n*CLOAD\nTIP,3,2e-5\n*END STEP\n";
  expect_eigenvalues(model + pulled + frequency_step("4", ",PERTURBATION"),
                     {2708.237, 12191.39, 84747.23, 109352.8});
  expect_eigenvalues(model + pulled + frequency_step("4"), {2480.155, 12257.86, 84105.16, 109753.1});
}

TEST(Frequency, BodiesThatDoNotTouchAreFreeEachByItself) {
  const std::string two = bar_mesh(10, 500, 40) + bar(10);
  const auto one = modes_of(bar(10) + frequency_step("8")).tables.at(0).modes;
  const double scale = one[7].eigenvalue;
  for (const modes::Method method :
       {modes::Method::dense, modes::Method::lanczos, modes::Method::lobpcg, modes::Method::subspace}) {
    if (method == modes::Method::lanczos && !solve::Cholesky::available()) continue;
    const model::ModeTable free = modes_of(two + frequency_step("16"), method).tables.at(0);
    ASSERT_EQ(free.modes.size(), 16u) << free.method;
    EXPECT_TRUE(free.converged) << free.method << ": " << free.trouble;
    for (std::size_t j = 0; j < 12; ++j) EXPECT_LT(std::abs(free.modes[j].eigenvalue), 1e-7 * scale) << j;
    for (std::size_t j = 12; j < 16; ++j)
      EXPECT_NEAR(free.modes[j].eigenvalue, one[6 + (j - 12) / 2].eigenvalue, 1e-8 * scale) << free.method;
    // One of them held: the other keeps its six motions.
    const model::ModeTable half = modes_of(two + held + frequency_step("8"), method).tables.at(0);
    EXPECT_TRUE(half.converged) << half.method << ": " << half.trouble;
    for (std::size_t j = 0; j < 6; ++j) EXPECT_LT(std::abs(half.modes[j].eigenvalue), 1e-7 * scale) << j;
    EXPECT_NEAR(half.modes[6].frequency(), euler_frequency(height), 0.01 * euler_frequency(height));
  }
}

TEST(Frequency, PrescribedValuesCountAsZero) {
  const double zero = modes_of(bar(10) + held + frequency_step("1")).tables[0].modes[0].eigenvalue;
  const ModesOfDeck moved = modes_of(bar(10) + "*BOUNDARY\nROOT,1,3,0.5\n" + frequency_step("1"));
  EXPECT_NEAR(moved.tables[0].modes[0].eigenvalue, zero, 1e-12 * zero);
  EXPECT_EQ(moved.frames[0].node_field("U")->values[0], 0);
}

TEST(Frequency, RefusesWhatCannotBe) {
  const auto refusal = [](const std::string& text) {
    try {
      modes_of(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(refusal(bar(1) + held + frequency_step("13")),
            "deck.inp:26: *FREQUENCY asks for 13 modes, but the model has 12 unknowns; ask for fewer modes");
  EXPECT_EQ(refusal(bar(1, "") + held + frequency_step("1")),
            "deck.inp:16: material M has no density, which *FREQUENCY needs; add *DENSITY");
  const std::string look = "; look for unknowns that nothing holds, and for materials without density";
  EXPECT_EQ(
      refusal(bar(1, "*DENSITY\n0\n") + held + frequency_step("1")),
      "deck.inp:16: nothing has mass, which *FREQUENCY needs: all densities are zero; give *DENSITY its "
      "value");
  // A part without mass follows what holds it; where nothing does, it has neither stiffness nor mass.
  const std::string part =
      "*NODE\n101,0,9,0\n102,1,9,0\n103,1,10,0\n104,0,10,0\n105,0,9,1\n106,1,9,1\n107,1,10,1\n108,0,10,1\n"
      "*ELEMENT,TYPE=C3D8,ELSET=L\n101,101,102,103,104,105,106,107,108\n*MATERIAL,NAME=L\n*ELASTIC\n1,0\n"
      "*DENSITY\n0\n*SOLID SECTION,ELSET=L,MATERIAL=L\n";
  EXPECT_EQ(refusal(bar(2) + part + held + frequency_step("1")),
            "no modes are found: an unknown has neither stiffness nor mass" + look);
  const auto first = [](const std::string& deck) {
    return modes_of(deck).tables.at(0).modes.at(0).eigenvalue;
  };
  const double alone = first(bar(2) + held + frequency_step("1"));
  EXPECT_NEAR(first(bar(2) + part + held + "101,1,3\n102,1,3\n103,1,3\n" + frequency_step("1")), alone,
              1e-9 * alone);
}

}  // namespace
