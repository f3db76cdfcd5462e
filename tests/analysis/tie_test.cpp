// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *TIE: patch tests across surfaces whose nodes do not match. Comparison with CalculiX:
// tests/calculix/own/tie.inp and decks beamptied1 and beamptied2.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/block_model.hpp"
#include "analysis/deck_run.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/mesh/block_mesh.hpp"
#include "setka/model/equation_maker.hpp"
#include "setka/model/tie.hpp"

namespace setka {
namespace {

using Place = std::array<double, 3>;

/// Two blocks over [0, 2]^2, one on the other from z = 0 to 1 and from 1 to 2, which touch by surfaces of
/// different elements: n and twice n cells along x and y.
struct TiedBlocks {
  model::Model model;
  model::Tie tie;

  TiedBlocks(const std::string& lower, const std::string& upper, int n, double gap) {
    const model::ElementType types[2] = {deck::element(lower), deck::element(upper)};
    for (int b = 0; b < 2; ++b) {
      const int cells = b == 0 ? n : 2 * n;
      const auto position = [&](double s, double t, double r) {
        return Place{2 * s, 2 * t, b == 0 ? r : 1 + r + gap * (1 - r)};
      };
      add(mesh::block_mesh({{{{cells}, {cells}, {2}}}, {}}, types[b].cell, position).mesh, types[b]);
      model::Surface surface;
      const std::int32_t first = b == 0 ? 0 : elements_[0];
      const std::int32_t nodes = b == 0 ? 0 : nodes_[0];
      std::vector<bool> chosen(static_cast<std::size_t>(model.mesh.node_count()), false);
      for (const std::int32_t node : test::nodes_where(
               model.mesh, [&](double, double, double z) { return std::abs(z - 1) <= gap + 1e-9; }))
        chosen[static_cast<std::size_t>(node)] = node >= nodes;
      for (const mesh::MeshFace& face : mesh::faces_of_nodes(model.mesh, chosen)) {
        if (face.element >= first) surface.faces.push_back({face.element, face.face});
      }
      model.surfaces.push_back(surface);
    }
    tie.independent = 0;
    tie.dependent = 1;
    model::ElementSet all{"ALL", {}};
    for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) all.elements.push_back(e);
    model.element_sets.push_back(all);
    model::Material material;
    material.elastic = {{0, {1000, 0.3}}};
    model.materials.push_back(material);
    model::Section section;
    section.element_set = 0;
    section.material = 0;
    model.sections.push_back(section);
    model.steps.emplace_back();
  }

  /// The displacements of a uniform strain on all sides.
  static double linear(const Place& x, int direction) {
    constexpr std::array<Place, 3> strain{{{1e-3, 2e-4, -3e-4}, {5e-4, -2e-3, 1e-4}, {7e-4, 4e-4, 3e-3}}};
    const Place& row = strain[static_cast<std::size_t>(direction)];
    return row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
  }

  void stretch() {
    const auto outside = [](double x, double y, double z) {
      using test::near;
      return near(x, 0) || near(x, 2) || near(y, 0) || near(y, 2) || near(z, 0) || near(z, 2);
    };
    for (const std::int32_t node : test::nodes_where(model.mesh, outside)) {
      const auto x = std::as_const(model.mesh).coordinates(node);
      for (int k = 0; k < 3; ++k) test::prescribe(model, node, k + 1, linear({x[0], x[1], x[2]}, k));
    }
  }

 private:
  void add(const mesh::Mesh& block, const model::ElementType& type) {
    const std::int32_t nodes = model.mesh.node_count();
    const std::int32_t elements = model.mesh.element_count();
    for (std::int32_t n = 0; n < block.node_count(); ++n) {
      const auto x = block.coordinates(n);
      model.mesh.add_node(nodes + n + 1, x[0], x[1], x[2]);
    }
    std::vector<std::int32_t> own;
    for (std::int32_t e = 0; e < block.element_count(); ++e) {
      own.clear();
      for (const std::int32_t node : block.nodes(e)) own.push_back(nodes + node);
      model::add_element(model.mesh, elements + e + 1, type, own);
    }
    nodes_.push_back(model.mesh.node_count());
    elements_.push_back(model.mesh.element_count());
  }

  std::vector<std::int32_t> nodes_;  // so far, after each block
  std::vector<std::int32_t> elements_;
};

void expect_linear(const model::Model& model, const model::Frame& frame, const std::string& what) {
  for (std::int32_t n = 0; n < model.mesh.node_count(); ++n) {
    const auto x = model.mesh.coordinates(n);
    for (int k = 0; k < 3; ++k)
      ASSERT_NEAR(test::value_at(frame, "U", n, k), TiedBlocks::linear({x[0], x[1], x[2]}, k), 1e-9)
          << what << ", node " << model.mesh.node_label(n);
  }
}

TEST(Tie, UniformStrainPassesWhereSidesDoNotMatch) {
  struct Pair {
    const char* lower;
    const char* upper;
  };
  for (const Pair& pair : {Pair{"C3D8", "C3D8"}, Pair{"C3D20", "C3D20R"}, Pair{"C3D4", "C3D4"},
                           Pair{"C3D10", "C3D10"}, Pair{"C3D6", "C3D6"}, Pair{"C3D15", "C3D15"}}) {
    TiedBlocks blocks(pair.lower, pair.upper, 2, 0);
    blocks.stretch();
    const model::TieSearch found = model::find_tied(blocks.model, blocks.tie);
    EXPECT_TRUE(found.loose.empty());
    EXPECT_GE(found.tied.size(), 25U);
    model::EquationMaker equations(blocks.model);
    const auto left_out = model::add_tie(equations, found, false, {});
    EXPECT_GE(left_out.size(), 16U);  // nodes of the rim, which are prescribed
    EXPECT_GE(blocks.model.equations.size(), 27U);
    expect_linear(blocks.model, test::solve(blocks.model), pair.lower);
  }
}

TEST(Tie, NodesAreMovedOntoTheFacesUnlessToldNotTo) {
  TiedBlocks blocks("C3D20", "C3D8", 1, 0.01);
  blocks.tie.adjust = false;
  const std::vector<double> before(blocks.model.mesh.coordinates().begin(),
                                   blocks.model.mesh.coordinates().end());
  EXPECT_EQ(model::find_tied(blocks.model, blocks.tie).tied.size(), 9U);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), blocks.model.mesh.coordinates().begin()));
  blocks.tie.adjust = true;
  const model::TieSearch found = model::find_tied(blocks.model, blocks.tie);
  ASSERT_EQ(found.tied.size(), 9U);
  for (const model::TiedNode& tied : found.tied)
    EXPECT_NEAR(std::as_const(blocks.model.mesh).coordinates(tied.node)[2], 1, 1e-14);
  EXPECT_NEAR(found.tolerance, 0.025 * 2, 1e-12);
}

TEST(Tie, BeyondTheToleranceNodesAreLoose) {
  TiedBlocks blocks("C3D8", "C3D8", 1, 0.2);
  const model::TieSearch none = model::find_tied(blocks.model, blocks.tie);
  EXPECT_TRUE(none.tied.empty());
  EXPECT_EQ(none.loose.size(), 9U);
  EXPECT_NEAR(none.nearest, 0.2, 1e-12);
  blocks.tie.tolerance = 0.21;
  EXPECT_EQ(model::find_tied(blocks.model, blocks.tie).tied.size(), 9U);
}

/// A cube on a plate of one element that is larger than it, both in turned axes if asked for.
std::string cube_on_plate(const std::string& tie, const std::string& more, const std::string& step) {
  return "*NODE,NSET=NALL\n1,-1,-1,-1\n2,2,-1,-1\n3,2,2,-1\n4,-1,2,-1\n5,-1,-1,0\n6,2,-1,0\n7,2,2,0\n8,-1,2,"
         "0\n"
         "11,0,0,0\n12,1,0,0\n13,1,1,0\n14,0,1,0\n15,0,0,1\n16,1,0,1\n17,1,1,1\n18,0,1,1\n"
         "*ELEMENT,TYPE=C3D8,ELSET=EALL\n1,1,2,3,4,5,6,7,8\n2,11,12,13,14,15,16,17,18\n"
         "*SURFACE,NAME=PLATE\n1,S2\n*SURFACE,NAME=CUBE\n2,S1\n" +
         tie + "\nCUBE,PLATE\n*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*CONDUCTIVITY\n2\n" +
         "*SOLID SECTION,ELSET=EALL,MATERIAL=M\n*NSET,NSET=BOTTOM\n1,2,3,4\n*NSET,NSET=TOP\n15,16,17,18\n" +
         more + "*STEP\n" + step + "*END STEP\n";
}

TEST(Tie, LocalAxesOfNodesDoNotChangeTheAnswer) {
  const std::string step = "*STATIC\n*BOUNDARY\nBOTTOM,1,3\n*CLOAD\n15,3,1\n15,1,.5\n*NODE FILE\nU,RF\n";
  const test::DeckRun plain = test::run_deck_text(cube_on_plate("*TIE,NAME=T", "", step));
  const std::string turned =
      "*NSET,NSET=SOME\n5,7,11,13\n*TRANSFORM,NSET=SOME,TYPE=R\n1,1,0,-1,1,0.5\n"
      "*NSET,NSET=OTHER\n12\n*TRANSFORM,NSET=OTHER,TYPE=C\n-3,-3,0,-3,-3,1\n";
  const test::DeckRun local = test::run_deck_text(cube_on_plate("*TIE,NAME=T", turned, step));
  double force = 0;
  for (const int node : {1, 2, 3, 4}) force += plain.at_node("RF", node, 2);
  EXPECT_NEAR(force, -1, 1e-10);
  for (const int node : {5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18}) {
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(local.at_node("U", node, k), plain.at_node("U", node, k), 1e-9) << node;
  }
}

TEST(Tie, HeatPassesToo) {
  const std::string step =
      "*HEAT TRANSFER,STEADY STATE\n*BOUNDARY\nBOTTOM,11,11,10\nTOP,11,11,20\n*NODE FILE\nNT\n";
  const test::DeckRun run = test::run_deck_text(cube_on_plate("*TIE,NAME=T", "", step));
  // By symmetry the face of the plate is equally warm at the four tied nodes, between both ends.
  const double warm = run.at_node("NT", 11, 0);
  EXPECT_GT(warm, 10.01);
  EXPECT_LT(warm, 19.9);
  for (const int node : {12, 13, 14}) EXPECT_NEAR(run.at_node("NT", node, 0), warm, 1e-6);
  // 1/9, 2/9, 2/9, 4/9 of the corners of the plate about a corner of the cube
  EXPECT_NEAR(warm,
              (4 * run.at_node("NT", 5, 0) + 2 * run.at_node("NT", 6, 0) + run.at_node("NT", 7, 0) +
               2 * run.at_node("NT", 8, 0)) /
                  9,
              1e-9);
}

}  // namespace
}  // namespace setka
