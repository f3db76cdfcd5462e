// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/inp.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deck/deck_text.hpp"

namespace {

using setka::deck::Deck;
using setka::test::cube;
using setka::test::pull;
using setka::test::read_text;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;
namespace model = setka::model;
namespace mesh = setka::mesh;

TEST(Inp, ReadsACube) {
  const Deck deck = read_text("*HEADING\nA cube\n" + cube + pull);
  const model::Model& m = deck.model;
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  EXPECT_EQ(m.title, "A cube");
  ASSERT_EQ(m.mesh.node_count(), 8);
  ASSERT_EQ(m.mesh.element_count(), 1);
  EXPECT_EQ(setka::deck::name(m.mesh, 0), "C3D8");
  EXPECT_THAT(m.mesh.nodes(0), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(m.mesh.coordinates(6), ElementsAre(1, 1, 1));
  ASSERT_EQ(m.prescribed.size(), 12u);
  EXPECT_EQ(m.prescribed[4].node, 0);
  EXPECT_EQ(m.prescribed[4].direction, 2);
  EXPECT_EQ(m.source(m.prescribed[0].line).line, 22 + 2);
  ASSERT_EQ(m.steps.size(), 1u);
  ASSERT_EQ(m.steps[0].point_loads.size(), 4u);
  EXPECT_EQ(m.steps[0].point_loads[0].node, 4);
  EXPECT_EQ(m.steps[0].point_loads[0].value, 1);
  EXPECT_EQ(m.materials[0].elastic[0].values[0], 210000);
  EXPECT_EQ(m.sections[0].material, 0);
}

TEST(Inp, TakesBlanksTabsCasesCommentsAndCarriageReturns) {
  std::string text = "** first\r\n" + cube +
                     " *\tnSet , nset = \"my set\" ,\r\n  gene rate\r\n\r\n 5 ,\t8 , 1 ,\r\n** "
                     "c\r\n*step\n*STATIC\n*cload\nMYSET, 3, 1.D+1\n*ENDSTEP";
  const Deck deck = read_text(text);
  EXPECT_THAT(deck.warnings, IsEmpty());
  const std::int32_t set = deck.model.find_node_set("MYSET");
  ASSERT_GE(set, 0);
  EXPECT_THAT(deck.model.node_sets[static_cast<std::size_t>(set)].nodes, ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(deck.model.steps[0].point_loads[3].value, 10);
}

TEST(Inp, MissingCoordinatesAreZeroAndNumbersAreFortrans) {
  const Deck deck = read_text(
      cube + "*NODE\n9\n10,+1.\n11,.5,-1.5D+1,1.e-3\n12,,,1E2\n13,1234567890123456789012.,1e-400,0.1\n" +
      pull);
  const mesh::Mesh& m = deck.model.mesh;
  EXPECT_THAT(m.coordinates(8), ElementsAre(0, 0, 0));
  EXPECT_THAT(m.coordinates(9), ElementsAre(1, 0, 0));
  EXPECT_THAT(m.coordinates(10), ElementsAre(0.5, -15, 1e-3));
  EXPECT_THAT(m.coordinates(11), ElementsAre(0, 0, 100));
  EXPECT_THAT(m.coordinates(12), ElementsAre(1234567890123456789012., 0, 0.1));
}

TEST(Inp, ElementsGoOverSeveralLinesWithAndWithoutAComma) {
  const Deck deck =
      read_text(cube + "*ELEMENT,TYPE=C3D8,ELSET=EALL\n2,1,2,3,4,\n5,6,7,8\n3,1,2,3\n4,5,6\n7,8\n" + pull);
  EXPECT_EQ(deck.model.mesh.element_count(), 3);
  EXPECT_THAT(deck.model.mesh.nodes(2), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Inp, SetsKeepOrderAndRepetitionsAndNameOtherSets) {
  const Deck deck = read_text(
      cube + "*NSET,NSET=A\n8,1\n*NSET,NSET=B\n3,A,3\n*NSET,NSET=A\n2\n*NSET,NSET=C,GENERATE\n1,100000,3\n" +
      pull);
  const model::Model& m = deck.model;
  EXPECT_THAT(m.node_sets[static_cast<std::size_t>(m.find_node_set("A"))].nodes, ElementsAre(7, 0, 1));
  EXPECT_THAT(m.node_sets[static_cast<std::size_t>(m.find_node_set("B"))].nodes, ElementsAre(2, 7, 0, 2));
  EXPECT_THAT(m.node_sets[static_cast<std::size_t>(m.find_node_set("C"))].nodes, ElementsAre(0, 3, 6));
}

TEST(Inp, MaterialsOverSeveralLinesAndTemperatures) {
  const Deck deck = read_text(cube + R"(*MATERIAL,NAME=WOOD
*ELASTIC,TYPE=ORTHO
1.,2.,3.,4.,5.,6.,7.,8.,
9.,20.
11.,12.,13.,14.,15.,16.,17.,18.
19.,30.
*EXPANSION,TYPE=ORTHO,ZERO=20.
1e-5,2e-5,3e-5,100.
*DENSITY
7.8e-9
*MATERIAL,NAME=CRYSTAL
*ELASTIC,TYPE=ANISO
1,2,3,4,5,6,7,8
9,10,11,12,13,14,15,16
17,18,19,20,21,300.
*ORIENTATION,NAME=OR,SYSTEM=CYLINDRICAL
0,0,0,0,0,1
3,30.
)" + pull);
  const model::Material& wood = deck.model.materials[1];
  ASSERT_EQ(wood.elastic.size(), 2u);
  EXPECT_EQ(wood.elastic_kind, model::ElasticKind::orthotropic);
  EXPECT_THAT(wood.elastic[1].values, ElementsAre(11, 12, 13, 14, 15, 16, 17, 18, 19));
  EXPECT_EQ(wood.elastic[1].temperature, 30);
  EXPECT_EQ(wood.expansion_zero, 20);
  EXPECT_THAT(wood.expansion[0].values, ElementsAre(1e-5, 2e-5, 3e-5));
  EXPECT_EQ(wood.density[0].values[0], 7.8e-9);
  EXPECT_EQ(deck.model.materials[2].elastic[0].values[20], 21);
  EXPECT_EQ(deck.model.materials[2].elastic[0].temperature, 300);
  EXPECT_TRUE(deck.model.orientations[0].cylindrical);
  EXPECT_EQ(deck.model.orientations[0].turned_about, 3);
}

TEST(Inp, LoadsOfAllKinds) {
  const Deck deck = read_text(cube + R"(*SURFACE,NAME=LID
EALL,S2
*AMPLITUDE,NAME=RAMP,TIME=TOTAL TIME
0.,0.,1.,1.,
2.,.5
*INITIAL CONDITIONS,TYPE=TEMPERATURE
NALL,293.
*INITIAL CONDITIONS,TYPE=STRESS
1,2,1.,2.,3.,4.,5.,6.
*TRANSFORM,NSET=TOP,TYPE=C
0,0,0,0,0,1
*EQUATION
3
5,1,1.,6,1,-1.,
7,2,.5
2
5,2,1.,6,2,-1.
*STEP,INC=7
*STATIC,DIRECT,SOLVER=SPOOLES
.1,2.
*BOUNDARY,OP=NEW,AMPLITUDE=RAMP
5,3,,.25
*DLOAD
EALL,P3,5.,
1,GRAV,9.81,0,0,-2.
EALL,CENTRIF,4.,1,2,3,0,0,1
*DSLOAD
LID,P,2.
*TEMPERATURE
TOP,400.
*END STEP
)");
  const model::Model& m = deck.model;
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_TRUE(m.amplitudes[0].total_time);
  EXPECT_THAT(m.amplitudes[0].points[2], ElementsAre(2, .5));
  EXPECT_EQ(m.initial_temperatures.size(), 8u);
  EXPECT_EQ(m.initial_stresses[0].point, 1);
  EXPECT_THAT(m.initial_stresses[0].values, ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_EQ(m.equations.size(), 2u);
  EXPECT_EQ(m.equations[0].terms[2].coefficient, .5);
  EXPECT_EQ(m.equations[1].terms.size(), 2u);
  EXPECT_TRUE(m.transforms[0].system.cylindrical);
  const model::Step& step = m.steps[0];
  EXPECT_EQ(step.most_increments, 7);
  const auto& procedure = std::get<model::StaticStep>(step.procedure);
  EXPECT_TRUE(procedure.direct);
  EXPECT_EQ(procedure.period, 2);
  EXPECT_DOUBLE_EQ(procedure.least_increment, 2e-5);
  EXPECT_TRUE(step.operations.new_boundary);
  EXPECT_FALSE(step.operations.new_point_loads);
  EXPECT_EQ(step.prescribed[0].value, .25);
  EXPECT_EQ(step.prescribed[0].amplitude, 0);
  ASSERT_EQ(step.distributed_loads.size(), 4u);
  EXPECT_EQ(step.distributed_loads[0].face, 2);
  EXPECT_EQ(step.distributed_loads[1].kind, model::DistributedKind::gravity);
  EXPECT_THAT(step.distributed_loads[1].direction, ElementsAre(0, 0, -1));
  EXPECT_THAT(step.distributed_loads[2].point, ElementsAre(1, 2, 3));
  EXPECT_EQ(step.distributed_loads[3].face, 1);
  EXPECT_EQ(step.temperatures.size(), 4u);
}

TEST(Inp, OutputStaysUntilACardOfTheSameKind) {
  const Deck deck = read_text(cube + R"(*STEP
*STATIC
*NODE PRINT,NSET=TOP,TOTALS=ONLY
RF
*NODE FILE
U,RF
*EL FILE
S,E
*END STEP
*STEP
*STATIC
*NODE PRINT,NSET=NALL,GLOBAL=YES
U
*NODE PRINT,NSET=TOP
U
*NODE FILE,FREQUENCY=5
U
*END STEP
*STEP
*STATIC
*NODE FILE,FREQUENCY=0
*END STEP
)");
  const auto& steps = deck.model.steps;
  ASSERT_EQ(steps[0].output.size(), 3u);
  EXPECT_EQ(steps[0].output[0].totals, model::Totals::only);
  EXPECT_FALSE(steps[0].output[0].global);
  EXPECT_TRUE(steps[0].output[1].global);
  EXPECT_THAT(steps[0].output[1].variables, ElementsAre("U", "RF"));
  ASSERT_EQ(steps[1].output.size(), 4u);  // *EL FILE is inherited
  EXPECT_EQ(steps[1].output[0].kind, model::OutputKind::element_file);
  EXPECT_EQ(steps[1].output[0].frequency, 5);
  EXPECT_TRUE(steps[1].output[1].global);
  EXPECT_EQ(steps[2].output.size(), 3u);  // *NODE FILE is switched off
}

TEST(Inp, SpringsReadTheirDirections) {
  const Deck deck = read_text(cube + R"(*ELEMENT,TYPE=SPRINGA,ELSET=SA
11,5,6
*ELEMENT,TYPE=SPRING2,ELSET=S2
12,5,6
*SPRING,ELSET=SA

10.
*SPRING,ELSET=S2
1,3
5.,,20.
7.,,40.
)" + pull);
  ASSERT_EQ(deck.model.springs.size(), 2u);
  EXPECT_EQ(deck.model.springs[0].stiffness[0].values[0], 10);
  EXPECT_EQ(deck.model.springs[1].second_direction, 3);
  EXPECT_EQ(deck.model.springs[1].stiffness[1].temperature, 40);
}

TEST(Inp, PressureOfANodeOutsideTheElementsIsItsPrescribedValue) {
  const Deck deck =
      read_text(cube + "*NODE\n99\n*STEP\n*STATIC\n*DLOAD\nEALL,P2NP,99\n*BOUNDARY\n99,2,2,-3.\n*END STEP\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_EQ(deck.model.steps[0].distributed_loads[0].value, -3);
}

TEST(Inp, CollectsAllThatIsUnsupported) {
  const Deck deck = read_text(cube + R"(*ELEMENT,TYPE=B21,ELSET=SHELLS
21,1,2
*GAP,ELSET=SHELLS
.1
*ELSET,ELSET=BOTH
1,21
*STEP,NLGEOM
*STATIC
*DLOAD
21,P1,1.
*END STEP
*STEP
*GREEN
5
*END STEP
)");
  ASSERT_EQ(deck.unsupported.size(), 4u);
  try {
    setka::deck::refuse_unsupported(deck);
    FAIL() << "nothing thrown";
  } catch (const setka::Error& error) {
    EXPECT_EQ(error.fault(), setka::Fault::input);
    EXPECT_STREQ(error.what(),  // NLGEOM stays in force in the second step
                 "deck.inp: the deck asks for 4 things that Setka does not compute yet; run it with CalculiX "
                 "itself, or where the deck was made mesh with solid elements, switch nonlinear geometry off:"
                 "\n  deck.inp:23: *ELEMENT, TYPE=B21"
                 "\n  deck.inp:25: *GAP"
                 "\n  deck.inp:29: *STEP, NLGEOM: geometric nonlinearity (and on 1 more line)"
                 "\n  deck.inp:35: *GREEN");
  }
  EXPECT_NO_THROW(setka::deck::refuse_unsupported(read_text(cube + pull)));
}

TEST(Inp, SaysOnceWhatHoldsForManyLines) {
  std::string text = cube;
  for (int i = 0; i < 11; ++i) text += "*CONTACT PAIR,INTERACTION=I,TYPE=NODE TO SURFACE\nA,B\n";
  for (int i = 0; i < 3; ++i) text += "*SOMETHING ELSE\n";
  const Deck deck = read_text(text + pull);
  ASSERT_EQ(deck.unsupported.size(), 1u);
  EXPECT_EQ(deck.unsupported[0].lines, 11);
  EXPECT_EQ(deck.unsupported[0].text(), "deck.inp:23: *CONTACT PAIR (and on 10 more lines)");
  EXPECT_THAT(deck.warnings,
              ElementsAre("deck.inp:45: unknown keyword *SOMETHINGELSE and its data are ignored (and "
                          "on 2 more lines)"));
}

TEST(Inp, DoesNotWarnOfWhatOtherElementsAndStepsWouldUse) {
  const std::string rotations = "*BOUNDARY\n1,4,6\n";
  const std::string heat = "*MATERIAL,NAME=HOT\n*CONDUCTIVITY\n1\n";
  const std::string moment = "*STEP\n*STATIC\n*CLOAD\n2,4,1.\n*END STEP\n";
  EXPECT_THAT(read_text(cube + rotations + heat + moment).warnings,
              UnorderedElementsAre(HasSubstr("*BOUNDARY: these nodes have no rotations"),
                                   HasSubstr("*CONDUCTIVITY has no effect on the steps of this deck"),
                                   HasSubstr("*CLOAD: these nodes have no rotations")));
  const std::string shell = "*ELEMENT,TYPE=B21,ELSET=SHELLS\n21,1,2\n";
  EXPECT_THAT(read_text(cube + shell + rotations + heat + moment).warnings, IsEmpty());
}

TEST(Inp, NoAnalysisLeavesOutTheStepsFromThereOn) {
  const Deck deck =
      read_text(cube + pull + "*STEP,NLGEOM\n*NO ANALYSIS,SOLVER=SPOOLES\n1,1\n*END STEP\n" + pull);
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  EXPECT_TRUE(deck.mesh_alone);
  EXPECT_EQ(deck.model.steps.size(), 1u);
  const Deck none = read_text(cube + "*STEP\n*NO ANALYSIS\n*END STEP\n");
  EXPECT_TRUE(none.mesh_alone);
  EXPECT_THAT(none.model.steps, IsEmpty());
}

TEST(Inp, FrequencyStep) {
  const Deck deck = read_text(cube +
                              "*STEP\n*FREQUENCY,SOLVER=ARPACK,STORAGE=YES\n7,10.,2.5E3\n*END STEP\n"
                              "*STEP,PERTURBATION\n*FREQUENCY\n2\n*END STEP\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  const auto& first = std::get<setka::model::FrequencyStep>(deck.model.steps.at(0).procedure);
  EXPECT_EQ(first.modes, 7);
  EXPECT_EQ(first.least_frequency, 10);
  EXPECT_EQ(first.most_frequency, 2500);
  const auto& second = std::get<setka::model::FrequencyStep>(deck.model.steps.at(1).procedure);
  EXPECT_EQ(second.modes, 2);
  EXPECT_EQ(second.least_frequency, 0);
  EXPECT_EQ(second.most_frequency, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(deck.model.steps[1].perturbation);
}

TEST(Inp, BuckleStep) {
  const Deck deck = read_text(cube +
                              "*STEP\n*BUCKLE,SOLVER=SPOOLES\n3,1.e-3,20,50\n*END STEP\n"
                              "*STEP,PERTURBATION\n*BUCKLE\n2\n*END STEP\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  const auto& first = std::get<setka::model::BuckleStep>(deck.model.steps.at(0).procedure);
  EXPECT_EQ(first.factors, 3);
  EXPECT_EQ(first.most_iterations, 50);
  const auto& second = std::get<setka::model::BuckleStep>(deck.model.steps.at(1).procedure);
  EXPECT_EQ(second.factors, 2);
  EXPECT_EQ(second.most_iterations, 1000);
  EXPECT_TRUE(deck.model.steps[1].perturbation);
}

TEST(Inp, FrequencyStepWithoutANumberOfModes) {
  for (const char* const line : {"0,5,100", ",5,100"}) {
    const Deck deck = read_text(cube + "*STEP\n*FREQUENCY\n" + line + "\n*END STEP\n");
    const auto& step = std::get<setka::model::FrequencyStep>(deck.model.steps.at(0).procedure);
    EXPECT_EQ(step.modes, 0);
    EXPECT_EQ(step.least_frequency, 5);
    EXPECT_EQ(step.most_frequency, 100);
  }
}

TEST(Inp, UnknownWordsAreWarnings) {
  const Deck deck =
      read_text(cube + "*PREPRINT,ECHO=NO\n*ELASTICS\n1,2\n*NSET,NSET=X,COLOR=RED\n1,77\n" + pull);
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(
      deck.warnings,
      ElementsAre(
          HasSubstr("deck.inp:23: unknown keyword *PREPRINT and its data are ignored"),
          HasSubstr(
              "deck.inp:24: unknown keyword *ELASTICS and its data are ignored, did you mean *ELASTIC?"),
          HasSubstr("deck.inp:26: *NSET has no parameter COLOR; it is ignored"),
          HasSubstr("deck.inp:26: node 77 does not exist and is left out of the set")));
}

TEST(Inp, LinesThatNameEmptySetsAreWarnings) {
  const Deck deck =
      read_text(cube +
                "*NSET,NSET=NONE\n*ELSET,ELSET=NIL\n*SURFACE,NAME=S\nNIL,S1\n*BOUNDARY\nNONE,1\n"
                "*STEP\n*STATIC\n*CLOAD\nNONE,1,1.\n*DLOAD\nNIL,P1,1.\n*END STEP\n");
  EXPECT_THAT(deck.warnings,
              ElementsAre("deck.inp:26: *SURFACE: element set NIL is empty; the line has no effect",
                          "deck.inp:28: *BOUNDARY: node set NONE is empty; the line has no effect",
                          "deck.inp:32: *CLOAD: node set NONE is empty; the line has no effect",
                          "deck.inp:34: *DLOAD: element set NIL is empty; the line has no effect"));
}

TEST(Inp, DosLineEndsAndTabsReadAsTheSameDeck) {
  std::string dos;
  for (const char c : cube + pull) {
    if (c == '\n') dos += '\r';
    dos += c;
    if (c == ',') dos += '\t';
  }
  const Deck plain = read_text(cube + pull);
  const Deck deck = read_text(dos);
  EXPECT_THAT(deck.warnings, IsEmpty());
  EXPECT_TRUE(std::ranges::equal(deck.model.mesh.coordinates(), plain.model.mesh.coordinates()));
  EXPECT_TRUE(std::ranges::equal(deck.model.mesh.nodes(0), plain.model.mesh.nodes(0)));
  ASSERT_EQ(deck.model.node_sets.size(), plain.model.node_sets.size());
  for (std::size_t i = 0; i < plain.model.node_sets.size(); ++i) {
    EXPECT_EQ(deck.model.node_sets[i].name, plain.model.node_sets[i].name);
    EXPECT_EQ(deck.model.node_sets[i].nodes, plain.model.node_sets[i].nodes);
  }
  EXPECT_EQ(deck.model.materials[0].elastic[0].values, plain.model.materials[0].elastic[0].values);
  EXPECT_EQ(deck.model.prescribed.size(), plain.model.prescribed.size());
  EXPECT_EQ(deck.model.steps[0].point_loads.size(), plain.model.steps[0].point_loads.size());
}

TEST(Inp, DefinitionsMayComeAfterTheirUse) {
  const Deck deck = read_text(
      "*ELSET,ELSET=E\n1\n*SOLID "
      "SECTION,ELSET=E,MATERIAL=M\n*ELEMENT,TYPE=T3D2\n1,1,2\n*NODE\n1\n2,1.\n*MATERIAL,NAME=M\n*ELASTIC\n1.,"
      "0.\n"
      "*STEP\n*STATIC\n*END STEP\n");
  EXPECT_EQ(deck.model.mesh.element_count(), 1);
}

class InpFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("setka_inp_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_ / "parts");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string error_of(const std::filesystem::path& path) {
    setka::Monitor monitor;
    try {
      setka::deck::read_inp(path, monitor);
    } catch (const setka::Error& error) {
      EXPECT_EQ(error.fault(), setka::Fault::input);
      return error.what();
    }
    return "no error";
  }
  std::filesystem::path folder_;
};

TEST_F(InpFiles, IncludesNestAndContinueData) {
  write("parts/more.inp", "9,5.,0.,0.\n*INCLUDE,INPUT=last.inp\n");
  write("parts/last.inp", "10,6.,0.,0.");
  const auto path = write("deck.inp", cube + "*NODE\n*INCLUDE,INPUT=parts/more.inp\n11,7.,0.,0.\n" + pull);
  setka::Monitor monitor;
  const Deck deck = setka::deck::read_inp(path, monitor);
  EXPECT_EQ(deck.model.mesh.node_count(), 11);
  EXPECT_THAT(deck.model.mesh.coordinates(10), ElementsAre(7, 0, 0));
  EXPECT_EQ(deck.model.source(deck.model.steps[0].line).line, 26);
  EXPECT_EQ(deck.model.files.size(), 3u);
}

TEST_F(InpFiles, ErrorsOfFiles) {
  EXPECT_THAT(error_of(folder_ / "none.inp"),
              HasSubstr("none.inp: cannot read the file: No such file or directory; check the path"));
  EXPECT_THAT(error_of(folder_), HasSubstr("is a directory, not a deck; give the .inp file inside it"));
  EXPECT_THAT(error_of(write("empty.inp", "")),
              HasSubstr("empty.inp: the file is empty; a deck begins with keywords"));
  EXPECT_THAT(error_of(write("bin.inp", std::string("*NODE\n\0x", 8))),
              HasSubstr("bin.inp: is not text: byte 7 is 0x00"));
  EXPECT_THAT(error_of(write("deck.inp.gz", "\x1f\x8b\x08")),
              HasSubstr("is compressed, not text; unpack it with gunzip first"));
  EXPECT_THAT(error_of(write("a.inp", "*INCLUDE,INPUT=Missing.inp\n")),
              HasSubstr("a.inp:1: *INCLUDE: there is no file 'Missing.inp'; looked for"));
  EXPECT_THAT(error_of(write("b.inp", "*HEADING\n*INCLUDE,INPUT=b.inp\n")),
              HasSubstr("b.inp:2: *INCLUDE: 'b.inp' includes itself"));
}

TEST(Inp, WhatResultFilesLackIsWarnedOf) {
  const auto warnings = [](const std::string& output) {
    return read_text(cube + "*STEP\n*STATIC\n" + output + "\n*END STEP\n").warnings;
  };
  EXPECT_THAT(warnings("*NODE FILE\nU,RF\n*EL FILE\nS,E,ERR"), IsEmpty());
  EXPECT_THAT(warnings("*NODE FILE\nU,PU"),
              ElementsAre(HasSubstr("*NODE FILE: PU is not written to result files")));
  EXPECT_THAT(warnings("*EL FILE\nS,PHS"),
              ElementsAre(HasSubstr("*EL FILE: PHS is not written to result files")));
}

TEST(Inp, TemperaturesThatAreNotThereAreWarnedOf) {
  const Deck deck = read_text(cube + "*STEP\n*STATIC\n*NODE PRINT, NSET=NALL\nU,NT\n*END STEP\n");
  EXPECT_THAT(deck.warnings,
              ElementsAre(HasSubstr("*NODE PRINT: there are no temperatures; NT prints nothing")));
  EXPECT_THAT(deck.model.steps.front().output.front().variables, ElementsAre("U"));
}

TEST(Inp, ForcesOfSectionsTakeThePlaceOfStressesOfBeams) {
  const auto deck = [](const std::string& type, const std::string& section, const std::string& output) {
    return read_text("*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT, TYPE=" + type + ", ELSET=E\n1,1,2" +
                     (type == "S4" ? ",3,4" : "") + "\n*MATERIAL, NAME=M\n*ELASTIC\n1.,0.\n" + section +
                     ", ELSET=E, MATERIAL=M\n.1,.1\n*BOUNDARY\n1,1,6\n*STEP\n*STATIC\n" + output +
                     "\n*END STEP\n");
  };
  const std::string shell = "*SHELL SECTION";
  const auto variables = [](const Deck& read) { return read.model.steps.front().output.front().variables; };
  EXPECT_THAT(variables(deck("S4", shell, "*EL FILE, SECTION FORCES\nS,E")), ElementsAre("S", "E"));
  EXPECT_THAT(variables(deck("B31", "*BEAM SECTION, SECTION=RECT", "*EL FILE, SECTION FORCES\nS,E")),
              ElementsAre("SF", "E"));
  EXPECT_THAT(variables(deck("B31", "*BEAM SECTION, SECTION=RECT", "*EL FILE\nS,E")), ElementsAre("S", "E"));
  EXPECT_THAT(deck("S4", shell, "*EL FILE, OUTPUT=3D\nS").warnings, IsEmpty());
}

TEST(Inp, ReadsMembranes) {
  const auto read = [](const std::string& parameters) {
    return read_text(cube +
                     "*ELEMENT,TYPE=M3D4R,ELSET=SHEET\n2,1,2,3,4\n*ORIENTATION,NAME=O\n1,0,0,0,1,0\n"
                     "*MEMBRANE SECTION,ELSET=SHEET" +
                     parameters + "\n.5\n*BOUNDARY\n2,4,4\n" + pull);
  };
  const Deck deck = read(",MATERIAL=STEEL,OFFSET=.25,ORIENTATION=O");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, ElementsAre(HasSubstr("*BOUNDARY: these nodes have no rotations")));
  EXPECT_EQ(setka::deck::name(deck.model.mesh, 1), "M3D4R");
  const model::Section& section = deck.model.sections.back();
  EXPECT_EQ(section.thickness, 0.5);
  EXPECT_EQ(section.profile->size[0], 0.5);
  EXPECT_EQ(section.profile->offset[0], 0.25);
  EXPECT_EQ(section.orientation, 0);
  const Deck layers = read(",COMPOSITE");
  ASSERT_EQ(layers.unsupported.size(), 1u);
  EXPECT_EQ(layers.unsupported[0].text(), "deck.inp:27: *MEMBRANE SECTION, parameter COMPOSITE");
}

TEST(Inp, OutputOfSolidsIsForAllFilesFromTheFirstStepOn) {
  const auto read = [](const std::string& first, const std::string& second) {
    return read_text(
        "*NODE,NSET=N\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPE4,ELSET=E\n1,1,2,3,4\n*MATERIAL,NAME=M\n"
        "*ELASTIC\n1,0\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*STATIC\n*NODE FILE" +
        first + "\nU\n*EL FILE\nS\n*END STEP\n*STEP\n*STATIC\n*NODE FILE" + second + "\nU\n*END STEP\n");
  };
  const auto expanded = [](const Deck& deck) {
    std::vector<bool> of_requests;
    for (const model::Step& step : deck.model.steps) {
      for (const model::OutputRequest& request : step.output) of_requests.push_back(request.expanded);
    }
    return of_requests;
  };
  const Deck none = read("", "");
  EXPECT_THAT(expanded(none), ElementsAre(false, false, false, false));
  const Deck all = read(",OUTPUT=3D", "");
  EXPECT_THAT(expanded(all), ElementsAre(true, true, true, true));
  EXPECT_THAT(all.warnings, IsEmpty());
  const Deck late = read(",OUTPUT=2D", ",OUTPUT=3D");
  EXPECT_THAT(expanded(late), ElementsAre(false, false, false, false));
  EXPECT_THAT(late.warnings, ElementsAre(HasSubstr("*NODE FILE, OUTPUT=3D counts in the first step alone")));
  EXPECT_THAT(read(",OUTPUT=3D,NSET=N", "").warnings,
              Contains(HasSubstr("NSET has no effect on result files with OUTPUT=3D")));
}

}  // namespace
