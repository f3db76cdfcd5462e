// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What result files show with OUTPUT=3D. Comparisons of files with CalculiX: tests/calculix/own/shown_*.
#include "setka/analysis/shown_solids.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"
#include "io/scratch_folder.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/io/frd_writer.hpp"
#include "setka/io/vtu_writer.hpp"
#include "setka/model/attributes.hpp"

namespace setka {
namespace {

using test::DeckRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Shown {
  DeckRun run;
  std::shared_ptr<const model::ShownSolids> solids;

  std::vector<std::int32_t> node_numbers() const {
    std::vector<std::int32_t> numbers;
    const mesh::Mesh& mesh = solids->model.mesh;
    for (std::int32_t n = 0; n < mesh.node_count(); ++n) numbers.push_back(mesh.node_label(n));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  /// Of a field at a shown node.
  double at(const char* field, std::int32_t label, std::size_t component) const {
    const model::NodeField* const values = run.frames.back().node_field(field);
    const auto node = static_cast<std::size_t>(solids->model.mesh.find_node(label));
    const auto width = static_cast<std::size_t>(values->components);
    return values->values.at(width * static_cast<std::size_t>(solids->node.at(node)) + component);
  }
};

Shown show(const std::string& deck) {
  Shown shown{test::run_deck_text(deck), nullptr};
  Monitor monitor(ProgressDisplay::silent());
  shown.solids = analysis::shown_solids(analysis::prepare(shown.run.deck->model, monitor));
  return shown;
}

const std::string fold =  // two shells at a right angle
    "*NODE\n11,0,0,0\n12,1,0,0\n13,1,1,0\n14,0,1,0\n15,1,0,1\n16,1,1,1\n*ELEMENT,TYPE=S4,ELSET=E\n"
    "1,11,12,13,14\n2,12,15,16,13\n*MATERIAL,NAME=M\n*ELASTIC\n210000,.3\n*SHELL "
    "SECTION,ELSET=E,MATERIAL=M\n.1\n";
const std::string pull = "*STEP\n*STATIC\n*BOUNDARY\n11,1,6\n14,1,6\n*CLOAD\n15,1,1.\n";

TEST(ShownSolids, AreThoseOfTheFirstStepThatAsksForThem) {
  EXPECT_EQ(show(fold + pull + "*NODE FILE\nU\n*END STEP\n").solids, nullptr);
  EXPECT_EQ(show(fold + pull + "*NODE FILE,OUTPUT=2D\nU\n*END STEP\n").solids, nullptr);
  const std::string solid =
      "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT,TYPE=C3D4,ELSET=E\n1,1,2,3,4\n*MATERIAL,NAME=M\n"
      "*ELASTIC\n1,0\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*STATIC\n*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n";
  EXPECT_EQ(show(solid + "*NODE FILE,OUTPUT=3D\nU\n*END STEP\n").solids, nullptr);
}

TEST(ShownSolids, HaveTheNumbersOfCalculix) {
  const Shown shown = show(fold + pull + "*NODE FILE,OUTPUT=3D\nU,RF\n*EL FILE\nS\n*END STEP\n");
  ASSERT_NE(shown.solids, nullptr);
  const mesh::Mesh& mesh = shown.solids->model.mesh;
  // As CalculiX 2.20 writes them: three numbers a section, of which S4 has two, and eight of each knot.
  EXPECT_THAT(shown.node_numbers(),
              ElementsAre(17, 19, 20, 22, 23, 25, 34, 36, 37, 39, 48, 50, 51, 53, 54, 56));
  ASSERT_EQ(mesh.element_count(), 2);
  std::vector<std::int32_t> second;
  for (const std::int32_t node : mesh.nodes(1)) second.push_back(mesh.node_label(node));
  EXPECT_THAT(second, ElementsAre(23, 51, 54, 37, 25, 53, 56, 39));
  EXPECT_EQ(deck::name(mesh, 0), "C3D8");
  EXPECT_THAT(model::materials_of_elements(shown.solids->model), ElementsAre(0, 0));
  EXPECT_THAT(mesh.coordinates(mesh.find_node(17)), ElementsAre(0, 0, -0.05));
}

TEST(ShownSolids, ShowBendingThatMeansHide) {
  const Shown shown = show(fold + pull + "*NODE FILE,OUTPUT=3D\nU,RF\n*EL FILE\nS\n*END STEP\n");
  // At a node of the deck the mean over the thickness.
  EXPECT_GT(std::abs(shown.at("S", 17, 0)), 5 * std::abs(shown.run.at_node("S", 11, 0)));
  EXPECT_NEAR(shown.at("S", 17, 0) + shown.at("S", 19, 0), 2 * shown.run.at_node("S", 11, 0), 1e-6);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(shown.at("U", 51, k) + shown.at("U", 53, k),
                2 * shown.run.at_node("U", 15, static_cast<int>(k)), 1e-12);
  EXPECT_NEAR(shown.at("RF", 17, 0) + shown.at("RF", 19, 0), shown.run.at_node("RF", 11, 0), 1e-9);
}

TEST(ShownSolids, AreInFilesInThePlaceOfTheMesh) {
  const Shown shown = show(fold + pull + "*NODE FILE,OUTPUT=3D\nU\n*EL FILE\nS\n*END STEP\n");
  const model::Model& model = shown.run.deck->model;
  const test::ScratchFolder folder;
  io::VtuWriter vtu(folder / "job", model, nullptr, shown.solids);
  io::FrdWriter frd(folder / "job.frd", model, {}, shown.solids);
  for (io::ResultWriter* const writer : std::initializer_list<io::ResultWriter*>{&vtu, &frd}) {
    writer->write(model.steps.front(), shown.run.frames.front());
    writer->finish();
  }
  EXPECT_THAT(test::content(folder / "job.vtu"),
              HasSubstr("<Piece NumberOfPoints=\"16\" NumberOfCells=\"2\">"));
  const std::string text = test::content(folder / "job.frd");
  EXPECT_THAT(text, HasSubstr(" -1        17 0.00000E+00 0.00000E+00-5.00000E-02\n"));
  EXPECT_THAT(
      text, HasSubstr(" -1         2    1    0    1\n -2        23        51        54        37        25"));
  // A frame whose fields have the deck's nodes alone is refused.
  model::Frame short_one = shown.run.frames.front();
  for (model::NodeField& field : short_one.node_fields)
    field.values.resize(6 * static_cast<std::size_t>(field.components));
  io::FrdWriter other(folder / "other.frd", model, {}, shown.solids);
  try {
    other.write(model.steps.front(), short_one);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(".frd: U is asked for and needs 66 values; the frame has 18"));
  }
}

TEST(ShownSolids, OfLayersAreElementsBeyondThoseOfTheDeck) {
  const Shown shown = show(
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,.5,0,0\n6,1,.5,0\n7,.5,1,0\n8,0,.5,0\n"
      "*ELEMENT,TYPE=S8R,ELSET=E\n7,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n210000,.3\n"
      "*SHELL SECTION,ELSET=E,COMPOSITE\n.1,,M\n.2,,M\n*STEP\n*STATIC\n*BOUNDARY\n1,1,6\n4,1,6\n8,1,6\n"
      "*CLOAD\n2,3,1.\n*NODE FILE,OUTPUT=3D\nU\n*EL FILE\nS\n*END STEP\n");
  ASSERT_NE(shown.solids, nullptr);
  const mesh::Mesh& mesh = shown.solids->model.mesh;
  ASSERT_EQ(mesh.element_count(), 2);
  EXPECT_EQ(mesh.element_label(0), 8);
  EXPECT_EQ(mesh.element_label(1), 9);
  EXPECT_EQ(deck::name(mesh, 1), "C3D20");
}

}  // namespace
}  // namespace setka
