// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/block_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace setka::mesh {
namespace {

std::array<double, 3> as_it_is(double s, double t, double r) {
  return {s, t, r};
}

/// Two by two by two blocks of different fineness, an L along y and a hole.
BlockGrid stepped() {
  return {{{{2, 3}, {1, 2}, {2, 1}}}, {0, 1, 0, -1, 0, -1, 0, 0}};
}

constexpr std::array solids{Cell::tet4, Cell::wedge6, Cell::hex8, Cell::tet10, Cell::wedge15, Cell::hex20};
constexpr std::array planes{Cell::tri3, Cell::quad4, Cell::tri6, Cell::quad8};

/// Each face belongs to one or two elements: the elements fit together.
void expect_conforming(const Mesh& mesh) {
  std::map<std::set<std::int32_t>, int> owners;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    const Cell cell = mesh.cell(e);
    for (int face = 0; face < face_count(cell); ++face) {
      std::set<std::int32_t> nodes;
      for (const std::int8_t local : face_nodes(cell, face))
        nodes.insert(mesh.nodes(e)[static_cast<std::size_t>(local)]);
      EXPECT_EQ(nodes.size(), face_nodes(cell, face).size());
      ++owners[nodes];
    }
  }
  for (const auto& [face, count] : owners) {
    ASSERT_LE(count, 2);
    if (count == 2) continue;
    // A face with one owner lies on the surface of a block, so one coordinate is a whole number.
    int whole = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double first = mesh.coordinates(*face.begin())[axis];
      whole += first == static_cast<int>(first) &&
               std::all_of(face.begin(), face.end(),
                           [&](std::int32_t node) { return mesh.coordinates(node)[axis] == first; });
    }
    EXPECT_GE(whole, 1);
  }
}

TEST(BlockMesh, CountsAreThoseOfTheMesh) {
  for (const Cell cell : solids) {
    for (const BlockGrid& grid :
         {stepped(), BlockGrid{{{{1}, {1}, {1}}}, {}}, BlockGrid{{{{3}, {2}, {5}}}, {}}}) {
      const BlockMesh made = block_mesh(grid, cell, as_it_is);
      EXPECT_EQ(made.mesh.node_count(), block_node_count(grid, cell)) << name(cell);
      EXPECT_EQ(made.mesh.element_count(), block_element_count(grid, cell)) << name(cell);
      EXPECT_EQ(made.part.size(), static_cast<std::size_t>(made.mesh.element_count()));
      expect_conforming(made.mesh);
    }
  }
}

TEST(BlockMesh, PlaneGrids) {
  const BlockGrid grid{{{{2, 1}, {3}, {}}}, {0, 1}};
  for (const Cell cell : planes) {
    const BlockMesh made = block_mesh(grid, cell, as_it_is);
    EXPECT_EQ(made.mesh.node_count(), block_node_count(grid, cell)) << name(cell);
    EXPECT_EQ(made.mesh.element_count(), block_element_count(grid, cell)) << name(cell);
    expect_conforming(made.mesh);
  }
}

TEST(BlockMesh, OneCell) {
  const BlockGrid cell{{{{1}, {1}, {1}}}, {}};
  EXPECT_EQ(block_node_count(cell, Cell::hex8), 8);
  EXPECT_EQ(block_node_count(cell, Cell::hex20), 20);
  EXPECT_EQ(block_node_count(cell, Cell::tet10), 27);
  EXPECT_EQ(block_node_count(cell, Cell::wedge15), 22);
  EXPECT_EQ(block_element_count(cell, Cell::tet4), 6);
  EXPECT_EQ(block_element_count(cell, Cell::wedge6), 2);
}

TEST(BlockMesh, PartsAndMissingBlocks) {
  const BlockMesh made = block_mesh(stepped(), Cell::hex8, as_it_is);
  // Blocks: [0][0][*] 2x1x2 and 2x1x1, [0][1][0] 2x2x2, [1][0][0] 3x1x2, [1][1][*] 3x2x2 and 3x2x1.
  EXPECT_EQ(made.mesh.element_count(), 4 + 2 + 8 + 6 + 12 + 6);
  EXPECT_EQ(std::count(made.part.begin(), made.part.end(), 1), 2);
}

TEST(BlockMesh, FacesOfNodes) {
  const BlockMesh made = block_mesh({{{{2}, {3}, {4}}}, {}}, Cell::hex20, as_it_is);
  std::vector<bool> end(static_cast<std::size_t>(made.mesh.node_count()));
  for (std::int32_t node = 0; node < made.mesh.node_count(); ++node)
    end[static_cast<std::size_t>(node)] = made.mesh.coordinates(node)[0] == 1;
  const auto faces = faces_of_nodes(made.mesh, end);
  EXPECT_EQ(faces.size(), 12U);
  for (const MeshFace& face : faces) EXPECT_EQ(face.face, 3);  // S4 looks along x
}

TEST(BlockMesh, RefusesWhatDoesNotFit) {
  const auto message = [](const BlockGrid& grid, Cell cell) {
    try {
      block_mesh(grid, cell, as_it_is);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(message({{{{1}, {1}, {}}}, {}}, Cell::hex8), HasSubstr("plane shapes need a plane grid"));
  EXPECT_THAT(message({{{{1}, {0}, {1}}}, {}}, Cell::hex8), HasSubstr("a block of 0 cells"));
  EXPECT_THAT(message({{{{1}, {1}, {1}}}, {0, 0}}, Cell::hex8), HasSubstr("2 parts given for 1 blocks"));
  EXPECT_THAT(message({{{{2000}, {2000}, {2000}}}, {}}, Cell::hex8), HasSubstr("is the most of either"));
}

}  // namespace
}  // namespace setka::mesh
