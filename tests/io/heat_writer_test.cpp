// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Frames of heat transfer, which have temperatures and no displacements, in each of the result files. Titles,
// columns and blocks are what CalculiX 2.20 wrote for this deck.
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/base/error.hpp"
#include "setka/base/monitor.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/dat_writer.hpp"
#include "setka/io/frd_writer.hpp"
#include "setka/io/vtu_writer.hpp"

namespace setka::io {
namespace {

using test::content;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view warm_tetrahedron = R"(*NODE,NSET=NALL
1,0,0,0
2,1,0,0
3,0,1,0
4,0,0,1
*ELEMENT,TYPE=C3D4,ELSET=EALL
1,1,2,3,4
*SURFACE,NAME=BASE
1,S1
*MATERIAL,NAME=EL
*CONDUCTIVITY
50.
*ELASTIC
1.,.3
*ORIENTATION,NAME=OR1
0,1,0,-1,0,0
*SOLID SECTION,ELSET=EALL,MATERIAL=EL,ORIENTATION=OR1
*TRANSFORM,NSET=NALL,TYPE=R
0,1,0,-1,0,0
*STEP
*HEAT TRANSFER,STEADY STATE
*NODE PRINT,NSET=NALL,TOTALS=YES
NT,RFL,U,RF
*EL PRINT,ELSET=EALL,TOTALS=YES
HFL,S,EVOL
*EL PRINT,ELSET=EALL,GLOBAL=YES
HFL
*SECTION PRINT,SURFACE=BASE,NAME=CUT
SOF
*NODE FILE
NT,RFL,U,RF
*EL FILE,GLOBAL=NO
HFL,S
*END STEP
*STEP
*HEAT TRANSFER
.5,1.
*END STEP
*STEP
*STATIC
*END STEP
)";

class HeatFrames : public testing::Test {
 protected:
  HeatFrames() {
    Monitor monitor;
    model = deck::read_inp_text(warm_tetrahedron, "deck.inp", monitor, deck::Completeness::unchecked).model;
    frame.node_fields = {{"NT", 1, {100, 90, 80, -7.5}},
                         {"RFL", 1, {1, 2, -4, 0.5}},
                         {"HFL", 3, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}}};
    frame.point_fields = {{"HFL", 3, {1, 2, 3}}};
  }

  const ScratchFolder folder;
  model::Model model;
  model::Frame frame;
  model::PointLayout layout{{0, 1}};
};

TEST_F(HeatFrames, TablesOfTemperatureGenerationAndFlux) {
  DatWriter writer(folder / "job.dat", model, layout);
  writer.write(model.steps[0], frame);
  writer.finish();
  EXPECT_EQ(content(folder / "job.dat"), R"(
 temperatures for set NALL and time  0.1000000E+01

         1  1.000000E+02
         2  9.000000E+01
         3  8.000000E+01
         4 -7.500000E+00

 heat generation for set NALL and time  0.1000000E+01

         1  1.000000E+00
         2  2.000000E+00
         3 -4.000000E+00
         4  5.000000E-01

 total heat generation for set NALL and time  0.1000000E+01

       -5.000000E-01

 heat flux (elem, integ.pnt.,qx,qy,qz) for setEALL and time  0.1000000E+01

         1   1  2.000000E+00 -1.000000E+00  3.000000E+00 OR1                 

 heat flux (elem, integ.pnt.,qx,qy,qz) for setEALL and time  0.1000000E+01

         1   1  1.000000E+00  2.000000E+00  3.000000E+00
)");
}

TEST_F(HeatFrames, BlocksOfTemperatureFluxAndGeneration) {
  FrdWriter writer(folder / "job.frd", model);
  writer.write(model.steps[0], frame);
  frame.step = 2;
  frame.time = 1.5;
  writer.write(model.steps[1], frame);
  writer.finish();
  const std::string text = content(folder / "job.frd");
  EXPECT_THAT(text, HasSubstr(R"(    1PSTEP                         1           1           1          
  100CL  101 1.000000000           4                     0    1           1
 -4  NDTEMP      1    1
 -5  T           1    1    0    0
 -1         1 1.00000E+02
 -1         2 9.00000E+01
 -1         3 8.00000E+01
 -1         4-7.50000E+00
 -3
    1PSTEP                         2           1           1          
  100CL  101 1.000000000           4                     0    1           1
 -4  FLUX        4    1
 -5  F1          1    2    1    0
 -5  F2          1    2    2    0
 -5  F3          1    2    3    0
 -5  ALL         1    2    0    0    1ALL
 -1         1 1.00000E+00 2.00000E+00 3.00000E+00
)"));  // *TRANSFORM turns what belongs to nodes, not what elements have
  EXPECT_THAT(text, HasSubstr(R"(
    1PSTEP                         3           1           1          
  100CL  101 1.000000000           4                     0    1           1
 -4  RFL         1    1
 -5  RFL         1    1    0    0
 -1         1 1.00000E+00
)"));
  EXPECT_THAT(text,
              HasSubstr("  100CL  102 1.500000000           4                     1    2           1\n"));
  EXPECT_THAT(text, Not(HasSubstr("DISP")));
  EXPECT_THAT(text, Not(HasSubstr("STRESS")));
}

TEST_F(HeatFrames, FieldsForParaView) {
  VtuWriter writer(folder / "job", model);
  writer.write(model.steps[0], frame);
  writer.finish();
  const std::string text = content(folder / "job.vtu");
  EXPECT_THAT(text, HasSubstr("Name=\"NT\" NumberOfComponents=\"1\""));
  EXPECT_THAT(text, HasSubstr("Name=\"HFL\" NumberOfComponents=\"3\""));
}

TEST_F(HeatFrames, WhatHeatAsksForAndAFrameLacksIsAnError) {
  frame.node_fields.resize(1);
  DatWriter table(folder / "job.dat", model, layout);
  EXPECT_THAT([&] { table.write(model.steps[0], frame); },
              testing::ThrowsMessage<Error>(".dat: RFL is asked for but the frame has no heat generation"));
  FrdWriter blocks(folder / "job.frd", model);
  EXPECT_THAT([&] { blocks.write(model.steps[0], frame); },
              testing::ThrowsMessage<Error>(".frd: HFL is asked for and needs 12 values; the frame has 0"));
}

/// Requests stay from step to step: those for heat print nothing where bodies move.
TEST_F(HeatFrames, AFrameOfMechanicsHasNoTablesOfHeat) {
  frame.node_fields = {{"NT", 1, std::vector<double>(4, 20)},
                       {"U", 3, std::vector<double>(12, 0.5)},
                       {"RF", 3, std::vector<double>(12, 0)},
                       {"S", 6, std::vector<double>(24, 0)}};
  frame.point_fields = {{"S", 6, std::vector<double>(6, 0)}};
  frame.element_volume = {1. / 6};
  frame.sections.emplace_back().surface = 0;
  DatWriter table(folder / "job.dat", model, layout);
  table.write(model.steps[2], frame);
  table.finish();
  FrdWriter blocks(folder / "job.frd", model);
  blocks.write(model.steps[2], frame);
  blocks.finish();
  EXPECT_THAT(content(folder / "job.dat"), HasSubstr("displacements"));
  EXPECT_THAT(content(folder / "job.dat"), HasSubstr("statistics for surface set"));
  EXPECT_THAT(content(folder / "job.dat"), Not(HasSubstr("heat")));
  EXPECT_THAT(content(folder / "job.frd"), HasSubstr("STRESS"));
  EXPECT_THAT(content(folder / "job.frd"), Not(HasSubstr("FLUX")));
}

}  // namespace
}  // namespace setka::io
