// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/check.hpp"
#include "setka/deck/element_names.hpp"

#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deck/deck_text.hpp"

namespace setka {
namespace {

using analysis::DeckCheck;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

DeckCheck check_text(const std::string& text) {
  Monitor monitor;
  return analysis::check_deck(deck::read_inp_text(text, "deck.inp", monitor, deck::Completeness::unchecked),
                              monitor);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("the deck has no " + what);
  return text.replace(at, what.size(), by);
}

const std::string deck = test::cube + test::pull;

/// Nodes 11 to 18 and element 2: a second cube at the first one's right, of lead.
const std::string second_cube = R"(*NODE
11,2,0,0
12,4,0,0
13,4,1,0
14,2,1,0
15,2,0,1
16,4,0,1
17,4,1,1
18,2,1,1
*ELEMENT,TYPE=C3D8R,ELSET=RIGHT
2,11,12,13,14,15,16,17,18
*MATERIAL,NAME=LEAD
*ELASTIC
16000,.4
*DENSITY
3
*SOLID SECTION,ELSET=RIGHT,MATERIAL=LEAD
)";

TEST(Check, FrequencyStepsMayBeOfFreeBodiesButNeedMass) {
  const std::string modes = "*STEP\n*FREQUENCY\n30\n*END STEP\n";
  const DeckCheck check = check_text(second_cube + modes);
  ASSERT_EQ(check.steps.size(), 1u);
  EXPECT_EQ(check.steps[0].kind, "frequency");
  EXPECT_EQ(check.steps[0].unknowns, 24);
  EXPECT_THAT(check.errors,
              ElementsAre(HasSubstr("*FREQUENCY asks for 30 modes, but the model has 24 unknowns")));
  EXPECT_THAT(check_text(replaced(second_cube + modes, "30", "8")).errors, IsEmpty());
  EXPECT_THAT(check_text(replaced(replaced(second_cube + modes, "30", "8"), "*DENSITY\n3\n", "")).errors,
              ElementsAre(HasSubstr("material LEAD has no density, which *FREQUENCY needs")));
}

TEST(Check, CountsWhatThereIs) {
  const DeckCheck check = check_text(deck);
  EXPECT_TRUE(check.could_run());
  EXPECT_THAT(check.errors, IsEmpty());
  EXPECT_THAT(check.warnings, IsEmpty());
  EXPECT_EQ(check.nodes, 8);
  ASSERT_EQ(check.elements.size(), 1U);
  EXPECT_EQ(check.elements[0].type, deck::element("C3D8"));
  EXPECT_EQ(check.elements[0].count, 1);
  EXPECT_THAT(check.sets, ElementsAre(Field(&analysis::SetSummary::name, "NALL"),
                                      Field(&analysis::SetSummary::name, "BOTTOM"),
                                      Field(&analysis::SetSummary::name, "TOP"),
                                      AllOf(Field(&analysis::SetSummary::name, "EALL"),
                                            Field(&analysis::SetSummary::kind, "elements"),
                                            Field(&analysis::SetSummary::size, 1))));
  ASSERT_EQ(check.steps.size(), 1U);
  EXPECT_EQ(check.steps[0].unknowns, 12);
  EXPECT_EQ(check.steps[0].prescribed, 12);
  EXPECT_EQ(check.steps[0].point_loads, 4);
  EXPECT_EQ(check.least, (std::array{0.0, 0.0, 0.0}));
  EXPECT_EQ(check.most, (std::array{1.0, 1.0, 1.0}));
}

TEST(Check, VolumeAndMassOfEachMaterial) {
  const std::string dense = replaced(test::cube, "210000.,.3\n", "210000.,.3\n*DENSITY\n5\n");
  const DeckCheck check =
      check_text(dense + second_cube + "*BOUNDARY\n11,1,3\n12,1,3\n13,1,3\n" + test::pull);
  EXPECT_TRUE(check.could_run());
  EXPECT_EQ(check.parts, 2);
  ASSERT_EQ(check.materials.size(), 2U);
  EXPECT_EQ(check.materials[0].elements, 1);
  EXPECT_THAT(check.materials[0].defined, ElementsAre("elastic", "density"));
  EXPECT_NEAR(check.materials[0].volume, 1, 1e-14);
  EXPECT_NEAR(check.materials[0].mass.value(), 5, 1e-13);
  EXPECT_NEAR(check.materials[1].volume, 2, 1e-14);
  EXPECT_NEAR(check.materials[1].mass.value(), 6, 1e-13);
  EXPECT_NEAR(check.volume, 3, 1e-13);
  EXPECT_NEAR(check.mass.value(), 11, 1e-13);
  EXPECT_NEAR(check.center.value()[0], (5 * 0.5 + 6 * 3.0) / 11, 1e-14);
  EXPECT_NEAR(check.center.value()[1], 0.5, 1e-14);
}

TEST(Check, WithoutDensityNoMass) {
  const DeckCheck check = check_text(test::cube + second_cube + test::pull);
  EXPECT_FALSE(check.materials[0].mass.has_value());
  EXPECT_NEAR(check.materials[1].mass.value(), 6, 1e-13);
  EXPECT_FALSE(check.mass.has_value());
  EXPECT_NEAR(check.center.value()[0], (0.5 + 2 * 3.0) / 3, 1e-14) << "of volume";
}

TEST(Check, DensityIsThatOfTheInitialTemperature) {
  const DeckCheck check = check_text(
      replaced(test::cube, "210000.,.3\n",
               "210000.,.3\n*DENSITY\n5,0\n7,100\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nNALL,50\n") +
      test::pull);
  EXPECT_NEAR(check.mass.value(), 6, 1e-13);
}

TEST(Check, WhatIsMissingIsToldAtOnce) {
  const DeckCheck check = check_text(R"(*NODE
1,0,0,0
2,1,0,0
3,0,1,0
4,0,0,1
5,0,0,-1
9,9,9,9
*ELEMENT,TYPE=C3D4
7,1,2,3,4
8,1,3,2,5
*ELEMENT,TYPE=C3D4,ELSET=E
9,1,2,3,4
*MATERIAL,NAME=M
*SOLID SECTION,ELSET=E,MATERIAL=M
)");
  EXPECT_FALSE(check.could_run());
  EXPECT_THAT(
      check.errors,
      ElementsAre("deck.inp: the deck has no steps; end it with *STEP, *STATIC and *END STEP",
                  "deck.inp:13: material M has no elastic constants; add *ELASTIC after it",
                  "deck.inp: elements 7 and 8 have no material; put them into the set of a *SOLID SECTION"));
  EXPECT_THAT(check.warnings, ElementsAre("a node belongs to no element: 9"));
  EXPECT_THAT(check.unused_nodes, ElementsAre(9));
}

TEST(Check, ElementsOfBadShapeAreErrors) {
  const auto errors = [](const std::string& lines) {
    return check_text(replaced(deck, "*NSET,NSET=BOTTOM", lines + "*NSET,NSET=BOTTOM")).errors;
  };
  EXPECT_THAT(errors("*ELEMENT,TYPE=C3D4,ELSET=EALL\n2,1,3,2,5\n"),
              ElementsAre("element 2 (C3D4) is inside out; check the order and the places of its nodes"));
  EXPECT_THAT(errors("*ELEMENT,TYPE=C3D4,ELSET=EALL\n2,1,2,3,4\n"),
              ElementsAre(HasSubstr("element 2 (C3D4) is flat;")));
  EXPECT_THAT(errors("*ELEMENT,TYPE=C3D8,ELSET=EALL\n2,1,2,2,4,5,6,7,8\n3,1,2,3,4,5,6,8,7\n"),
              ElementsAre(HasSubstr("2 elements have no proper shape: 2 (C3D8) is flat at a corner and 3 "
                                    "(C3D8) is folded;")));
}

TEST(Check, ElementsOfPoorShapeAreWarnings) {
  // Longer and longer towards x: 1, 19, 20 (within the limit) and 21, 30 times as long as high.
  std::string text = "*NODE,NSET=NALL\n";
  const std::array<double, 5> length{1, 19, 20, 21, 30};
  int node = 0;
  double x = 0;
  const auto row = [&] {
    for (const auto& [y, z] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      text += fmt::format("{},{},{},{}\n", ++node, x, y, z);
  };
  row();
  for (const double step : length) {
    x += step;
    row();
  }
  text += "*ELEMENT,TYPE=C3D8,ELSET=E\n";
  for (int e = 0; e < 5; ++e) {
    text += fmt::format("{}", 100 + e);
    for (const int n : {1, 5, 6, 2, 4, 8, 7, 3}) text += fmt::format(",{}", n + 4 * e);
    text += "\n";
  }
  text +=
      "*MATERIAL,NAME=M\n*ELASTIC\n1,0\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nNALL,1,3\n*STEP\n"
      "*STATIC\n*END STEP\n";
  const DeckCheck check = check_text(text);
  EXPECT_TRUE(check.could_run());
  EXPECT_THAT(check.warnings,
              ElementsAre("aspect ratio: 2 elements above 20, the worst first: 104 (30) and 103 (21)"));

  // A plane element with a corner of about 3 degrees, and one whose middle node is nearly at a quarter.
  const DeckCheck planes = check_text(R"(*NODE,NSET=NALL
1,0,0
2,1,0
3,2,.05
4,1,.05
11,-1,-1
12,1,-1
13,1,1
14,-1,1
15,.48,-1
16,1,0
17,.48,1
18,-1,0
*ELEMENT,TYPE=CPS4,ELSET=E
1,1,2,3,4
*ELEMENT,TYPE=CPS8,ELSET=E
2,11,12,13,14,15,16,17,18
*MATERIAL,NAME=M
*ELASTIC
1,0
*SOLID SECTION,ELSET=E,MATERIAL=M
*BOUNDARY
NALL,1,3
*STEP
*STATIC
*END STEP
)");
  EXPECT_THAT(planes.warnings,
              ElementsAre("ratio of least to greatest Jacobian: 1 element below 0.0333, the worst first: 2 "
                          "(0.0204)",
                          "scaled Jacobian: 1 element below 0.1, the worst first: 1 (0.0499)"));
}

TEST(Check, FreeMotionsOfEachStep) {
  const DeckCheck check = check_text(deck + R"(*STEP
*STATIC
*BOUNDARY,OP=NEW
1,1,3
*END STEP
)");
  EXPECT_THAT(check.errors, IsEmpty()) << "what is prescribed before the first step stays";
  const DeckCheck loose = check_text(replaced(deck, "BOTTOM,1,3", "1,1,3"));
  EXPECT_FALSE(loose.could_run());
  EXPECT_THAT(loose.errors,
              ElementsAre("step 1: the model is not held: free to move by rotation about z, "
                          "rotation about y and rotation about x, and the loads would set it moving; add "
                          "*BOUNDARY that holds it"));
  const DeckCheck led = check_text(replaced(deck, "BOTTOM,1,3", "BOTTOM,3,3"));
  EXPECT_TRUE(led.could_run());
  EXPECT_THAT(led.warnings, ElementsAre("step 1: the model is not held: free to move by rotation about z, "
                                        "translation along y and translation along x; no load drives that"));
  const DeckCheck parts = check_text(test::cube + second_cube + test::pull);
  EXPECT_THAT(parts.errors, IsEmpty()) << "no load acts on it";
  EXPECT_THAT(parts.warnings, ElementsAre(HasSubstr("the part with element 2 (1 element) is not held")));
}

TEST(Check, ErrorsOfStepsAreThoseOfARun) {
  EXPECT_THAT(check_text(test::cube + "*STEP\n*STATIC\n*DLOAD\nEALL,GRAV,9.81,0,0,-1\n*END STEP\n").errors,
              ElementsAre(HasSubstr("material STEEL has no density")));
  EXPECT_THAT(check_text(test::cube + "*EQUATION\n2\n1,1,1.,5,1,-1.\n" + test::pull).errors,
              ElementsAre(HasSubstr("deck.inp:24: node 1, direction 1 is eliminated by this equation and "
                                    "prescribed at deck.inp:22")));
  EXPECT_THAT(check_text(replaced(deck, "210000.,.3", "210000.,.5")).errors,
              ElementsAre(HasSubstr("not positive definite")));
}

TEST(Check, UnknownsThatNodesDoNotHaveArePassedOver) {
  const DeckCheck check = check_text(replaced(deck, "BOTTOM,1,3", "BOTTOM,0,3\nBOTTOM,11,11,20."));
  EXPECT_TRUE(check.could_run());
  EXPECT_EQ(check.steps.at(0).unknowns, 12);
}

TEST(Check, UnsupportedThingsAreAllTold) {
  const DeckCheck check = check_text(
      test::cube + "*CONTACT PAIR\n*STEP,NLGEOM\n*STATIC\n*RESTART\n*END STEP\n*STEP\n*GREEN\n*END STEP\n");
  EXPECT_FALSE(check.could_run());
  ASSERT_GE(check.unsupported.size(), 3U);
  EXPECT_EQ(check.unsupported[0].line.line, 23);
  EXPECT_EQ(check.unsupported[0].what, "*CONTACT PAIR");
}

TEST(Check, WhatIsNotSupportedMayBeWhatHoldsAPart) {
  const DeckCheck check =
      check_text(replaced(test::cube, "BOTTOM,1,3", "BOTTOM,2,3") + "*CONTACT PAIR\n" + test::pull);
  EXPECT_THAT(check.errors, IsEmpty());
  EXPECT_THAT(check.warnings, ElementsAre("step 1: the model is not held: free to move by translation along "
                                          "x, unless what is not supported holds it"));
}

}  // namespace
}  // namespace setka
