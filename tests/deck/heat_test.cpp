// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What decks say of heat: materials, *HEAT TRANSFER, fluxes, films, radiation; and what is wrong with them.
#include <filesystem>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deck/deck_text.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/deck/inp.hpp"

namespace {

using setka::deck::Deck;
using setka::test::error_of_deck;
using setka::test::read_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace model = setka::model;

/// A cube with what heat needs: 25 lines.
const std::string hot_cube = R"(*NODE, NSET=NALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
9,0,0,9
*ELEMENT,TYPE=DC3D8,ELSET=EALL
1,1,2,3,4,5,6,7,8
*SURFACE,NAME=TOP
1,S2
*PHYSICAL CONSTANTS,ABSOLUTE ZERO=-273.15,STEFAN BOLTZMANN=5.669E-8
*MATERIAL,NAME=EL
*CONDUCTIVITY
50.
*SPECIFIC HEAT
446.
*DENSITY
7800.
*SOLID SECTION,ELSET=EALL,MATERIAL=EL
*AMPLITUDE,NAME=A1
0.,0.,1.,1.
)";

std::string step(const std::string& lines, const std::string& procedure = "*HEAT TRANSFER") {
  return "*STEP\n" + procedure + "\n" + lines + "*END STEP\n";
}

/// Lines of the step begin with line 28.
Deck heated(const std::string& lines) {
  return read_text(hot_cube + step(lines));
}

std::string error_when_heated(const std::string& lines) {
  return error_of_deck(hot_cube + step(lines));
}

std::string unsupported_when_heated(const std::string& lines) {
  const Deck deck = heated(lines);
  return deck.unsupported.empty() ? "nothing" : deck.unsupported.front().text();
}

TEST(HeatDeck, Materials) {
  const Deck deck = read_text(hot_cube +
                              "*MATERIAL,NAME=LAYERS\n*CONDUCTIVITY,TYPE=ORTHO\n1,2,3\n4,5,6,100\n"
                              "*MATERIAL,NAME=ROCK\n*CONDUCTIVITY,TYPE=ANISO\n3,3,3,1,0,-1,20\n"
                              "*SPECIFIC HEAT\n1.,0\n2.,10\n" +
                              step(""));
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  const auto& materials = deck.model.materials;
  EXPECT_EQ(materials[0].conductivity_kind, model::TensorKind::isotropic);
  EXPECT_THAT(materials[0].conductivity[0].values, ElementsAre(50));
  EXPECT_THAT(materials[0].specific_heat[0].values, ElementsAre(446));
  EXPECT_EQ(materials[1].conductivity_kind, model::TensorKind::orthotropic);
  ASSERT_EQ(materials[1].conductivity.size(), 2u);
  EXPECT_THAT(materials[1].conductivity[1].values, ElementsAre(4, 5, 6));
  EXPECT_EQ(materials[1].conductivity[1].temperature, 100);
  EXPECT_EQ(materials[2].conductivity_kind, model::TensorKind::anisotropic);
  EXPECT_THAT(materials[2].conductivity[0].values, ElementsAre(3, 3, 3, 1, 0, -1));
  EXPECT_EQ(materials[2].conductivity[0].temperature, 20);
  EXPECT_EQ(materials[2].specific_heat[1].temperature, 10);
  EXPECT_EQ(deck.model.constants.absolute_zero, -273.15);
  EXPECT_EQ(deck.model.constants.stefan_boltzmann, 5.669e-8);
}

TEST(HeatDeck, MaterialsThatMakeNoSense) {
  const auto error_after = [](const std::string& lines) {
    return error_of_deck(hot_cube + lines + step(""));
  };
  EXPECT_EQ(error_after("*CONDUCTIVITY\n-1.,20.\n"),
            "deck.inp:26: *CONDUCTIVITY: heat would flow from cold to warm with -1 at the temperature 20; a "
            "conductivity is not negative");
  EXPECT_EQ(error_after("*CONDUCTIVITY,TYPE=ANISO\n1,1,1,2,0,0\n"),
            "deck.inp:26: *CONDUCTIVITY: heat would flow from cold to warm with 1, 1, 1, 2, 0, 0 at the "
            "temperature 0; the tensor xx, yy, zz, xy, xz, yz has no negative eigenvalue");
  // Each pair of directions by itself would do.
  EXPECT_THAT(error_after("*CONDUCTIVITY,TYPE=ANISO\n1,1,1,-.9,-.9,-.9\n"), HasSubstr("from cold to warm"));
  EXPECT_EQ(error_after("*CONDUCTIVITY,TYPE=ANISO\n1,1,1,1,1,1\n"), "no error");  // along one line alone
  EXPECT_EQ(error_after("*CONDUCTIVITY,TYPE=THIN\n1\n"),
            "deck.inp:26: *CONDUCTIVITY: TYPE is THIN; it is ISO, ORTHO or ANISO");
  EXPECT_EQ(
      error_after("*CONDUCTIVITY\n1.,20.\n1.,10.\n"),
      "deck.inp:28: *CONDUCTIVITY: the temperature 10 follows 20; order the lines by rising temperature");
  EXPECT_EQ(error_after("*SPECIFIC HEAT\n-1.\n"),
            "deck.inp:26: *SPECIFIC HEAT: the specific heat is -1; it is not negative");
  EXPECT_THAT(error_after("*SPECIFIC HEAT\n1.,20.\n1.,10.\n"), HasSubstr("deck.inp:28: *SPECIFIC HEAT: the"));
  EXPECT_EQ(
      error_after("*PHYSICAL CONSTANTS,STEFAN BOLTZMANN=0\n"),
      "deck.inp:26: *PHYSICAL CONSTANTS: STEFAN BOLTZMANN is 0; it is larger than zero: 5.669E-8 for W, "
      "m and K, 5.669E-11 for t, mm, s and K");
  EXPECT_EQ(error_after("*PHYSICAL CONSTANTS,ABSOLUTE ZERO=cold\n"),
            "deck.inp:26: ABSOLUTE ZERO is 'COLD', which is not a number; write it like 1, 1.5 or 1.5E-3");
  EXPECT_THAT(error_after("*PHYSICAL CONSTANTS,NEWTON GRAVITY=-1.\n"), HasSubstr("NEWTON GRAVITY is -1"));
}

TEST(HeatDeck, TemperaturesBelowAbsoluteZeroAreRefused) {
  EXPECT_EQ(error_when_heated("*BOUNDARY\n1,11,11,-300\n"),
            "deck.inp:29: *BOUNDARY: the temperature -300 is below absolute zero, -273.15; give both in the "
            "same degrees");
  EXPECT_EQ(error_when_heated("*BOUNDARY,AMPLITUDE=A1\n1,11,11,-300\n"), "no error");  // of a reference value
  EXPECT_THAT(error_of_deck(hot_cube + "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nNALL,-273.16\n" + step("")),
              HasSubstr("deck.inp:27: *INITIAL CONDITIONS: the temperature -273.16 is below absolute zero"));
}

TEST(HeatDeck, StepsHaveTheirDefaults) {
  const Deck deck = heated("");
  const auto& heat = std::get<model::HeatStep>(deck.model.steps[0].procedure);
  EXPECT_EQ(heat.first_increment, 1);
  EXPECT_EQ(heat.period, 1);
  EXPECT_EQ(heat.least_increment, 1e-5);
  EXPECT_EQ(heat.most_increment, 1e30);
  EXPECT_EQ(heat.most_change, 1e30);
  EXPECT_FALSE(heat.steady || heat.direct || heat.time_reset || heat.time_at_start);
  EXPECT_EQ(deck.model.source(heat.line).line, 27);
}

TEST(HeatDeck, StepsTakeEveryParameter) {
  const Deck deck = read_text(
      hot_cube +
      "*STEP,NLGEOM\n*HEAT TRANSFER,STEADY STATE,DIRECT,SOLVER=SPOOLES,TIME RESET,DELTMX=50.,TOTAL TIME AT "
      "START=7.\n1.E-3,10.\n*END STEP\n" +
      step("", "*HEAT TRANSFER\n.1,10.,.01,2.") +
      step("", "*HEAT TRANSFER,FREQUENCY,STORAGE=YES\n7,10.,2.5E3"));
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  EXPECT_FALSE(deck.model.steps[0].nonlinear_geometry);
  const auto& steady = std::get<model::HeatStep>(deck.model.steps[0].procedure);
  EXPECT_TRUE(steady.steady && steady.direct && steady.time_reset);
  EXPECT_EQ(steady.most_change, 50);
  EXPECT_EQ(steady.time_at_start, 7);
  EXPECT_EQ(steady.first_increment, 1e-3);
  EXPECT_EQ(steady.period, 10);
  EXPECT_EQ(steady.least_increment, 1e-4);
  const auto& transient = std::get<model::HeatStep>(deck.model.steps[1].procedure);
  EXPECT_EQ(transient.least_increment, .01);
  EXPECT_EQ(transient.most_increment, 2);
  const auto& modes = std::get<model::FrequencyStep>(deck.model.steps[2].procedure);
  EXPECT_TRUE(modes.of_temperature);
  EXPECT_EQ(modes.modes, 7);
  EXPECT_EQ(modes.least_frequency, 10);
  EXPECT_EQ(modes.most_frequency, 2500);
}

TEST(HeatDeck, StepsThatMakeNoSense) {
  const auto error = [](const std::string& procedure) {
    return error_of_deck(hot_cube + step("", procedure));
  };
  EXPECT_EQ(error("*HEAT TRANSFER\n2.,1."),
            "deck.inp:28: *HEAT TRANSFER: the first increment 2 is longer than the step of 1; give the first "
            "increment, then the time period");
  EXPECT_EQ(error("*HEAT TRANSFER\n-1.,1."),
            "deck.inp:28: *HEAT TRANSFER: the first increment is -1; it is larger than zero");
  EXPECT_EQ(error("*HEAT TRANSFER,DELTMX=0"),
            "deck.inp:27: *HEAT TRANSFER: DELTMX is 0; it is the largest change of a temperature in an "
            "increment, larger than zero");
  EXPECT_EQ(error("*HEAT TRANSFER,TOTAL TIME AT START=soon"),
            "deck.inp:27: TOTAL TIME AT START is 'SOON', which is not a number; write it like 1, 1.5 or "
            "1.5E-3");
  EXPECT_EQ(
      error("*HEAT TRANSFER,FREQUENCY"),
      "deck.inp:27: *HEAT TRANSFER, FREQUENCY does not say how many modes; give their number on the line "
      "after it");
  EXPECT_EQ(
      error("*HEAT TRANSFER,FREQUENCY\n-2"),
      "deck.inp:28: *HEAT TRANSFER, FREQUENCY: the number of modes is -2; it goes from 1 to 1000000, or "
      "is 0 with an upper frequency");
  EXPECT_EQ(
      error("*HEAT TRANSFER\n*STATIC"),
      "deck.inp:28: *STATIC in a step that has *HEAT TRANSFER already; give it a *STEP and an *END STEP of "
      "its own");
  EXPECT_EQ(error_of_deck(hot_cube + "*HEAT TRANSFER\n"),
            "deck.inp:26: *HEAT TRANSFER outside a step; move it between *STEP and *END STEP");
  EXPECT_THAT(error("*HEAT TRANSFER,MODAL DYNAMIC\n1.,1."),
              HasSubstr("deck.inp:27: *HEAT TRANSFER, MODAL DYNAMIC is a sum of modes of temperatures"));
  EXPECT_THAT(error("*COUPLED TEMPERATURE-DISPLACEMENT,DELTMX=0\n1.,1."),
              HasSubstr("deck.inp:27: *COUPLED TEMPERATURE-DISPLACEMENT: DELTMX is 0"));
  EXPECT_THAT(read_text(hot_cube + step("", "*HEAT TRANSFER,FREQUENCY,SOLVER=MATRIXSTORAGE\n1"))
                  .unsupported[0]
                  .text(),
              HasSubstr("deck.inp:27: *HEAT TRANSFER, FREQUENCY, SOLVER=MATRIXSTORAGE"));
}

TEST(HeatDeck, PointFluxes) {
  const Deck deck = heated("*CFLUX,OP=NEW,AMPLITUDE=A1\n5,11,15.\nNALL,0,1.\n*CFLUX,ADD\n6,11,2.\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  const model::Step& first = deck.model.steps[0];
  EXPECT_TRUE(first.operations.new_point_fluxes);
  ASSERT_EQ(first.point_fluxes.size(), 11u);
  EXPECT_EQ(first.point_fluxes[0].node, 4);
  EXPECT_EQ(first.point_fluxes[0].value, 15);
  EXPECT_EQ(first.point_fluxes[0].amplitude, 0);
  EXPECT_EQ(deck.model.source(first.point_fluxes[0].line).line, 29);
  EXPECT_EQ(first.point_fluxes[10].value, 2);
  EXPECT_EQ(first.point_fluxes[10].amplitude, -1);

  EXPECT_EQ(error_when_heated("*CFLUX\n5,1,15.\n"),
            "deck.inp:29: *CFLUX: degree of freedom 1; it is 11 or 0, the temperature");
  EXPECT_EQ(error_when_heated("*CFLUX\n55,11,15.\n"),
            "deck.inp:29: *CFLUX names node 55, which does not exist; define it by *NODE");
  EXPECT_EQ(error_when_heated("*CFLUX,AMPLITUDE=A2\n5,11,15.\n"),
            "deck.inp:28: *CFLUX names amplitude A2, which does not exist; did you mean A1?");
  EXPECT_EQ(unsupported_when_heated("*CFLUX,USER\n5,11\n"), "deck.inp:28: *CFLUX, parameter USER");
  EXPECT_EQ(unsupported_when_heated("*CFLUX,AMPLITUDE=A1,TIME DELAY=1.\n5,11,1.\n"),
            "deck.inp:28: *CFLUX, parameter TIMEDELAY");
  const std::string flux = step("*CFLUX\n5,11,1.\n");
  EXPECT_EQ(read_text(hot_cube + flux + step("*CFLUX,ADD\n5,11,1.\n")).unsupported[0].text(),
            "deck.inp:33: *CFLUX, parameter ADD to fluxes of an earlier step");
}

TEST(HeatDeck, DistributedFluxes) {
  const Deck deck = heated("*DFLUX,OP=NEW,AMPLITUDE=A1\n1,S3,-100.\nEALL,BF,7.\nTOP,S,3.\nTOP,S0,4.\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  const model::Step& first = deck.model.steps[0];
  EXPECT_TRUE(first.operations.new_distributed_fluxes);
  ASSERT_EQ(first.distributed_fluxes.size(), 4u);
  EXPECT_EQ(first.distributed_fluxes[0].face, 2);
  EXPECT_EQ(first.distributed_fluxes[0].value, -100);
  EXPECT_EQ(first.distributed_fluxes[0].amplitude, 0);
  EXPECT_EQ(deck.model.source(first.distributed_fluxes[0].line).line, 29);
  EXPECT_EQ(first.distributed_fluxes[1].face, -1);
  EXPECT_EQ(first.distributed_fluxes[1].value, 7);
  EXPECT_EQ(first.distributed_fluxes[2].face, 1);
  EXPECT_EQ(first.distributed_fluxes[3].value, 4);

  EXPECT_EQ(error_when_heated("*DFLUX\n1,S7,1.\n"),
            "deck.inp:29: element 1 of type C3D8 has no face 'S7'; it has S1 to S6");
  EXPECT_EQ(error_when_heated("*DFLUX\nEALL,S,1.\n"),
            "deck.inp:29: element 1 of type C3D8 has no face 'S'; it has S1 to S6");
  EXPECT_EQ(error_when_heated("*DFLUX\n1,P1,1.\n"),
            "deck.inp:29: *DFLUX: there is no load 'P1'; there are S1 to S6, BF, and S with the name of a "
            "surface");
  EXPECT_EQ(error_when_heated("*DFLUX\nTIP,S1,1.\n"),
            "deck.inp:29: *DFLUX names element set TIP, which does not exist; there is only EALL");
  EXPECT_EQ(error_when_heated("*DFLUX\n1,S1,hot\n"),
            "deck.inp:29: the flux is 'hot', which is not a number; write it like 1, 1.5 or 1.5E-3");
  EXPECT_EQ(unsupported_when_heated("*DFLUX\n1,S1NU2\n"), "deck.inp:29: *DFLUX, load S1NU2");
  EXPECT_EQ(unsupported_when_heated("*DFLUX\n1,BFNU\n"), "deck.inp:29: *DFLUX, load BFNU");
  EXPECT_EQ(error_when_heated("*DFLUX\n1,SNEG,1.\n"),
            "deck.inp:29: element 1 of type C3D8 has no face 'SNEG'; it has S1 to S6");
  EXPECT_EQ(error_of_deck(hot_cube + "*SURFACE,NAME=DOTS,TYPE=NODE\n1\n" + step("*DFLUX\nDOTS,S,1.\n")),
            "deck.inp:31: *DFLUX: surface DOTS is made of nodes; heat passes a *SURFACE,TYPE=ELEMENT");
}

TEST(HeatDeck, FluxesOfPlaneElementsHaveTheirEdges) {
  const std::string plane =
      hot_cube + "*ELEMENT,TYPE=DCAX4,ELSET=RING\n2,1,2,3,4\n*SOLID SECTION,ELSET=RING,MATERIAL=EL\n";
  const Deck deck = read_text(plane + step("*DFLUX\nRING,S4,2.\n"));
  EXPECT_EQ(setka::deck::name(deck.model.mesh, 1), "CAX4");
  EXPECT_EQ(deck.model.steps[0].distributed_fluxes[0].face, 3);
  EXPECT_EQ(error_of_deck(plane + step("*FILM\nRING,F5,2.,1.\n")),
            "deck.inp:32: element 2 of type CAX4 has no face 'F5'; it has F1 to F4");
}

TEST(HeatDeck, FluxesOfShellsAndBeamsHaveTheFacesOfTheirSolids) {
  const std::string thin =
      hot_cube +
      "*ELEMENT,TYPE=S4,ELSET=PLATE\n2,1,2,3,4\n*SHELL SECTION,ELSET=PLATE,MATERIAL=EL\n.1\n"
      "*ELEMENT,TYPE=B31,ELSET=ROD\n3,5,9\n*BEAM SECTION,ELSET=ROD,MATERIAL=EL,"
      "SECTION=RECT\n.1,.1\n1.,0.,0.\n";
  const auto faces = [&](const std::string& lines) {
    std::vector<std::int32_t> found;
    const Deck deck = read_text(thin + step(lines));
    EXPECT_THAT(deck.unsupported, IsEmpty());
    for (const auto& flux : deck.model.steps[0].distributed_fluxes) found.push_back(flux.face);
    for (const auto& film : deck.model.steps[0].films) found.push_back(film.face);
    for (const auto& radiation : deck.model.steps[0].radiation) found.push_back(radiation.face);
    return found;
  };
  EXPECT_THAT(faces("*DFLUX\nPLATE,SNEG,1.\nPLATE,SPOS,1.\nPLATE,S1,1.\nPLATE,S6,1.\n"),
              ElementsAre(0, 1, 0, 5));
  EXPECT_THAT(faces("*FILM\nROD,F6,20.,5.\n*RADIATE\nPLATE,RNEGCR,20.,.5\n"), ElementsAre(5, 0));
  EXPECT_EQ(error_of_deck(thin + step("*FILM\nPLATE,F7,2.,1.\n")),
            "deck.inp:38: element 2 of type S4 has no face 'F7'; it has FNEG, FPOS and F1 to F6");
  EXPECT_EQ(error_of_deck(thin + step("*FILM\nROD,FPOS,2.,1.\n")),
            "deck.inp:38: element 3 of type B31 has no face 'FPOS'; it has F1 to F6");
  const Deck surface = read_text(thin + "*SURFACE,NAME=SKIN\nPLATE,S1\n" + step("*FILM\nSKIN,F,2.,1.\n"));
  EXPECT_EQ(surface.unsupported.size(), 1U);
}

TEST(HeatDeck, Films) {
  const Deck deck =
      heated("*FILM,OP=NEW,AMPLITUDE=A1\n1,F1,-12.,10.\n*FILM,FILM AMPLITUDE=A1\nTOP,F0,20.,.5\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  const model::Step& first = deck.model.steps[0];
  EXPECT_TRUE(first.operations.new_films);
  ASSERT_EQ(first.films.size(), 2u);
  EXPECT_EQ(first.films[0].face, 0);
  EXPECT_EQ(first.films[0].sink, -12);
  EXPECT_EQ(first.films[0].coefficient, 10);
  EXPECT_EQ(first.films[0].amplitude, 0);
  EXPECT_EQ(first.films[0].film_amplitude, -1);
  EXPECT_EQ(deck.model.source(first.films[1].line).line, 31);
  EXPECT_EQ(first.films[1].face, 1);
  EXPECT_EQ(first.films[1].film_amplitude, 0);
  EXPECT_EQ(first.films[1].amplitude, -1);

  EXPECT_EQ(error_when_heated("*FILM\n1,F1,0.,-10.\n"),
            "deck.inp:29: *FILM: the film coefficient is -10; it is not negative");
  EXPECT_EQ(
      error_when_heated("*FILM\n1,S1,0.,10.\n"),
      "deck.inp:29: *FILM: there is no load 'S1'; there are F1 to F6, and F with the name of a surface");
  EXPECT_EQ(error_when_heated("*FILM\n1\n"),
            "deck.inp:29: *FILM: there is no load ''; there are F1 to F6, and F with the name of a surface");
  EXPECT_EQ(error_when_heated("*FILM,FILM AMPLITUDE=B\n1,F1,0.,1.\n"),
            "deck.inp:28: *FILM names amplitude B, which does not exist; there is only A1");
  EXPECT_EQ(unsupported_when_heated("*FILM\n1,F1NU\n"), "deck.inp:29: *FILM, load F1NU");
  EXPECT_EQ(unsupported_when_heated("*FILM\n1,F1FC,9,10.\n"), "deck.inp:29: *FILM, load F1FC");
  EXPECT_EQ(unsupported_when_heated("*FILM\n1,F1FCNU,9\n"), "deck.inp:29: *FILM, load F1FCNU");
  EXPECT_EQ(unsupported_when_heated("*FILM,FILM AMPLITUDE=A1,FILM TIME DELAY=1.\n1,F1,0.,1.\n"),
            "deck.inp:28: *FILM, parameter FILMTIMEDELAY");
}

TEST(HeatDeck, Radiation) {
  const Deck deck = heated(
      "*RADIATE,OP=NEW,AMPLITUDE=A1,RADIATION AMPLITUDE=A1\n1,R1,-12.,1.\n*RADIATE,ENVNODE\nTOP,R0,9,.5\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.warnings, IsEmpty());
  const model::Step& first = deck.model.steps[0];
  EXPECT_TRUE(first.operations.new_radiation);
  ASSERT_EQ(first.radiation.size(), 2u);
  EXPECT_EQ(first.radiation[0].face, 0);
  EXPECT_EQ(first.radiation[0].ambient, -12);
  EXPECT_EQ(first.radiation[0].ambient_node, -1);
  EXPECT_EQ(first.radiation[0].emissivity, 1);
  EXPECT_EQ(first.radiation[0].amplitude, 0);
  EXPECT_EQ(first.radiation[0].emissivity_amplitude, 0);
  EXPECT_EQ(first.radiation[0].cavity, -1);
  EXPECT_EQ(first.radiation[1].face, 1);
  EXPECT_EQ(first.radiation[1].ambient_node, 8);
  EXPECT_EQ(first.radiation[1].emissivity, .5);
  EXPECT_EQ(deck.model.source(first.radiation[1].line).line, 31);
  EXPECT_THAT(deck.model.cavities, IsEmpty());
}

TEST(HeatDeck, Cavities) {
  const Deck deck = heated(
      "*RADIATE,CAVITY=IN\n1,R1CR,20.,1.\n*RADIATE\n1,R2CR,,.9\n*RADIATE,CAVITY=IN\n1,R3CR,-1000.,.8\n1,R4,"
      "20.,"
      ".7\n");
  EXPECT_THAT(deck.unsupported, IsEmpty());
  EXPECT_THAT(deck.model.cavities, ElementsAre("IN", ""));
  const auto& radiation = deck.model.steps[0].radiation;
  ASSERT_EQ(radiation.size(), 4u);
  EXPECT_EQ(radiation[0].cavity, 0);
  EXPECT_EQ(radiation[1].cavity, 1);
  EXPECT_EQ(radiation[1].ambient, 0);
  EXPECT_EQ(radiation[2].cavity, 0);
  EXPECT_EQ(radiation[2].ambient, -1000);  // closed
  EXPECT_EQ(radiation[3].cavity, -1);
  const Deck long_names =
      heated("*RADIATE,CAVITY=INNER\n1,R1CR,20.,1.\n*RADIATE,CAVITY=INN\n1,R2CR,20.,1.\n");
  EXPECT_THAT(long_names.model.cavities, ElementsAre("INN"));
  EXPECT_THAT(long_names.warnings,
              ElementsAre("deck.inp:28: *RADIATE: the name of a cavity has three letters; this is INN"));
  EXPECT_EQ(error_when_heated("*RADIATE\n1,R1CR,20.,1.5\n"),
            "deck.inp:29: *RADIATE: the emissivity in a cavity is 1.5; it goes from 0 to 1");
}

TEST(HeatDeck, RadiationThatMakesNoSense) {
  EXPECT_EQ(
      error_when_heated("*RADIATE\n1,R1,-300.,1.\n"),
      "deck.inp:29: *RADIATE: the ambient temperature -300 is below absolute zero, -273.15; give both in "
      "the same degrees");
  EXPECT_EQ(error_when_heated("*RADIATE\n1,R1,20.,-.1\n"),
            "deck.inp:29: *RADIATE: the emissivity is -0.1; it is not negative");
  EXPECT_EQ(
      error_when_heated("*RADIATE\n1,Q1,20.,1.\n"),
      "deck.inp:29: *RADIATE: there is no load 'Q1'; there are R1 to R6, R1CR to R6CR, and R or R0CR with "
      "the name of a surface");
  EXPECT_EQ(error_when_heated("*RADIATE,ENVNODE\n1,R1,99,1.\n"),
            "deck.inp:29: *RADIATE names node 99, which does not exist; define it by *NODE");
  EXPECT_EQ(unsupported_when_heated("*RADIATE\n1,R1NU\n"), "deck.inp:29: *RADIATE, load R1NU");
  EXPECT_EQ(unsupported_when_heated("*RADIATE\n1,R1CRNU\n"), "deck.inp:29: *RADIATE, load R1CRNU");
  EXPECT_EQ(unsupported_when_heated("*VIEWFACTOR,WRITE ONLY\n"),
            "deck.inp:28: *VIEWFACTOR, parameter WRITEONLY");
  EXPECT_THAT(heated("*VIEWFACTOR,WRITE\n").warnings, ElementsAre(HasSubstr("*VIEWFACTOR is ignored")));

  const std::string constants = "*PHYSICAL CONSTANTS,ABSOLUTE ZERO=-273.15,STEFAN BOLTZMANN=5.669E-8\n";
  const auto error_with = [&](const std::string& instead) {
    std::string text = hot_cube + step("*RADIATE\n1,R1,20.,1.\n");
    text.replace(text.find(constants), constants.size(), instead);
    return error_of_deck(text);
  };
  const std::string remedy =
      "; add *PHYSICAL CONSTANTS, ABSOLUTE ZERO=, STEFAN BOLTZMANN= before the first step: -273.15 and "
      "5.669E-8 "
      "for W, m and degrees Celsius";
  EXPECT_EQ(error_with(""),
            "deck.inp:28: *RADIATE, but the deck does not say what absolute zero and Stefan and "
            "Boltzmann's constant is" +
                remedy);
  EXPECT_EQ(
      error_with("*PHYSICAL CONSTANTS,ABSOLUTE ZERO=0\n"),
      "deck.inp:29: *RADIATE, but the deck does not say what Stefan and Boltzmann's constant is" + remedy);
  EXPECT_EQ(error_with("*PHYSICAL CONSTANTS,STEFAN BOLTZMANN=1\n"),
            "deck.inp:29: *RADIATE, but the deck does not say what absolute zero is" + remedy);
}

TEST(HeatDeck, TemperatureIsDegreeOfFreedomElevenOrZero) {
  const Deck deck = read_text(hot_cube + "*EQUATION\n2\n5,11,1.,6,0,-1.\n2\n7,1,1.,8,2,-1.\n" +
                              step("*BOUNDARY\n1,0,0,100.\n2,11,11,20.\n*EQUATION,REMOVE\n5,0\n"));
  EXPECT_THAT(deck.unsupported, IsEmpty());
  const auto& equations = deck.model.equations;
  ASSERT_EQ(equations.size(), 2u);
  EXPECT_EQ(equations[0].terms[0].direction, 11);
  EXPECT_EQ(equations[0].terms[1].direction, 11);
  EXPECT_EQ(equations[1].terms[1].direction, 2);
  const model::Step& first = deck.model.steps[0];
  EXPECT_EQ(first.prescribed[0].direction, 11);
  EXPECT_EQ(first.prescribed[0].value, 100);
  EXPECT_EQ(first.prescribed[1].direction, 11);
  EXPECT_THAT(first.removed_equations, ElementsAre(0));
  EXPECT_EQ(error_of_deck(hot_cube + "*EQUATION\n2\n5,11,1.,6,1,-1.\n" + step("")),
            "deck.inp:28: *EQUATION: a temperature and a displacement in one equation; give equations of "
            "temperatures and of displacements apart");
  EXPECT_EQ(error_of_deck(hot_cube + "*EQUATION\n1\n5,12,1.\n" + step("")),
            "deck.inp:28: *EQUATION: degree of freedom 12; it is 1, 2 or 3, or 11 for the temperature");
  EXPECT_EQ(read_text(hot_cube + "*EQUATION\n1\n5,8,1.\n" + step("")).unsupported[0].text(),
            "deck.inp:28: *EQUATION, degree of freedom 8");
}

TEST(HeatDeck, SaysWhatMaterialsLackForTheSteps) {
  const auto without = [](const std::string& card, const std::string& steps) {
    std::string text = hot_cube + steps;
    const std::size_t at = text.find(card);
    text.erase(at, text.find('\n', text.find('\n', at) + 1) + 1 - at);
    return error_of_deck(text);
  };
  const std::string steady = step("", "*HEAT TRANSFER,STEADY STATE");
  const std::string modes = step("", "*HEAT TRANSFER,FREQUENCY\n1");
  EXPECT_EQ(without("*CONDUCTIVITY", steady),
            "deck.inp:16: material EL has no conductivity; add *CONDUCTIVITY after it");
  EXPECT_EQ(without("*SPECIFIC HEAT", steady), "no error");
  EXPECT_EQ(without("*DENSITY", steady), "no error");
  for (const std::string& changing : {step(""), modes}) {
    EXPECT_EQ(without("*SPECIFIC HEAT", changing),
              "deck.inp:16: material EL has no specific heat; add *SPECIFIC HEAT after it");
    EXPECT_EQ(without("*DENSITY", changing),
              "deck.inp:16: material EL has no density; add *DENSITY after it");
  }
  const std::string periodic = step("", "*STEADY STATE DYNAMICS\n5.,20.,20");
  EXPECT_EQ(error_of_deck(hot_cube + modes + periodic), "no error");
  EXPECT_EQ(error_of_deck(hot_cube + steady + step("", "*STATIC")),
            "deck.inp:16: material EL has no elastic constants; add *ELASTIC after it");
  EXPECT_EQ(error_of_deck(hot_cube + modes + step("", "*FREQUENCY\n1") + periodic),
            "deck.inp:16: material EL has no elastic constants; add *ELASTIC after it");
}

TEST(HeatDeck, WarnsOfWhatHasNoEffect) {
  const std::string stiff = hot_cube + "*ELASTIC\n1.,.3\n";
  EXPECT_THAT(read_text(stiff + step("*FILM\n1,F1,0.,1.\n*CFLUX\n1,11,1.\n", "*STATIC")).warnings,
              testing::UnorderedElementsAre(
                  "deck.inp:15: *PHYSICAL CONSTANTS has no effect on the steps of this deck",
                  "deck.inp:17: *CONDUCTIVITY has no effect on the steps of this deck",
                  "deck.inp:19: *SPECIFIC HEAT has no effect on the steps of this deck",
                  "deck.inp:30: *FILM has no effect on the steps of this deck",
                  "deck.inp:32: *CFLUX has no effect on the steps of this deck"));
  EXPECT_THAT(heated("*CLOAD\n1,1,5.\n").warnings,
              ElementsAre("deck.inp:29: forces and pressures have no effect on *HEAT TRANSFER"));
}

/// As Abaqus names them, and CalculiX takes them.
TEST(HeatDeck, ElementsHaveNamesOfHeat) {
  for (const std::string name :
       {"C3D4", "C3D6", "C3D8", "C3D10", "C3D15", "C3D20", "CAX3", "CAX4", "CAX6", "CAX8"}) {
    EXPECT_EQ(setka::deck::find_element("D" + name), setka::deck::find_element(name)) << name;
    EXPECT_TRUE(setka::deck::find_element(name).has_value()) << name;
  }
  EXPECT_FALSE(setka::deck::find_element("DC3D20R").has_value());
  EXPECT_FALSE(setka::deck::find_element("DCPS4").has_value());
  EXPECT_FALSE(setka::deck::find_element("DC3D").has_value());
}

}  // namespace
