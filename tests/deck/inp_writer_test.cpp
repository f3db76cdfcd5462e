// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/deck/inp_writer.hpp"
#include "setka/deck/element_names.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "io/msh_models.hpp"
#include "io/scratch_folder.hpp"
#include "setka/deck/inp.hpp"
#include "setka/model/element_type.hpp"

namespace setka {
namespace {

std::string written(const model::Model& model) {
  const test::ScratchFolder folder;
  io::OutputFile file(folder / "mesh.inp");
  deck::write_inp_mesh(model, file);
  file.commit();
  return test::content(folder / "mesh.inp");
}

/// The mesh with what a deck needs besides.
deck::Deck read_deck(const std::string& mesh) {
  Monitor monitor;
  return deck::read_inp_text(mesh + R"(*MATERIAL, NAME=STEEL
*ELASTIC
210000, 0.3
*SOLID SECTION, ELSET=PLATE, MATERIAL=STEEL
*BOUNDARY
LEFT_SIDE, 1, 3
*STEP
*STATIC
*DSLOAD
LEFT_SIDE, P, 1
*END STEP
)",
                             "deck.inp", monitor);
}

class InpWriter : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Meshes, InpWriter,
                         ::testing::Values("tetra_1", "tetra_2", "prism_1", "prism_2", "hexa_1", "hexa_2",
                                           "hexa_2_binary", "tetra_2_fine", "several_msh22", "plane_quads"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(InpWriter, WhatIsWrittenReadsTheSame) {
  const model::Model model = test::read_data(GetParam());
  const std::string text = written(model);
  const deck::Deck deck = read_deck(text);
  EXPECT_TRUE(deck.unsupported.empty());
  EXPECT_TRUE(deck.warnings.empty()) << deck.warnings.front();
  // Bits are kept but for numbers of more than 20 characters, which CalculiX cuts.
  test::expect_same_mesh(model.mesh, deck.model.mesh, true, 1e-15);
  test::expect_same_sets(model, deck.model);

  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    int count = 0;
    for (std::string field; std::getline(fields, field, ','); ++count) {
      if (line[0] != '*') {
        EXPECT_LE(field.size(), 21u) << line;  // with the blank before it
      }
    }
    EXPECT_LE(count, 16) << line;
  }
}

TEST(InpWriterText, IsPlain) {
  model::Model model;
  for (int i = 0; i < 4; ++i) model.mesh.add_node(i + 1, i == 1, i == 2, i == 3 ? -1.2345678901234567e-7 : 0);
  model::add_element(model.mesh, 3, deck::element("C3D4"), std::vector<std::int32_t>{0, 1, 2, 3});
  model.node_sets.push_back({"N", {0, 2}});
  model.element_sets.push_back({"E", {0}});
  model.surfaces.push_back({"S", false, {{0, 1}}, {}});
  model.surfaces.push_back({"POINTS", true, {}, {3}});
  EXPECT_EQ(written(model), R"(*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, -1.2345678901235e-07
*ELEMENT, TYPE=C3D4
3, 1, 2, 3, 4
*NSET, NSET=N
1, 3
*ELSET, ELSET=E
3
*SURFACE, NAME=S, TYPE=ELEMENT
3, S2
*SURFACE, NAME=POINTS, TYPE=NODE
4
)");
}

}  // namespace
}  // namespace setka
