// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *SUBSTRUCTURE GENERATE and *MATRIX INPUT: a part as a matrix stands for the part as a mesh.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "setka/analysis/check.hpp"
#include "setka/analysis/job.hpp"
#include "setka/base/error.hpp"
#include "setka/deck/inp.hpp"
#include "setka/io/superelement.hpp"
#include "setka/solve/cholesky.hpp"

namespace setka {
namespace {

using ::testing::HasSubstr;

constexpr int length = 8;  // elements of the beam
constexpr int middle = 3;  // where part A ends and part B begins

int label(int i, int corner) {
  return 100 + 4 * i + corner;
}

std::string nodes(int first, int last) {
  std::string text = "*NODE, NSET=NALL\n";
  for (int i = first; i <= last; ++i) {
    for (int corner = 0; corner < 4; ++corner)  // a little skew, so that nothing vanishes by symmetry
      text += fmt::format("{},{},{},{}\n", label(i, corner), i + 0.1 * (corner % 2), corner / 2 + 0.05 * i,
                          corner % 2);
  }
  return text;
}

std::string elements(int first, int last) {
  std::string text = "*ELEMENT,TYPE=C3D8I,ELSET=EALL\n";
  for (int i = first; i < last; ++i)
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", i + 1, label(i, 0), label(i + 1, 0), label(i + 1, 2),
                        label(i, 2), label(i, 1), label(i + 1, 1), label(i + 1, 3), label(i, 3));
  return text + "*MATERIAL,NAME=M\n*ELASTIC\n210000.,.3\n*SOLID SECTION,ELSET=EALL,MATERIAL=M\n";
}

std::string face(const std::string& name, int i) {
  return fmt::format("*NSET,NSET={}\n{},{},{},{}\n", name, label(i, 0), label(i, 1), label(i, 2),
                     label(i, 3));
}

const std::string load =
    "*STEP\n*STATIC\n*CLOAD\nTIP,2,1.\nTIP,3,-2.5\n*NODE PRINT,NSET=NALL\nU,RF\n*END STEP\n";
const std::string held = face("BASE", 0) + "*BOUNDARY\nBASE,1,3\n";
const std::string generate = "*STEP\n*SUBSTRUCTURE GENERATE\n";
const std::string part_b =
    nodes(middle, length) + elements(middle, length) + face("JOINT", middle) + face("TIP", length);

class Superelement : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!solve::Cholesky::available()) GTEST_SKIP() << "built without CHOLMOD";
  }

  struct Run {
    std::unique_ptr<deck::Deck> deck;
    std::vector<model::Frame> frames;

    double at(const char* field, int node, int direction) const {
      const auto n = static_cast<std::size_t>(deck->model.mesh.find_node(node));
      return frames.back().node_field(field)->values.at(3 * n + static_cast<std::size_t>(direction));
    }
  };

  /// Superelements are written as part-b.mtx.
  Run run(const std::string& text, const analysis::Computing& computing = analysis::Computing::on_cpu(1)) {
    Monitor monitor(ProgressDisplay::silent());
    Run run{std::make_unique<deck::Deck>(deck::read_inp_text(text, (folder_ / "deck.inp").string(), monitor)),
            {}};
    deck::refuse_unsupported(*run.deck);
    const analysis::Setup setup = analysis::prepare(run.deck->model, monitor);
    analysis::StepServices services;
    services.superelement = [&](const model::SubstructureStep&, const io::SuperelementMatrix& matrix) {
      io::write_superelement(folder_ / "part-b.mtx", matrix);
    };
    analysis::run_steps(
        setup, computing, [&](const model::Step&, const model::Frame& frame) { run.frames.push_back(frame); },
        monitor, {}, services);
    return run;
  }

  std::string refusal(const std::string& text) {
    try {
      run(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      return error.what();
    }
    return "nothing was thrown";
  }

  test::ScratchFolder folder_;
};

const std::string joined = "*MATRIX INPUT, NAME=B, INPUT=part-b.mtx\n*MATRIX ASSEMBLE, STIFFNESS=B\n";

TEST_F(Superelement, StandsForThePartThatIsNotMeshed) {
  run(part_b + generate + "*RETAINED NODAL DOFS, SORTED=NO\nJOINT,1,3\nTIP,1,3\n*END STEP\n");
  const Run whole = run(nodes(0, length) + elements(0, length) + held + face("TIP", length) + load);
  const std::string assembled =
      nodes(0, middle) + nodes(length, length) + elements(0, middle) + joined + held + face("TIP", length);
  analysis::Computing by_cg = analysis::Computing::on_cpu(2);
  by_cg.solver.method = solve::Method::cg;
  for (const analysis::Computing& computing : {analysis::Computing::on_cpu(1), by_cg}) {
    const Run parts = run(assembled + load, computing);
    const double largest = std::abs(whole.at("U", label(length, 0), 2));
    // Thirteen digits of a matrix whose condition is some 1e4.
    for (const int i : {1, 2, middle, length}) {
      for (int corner = 0; corner < 4; ++corner) {
        for (int d = 0; d < 3; ++d) {
          EXPECT_NEAR(parts.at("U", label(i, corner), d), whole.at("U", label(i, corner), d), 1e-8 * largest);
          // Forces within the whole are zero at the joint too: what the matrix carries counts.
          EXPECT_NEAR(parts.at("RF", label(i, corner), d), whole.at("RF", label(i, corner), d), 1e-6);
        }
      }
    }
    for (int corner = 0; corner < 4; ++corner)
      EXPECT_NEAR(parts.at("RF", label(0, corner), 2), whole.at("RF", label(0, corner), 2), 1e-6);
  }
}

TEST_F(Superelement, TakesPrescribedValuesEquationsAndTurnedAxes) {
  run(part_b + generate + "*RETAINED NODAL DOFS\nJOINT,1,3\nTIP,1,3\n*END STEP\n");
  const std::string more =
      face("TIP", length) + "*TRANSFORM,NSET=TIP,TYPE=R\n0.6,0.8,0,-0.8,0.6,0\n" +
      fmt::format("*EQUATION\n2\n{},3,1.,{},3,-1.\n", label(length, 1), label(length, 0)) +
      fmt::format(
          "*STEP\n*STATIC\n*BOUNDARY\n{},1,1,0.01\n*CLOAD\n{},2,3.\n*NODE PRINT,NSET=NALL\nU,RF\n"
          "*END STEP\n",
          label(length, 2), label(length, 3));
  const Run whole = run(nodes(0, length) + elements(0, length) + held + more);
  const Run parts =
      run(nodes(0, middle) + nodes(length, length) + elements(0, middle) + joined + held + more);
  for (const int i : {1, middle, length}) {
    for (int corner = 0; corner < 4; ++corner) {
      for (int d = 0; d < 3; ++d) {
        EXPECT_NEAR(parts.at("U", label(i, corner), d), whole.at("U", label(i, corner), d), 1e-9);
        EXPECT_NEAR(parts.at("RF", label(i, corner), d), whole.at("RF", label(i, corner), d), 1e-4);
      }
    }
  }
}

TEST_F(Superelement, IsCondensedAgain) {
  run(part_b + generate + "*RETAINED NODAL DOFS\nJOINT,1,3\nTIP,1,3\n*END STEP\n");
  run(nodes(0, middle) + nodes(length, length) + elements(0, middle) + joined + held + face("TIP", length) +
      generate + "*RETAINED NODAL DOFS\nTIP,1,3\n*END STEP\n");
  const io::SuperelementMatrix twice = io::read_superelement(folder_ / "part-b.mtx");
  run(nodes(0, length) + elements(0, length) + held + face("TIP", length) + generate +
      "*RETAINED NODAL DOFS\nTIP,1,3\n*END STEP\n");
  const io::SuperelementMatrix once = io::read_superelement(folder_ / "part-b.mtx");
  EXPECT_EQ(twice.node, once.node);
  ASSERT_EQ(twice.lower.size(), 78U);
  for (std::size_t i = 0; i < once.lower.size(); ++i)
    EXPECT_NEAR(twice.lower[i], once.lower[i], 1e-9 * std::abs(once.lower[0]));
}

TEST_F(Superelement, OfAFreePartResistsNoRigidMotion) {
  run(part_b + generate + "*RETAINED NODAL DOFS\nJOINT,1,3\nTIP,1,3\n*END STEP\n");
  const io::SuperelementMatrix matrix = io::read_superelement(folder_ / "part-b.mtx");
  for (std::size_t i = 0; i < matrix.node.size(); ++i) {
    double force = 0;  // of a translation along z
    for (std::size_t j = 2; j < matrix.node.size(); j += 3)
      force += matrix.lower[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
    EXPECT_NEAR(force, 0, 1e-6);
  }
}

TEST_F(Superelement, OfAPlaneModelHasItsDirections) {
  const std::string square =
      "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,2,1\n*ELEMENT,TYPE=CPS4,ELSET=E\n1,1,2,3,4\n2,2,5,6,3\n"
      "*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n*SOLID "
      "SECTION,ELSET=E,MATERIAL=M\n.5\n*NSET,NSET=ENDS\n1,4,5,6\n";
  run(square + generate + "*RETAINED NODAL DOFS\nENDS,1,2\n*END STEP\n");
  const io::SuperelementMatrix matrix = io::read_superelement(folder_ / "part-b.mtx");
  EXPECT_THAT(matrix.direction, ::testing::ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
  double pulled = 0;  // the force of both ends on the left when both on the right move by 1
  for (const auto& [i, j] : {std::pair{4, 0}, {4, 2}, {6, 0}, {6, 2}})
    pulled += matrix.lower[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
  EXPECT_LT(pulled, -1000 * .5 / 2);  // E A / l of a bar, and more since the ends may not contract
  EXPECT_GT(pulled, -1.2 * 1000 * .5 / 2);
  EXPECT_THAT(refusal(square + generate + "*RETAINED NODAL DOFS\nENDS,1,3\n*END STEP\n"),
              HasSubstr("node 1, direction 3 is retained, but it is held at a value"));
}

TEST_F(Superelement, WrongStepsAreRefused) {
  const std::string line = (folder_ / "deck.inp").string() + ":";
  EXPECT_THAT(
      refusal(part_b + generate + "*END STEP\n"),
      HasSubstr("*SUBSTRUCTURE GENERATE retains nothing; name the nodes that the superelement keeps by "
                "*RETAINED NODAL DOFS"));
  const std::string retained = generate + "*RETAINED NODAL DOFS\n";
  EXPECT_THAT(
      refusal(part_b + "*BOUNDARY\nTIP,2\n" + retained + "TIP,1,3\n*END STEP\n"),
      HasSubstr(fmt::format("node {}, direction 2 is retained, but it is held at a value, or no element "
                            "has it; leave it out of *RETAINED NODAL DOFS, or its *BOUNDARY out",
                            label(length, 0))));
  EXPECT_THAT(
      refusal(part_b + fmt::format("*EQUATION\n2\n{},1,1.,{},1,-1.\n", label(length, 0), label(length, 1)) +
              retained + "TIP,1\n*END STEP\n"),
      HasSubstr("an equation makes it follow others"));
  EXPECT_THAT(refusal(part_b + "*TRANSFORM,NSET=TIP\n0,1,0,-1,0,0\n" + retained + "TIP,1\n*END STEP\n"),
              HasSubstr("*TRANSFORM gives the node axes of its own"));
  // Three translations of a node leave its body free to turn.
  EXPECT_THAT(
      refusal(part_b + retained + fmt::format("{},1,3\n*END STEP\n", label(length, 0))),
      HasSubstr("moves without force while all that is retained is held; retain more of it, or hold it "
                "by *BOUNDARY"));
  EXPECT_THAT(refusal(part_b + retained +
                      "TIP,1,3\n*END STEP\n*STEP\n*STATIC\n*RETAINED NODAL DOFS\nTIP,1\n"
                      "*END STEP\n"),
              HasSubstr("*RETAINED NODAL DOFS in a step without *SUBSTRUCTURE GENERATE"));
  EXPECT_THAT(refusal(part_b + generate + "*SUBSTRUCTURE MATRIX OUTPUT\n*END STEP\n"),
              HasSubstr("*SUBSTRUCTURE MATRIX OUTPUT asks for no matrix; add STIFFNESS=YES"));
  EXPECT_THAT(refusal(part_b + retained + "TIP,3,1\n*END STEP\n"), HasSubstr("give the lower one first"));
}

TEST_F(Superelement, WrongMatricesAreRefused) {
  run(part_b + generate + "*RETAINED NODAL DOFS\nJOINT,1,3\nTIP,1,3\n*END STEP\n");
  const std::string part_a = nodes(0, middle) + elements(0, middle) + held + face("TIP", middle);
  EXPECT_THAT(refusal(part_a + joined + load),
              HasSubstr(fmt::format("matrix B is of node {}, which does not exist; define it by *NODE",
                                    label(length, 0))));
  EXPECT_THAT(refusal(part_a + "*MATRIX INPUT,NAME=B,INPUT=none.mtx\n" + load),
              HasSubstr("there is no file 'none.mtx'"));
  EXPECT_THAT(refusal(part_a + "*MATRIX INPUT,NAME=B\n" + load), HasSubstr("*MATRIX INPUT without INPUT"));
  EXPECT_THAT(refusal(part_a + "*MATRIX ASSEMBLE,STIFFNESS=B\n" + load),
              HasSubstr("*MATRIX ASSEMBLE names matrix B, which does not exist"));
  const std::string both = nodes(length, length) + part_a + joined;
  EXPECT_THAT(refusal(both + "*MATRIX ASSEMBLE,STIFFNESS=B\n" + load), HasSubstr("is assembled already"));
  EXPECT_THAT(refusal(both + "*STEP\n*FREQUENCY\n2\n*END STEP\n"),
              HasSubstr("matrix B has a stiffness and no mass, and a step of the deck is of motion"));
}

TEST_F(Superelement, OfAMatrixThatIsNotAssembledIsTold) {
  run(part_b + generate + "*RETAINED NODAL DOFS\nJOINT,1,3\n*END STEP\n");
  const Run run_without = run(nodes(0, middle) + elements(0, middle) + held + face("TIP", middle) +
                              "*MATRIX INPUT,NAME=B,INPUT=part-b.mtx\n" + load);
  ASSERT_EQ(run_without.deck->warnings.size(), 1U);
  EXPECT_THAT(run_without.deck->warnings[0], HasSubstr("matrix B is not assembled and has no effect"));
}

TEST_F(Superelement, WhatNothingHoldsIsSeenAcrossIt) {
  run(part_b + generate + "*RETAINED NODAL DOFS\nJOINT,1,3\nTIP,1,3\n*END STEP\n");
  EXPECT_THAT(refusal(nodes(0, middle) + nodes(length, length) + elements(0, middle) + joined +
                      face("TIP", length) + load),
              HasSubstr("would set it moving"));
}

}  // namespace
}  // namespace setka
