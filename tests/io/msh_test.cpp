// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of data/msh/plate.geo: a quarter of a plate with a hole, edge 2, radius 1/2, thickness 1.
#include "setka/io/msh.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/fem/elements.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/msh_models.hpp"
#include "setka/fem/element.hpp"
#include "setka/model/element_type.hpp"

namespace setka {
namespace {

using test::read_data;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double exact_volume = 4 - std::numbers::pi / 16;

double volume(const mesh::Mesh& mesh, std::int32_t element) {
  const fem::Element type = fem::element_of(model::element_type(mesh, element));
  std::vector<double> weights(static_cast<std::size_t>(fem::point_count(type)));
  fem::point_volumes(type, test::element_coordinates(mesh, element), weights);
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

double volume(const mesh::Mesh& mesh) {
  double sum = 0;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) sum += volume(mesh, e);
  return sum;
}

const model::Surface& surface(const model::Model& model, const std::string& name) {
  const std::int32_t position = model.find_surface(name);
  if (position < 0) throw std::runtime_error("no surface " + name);
  return model.surfaces[static_cast<std::size_t>(position)];
}

std::vector<double> face_coordinates(const mesh::Mesh& mesh, model::ElementFace face) {
  std::vector<double> x;
  const mesh::Cell cell = mesh.cell(face.element);
  for (const std::int8_t local : mesh::face_nodes(cell, face.face)) {
    const auto at = mesh.coordinates(mesh.nodes(face.element)[static_cast<std::size_t>(local)]);
    x.insert(x.end(), at.begin(), at.end());
  }
  return x;
}

class MshKind : public ::testing::TestWithParam<const char*> {
 protected:
  std::string kind() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Kinds, MshKind, ::testing::Values("tetra", "prism", "hexa"),
                         [](const auto& test) { return std::string(test.param); });

// Two chords of an eighth of a turn each stand for the quarter of the circle.
TEST_P(MshKind, FirstOrderFillsThePolygon) {
  const model::Model model = read_data(kind() + "_1");
  const double polygon = 4 - 2 * 0.5 * 0.25 * std::sin(std::numbers::pi / 4);
  EXPECT_NEAR(volume(model.mesh), polygon, 1e-12);
  for (std::int32_t e = 0; e < model.mesh.element_count(); ++e)
    EXPECT_GT(fem::least_jacobian(fem::element_of(model::element_type(model.mesh, e)),
                                  test::element_coordinates(model.mesh, e)),
              0);
}

// Parabolas through three points of a circle: the error falls with the fourth power of their length.
TEST_P(MshKind, SecondOrderConvergesToTheHole) {
  const double coarse = std::abs(volume(read_data(kind() + "_2").mesh) - exact_volume);
  const double fine = std::abs(volume(read_data(kind() + "_2_fine").mesh) - exact_volume);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_GT(coarse, 1e-6);  // curved, so that the order of nodes counts
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

TEST_P(MshKind, NodesAmidEdgesAreWhereTheShapeHasThem) {
  for (const char* size : {"_2", "_2_fine"}) {
    const model::Model model = read_data(kind() + size);
    for (std::int32_t e = 0; e < model.mesh.element_count(); ++e) {
      const model::ElementType type = model::element_type(model.mesh, e);
      EXPECT_GT(fem::least_jacobian(fem::element_of(type), test::element_coordinates(model.mesh, e)), 0)
          << kind() << size;
      for (int f = 0; f < mesh::face_count(type.cell); ++f) {
        const std::vector<double> x = face_coordinates(model.mesh, {e, f});
        const std::size_t corners = x.size() / 6;
        for (std::size_t i = 0; i < corners; ++i) {
          double length = 0;
          double off = 0;
          for (std::size_t k = 0; k < 3; ++k) {
            const double a = x[3 * i + k];
            const double b = x[3 * ((i + 1) % corners) + k];
            length += (a - b) * (a - b);
            off += std::pow(x[3 * (corners + i) + k] - (a + b) / 2, 2);
          }
          // An arc of an eighth of a turn rises by a tenth of its chord.
          EXPECT_LE(std::sqrt(off), 0.11 * std::sqrt(length)) << kind() << " face " << f << " edge " << i;
        }
      }
    }
  }
}

TEST_P(MshKind, AllFormatsGiveTheSameModel) {
  const model::Model reference = read_data(kind() + "_2");
  for (const char* format : {"_2_binary", "_2_msh22", "_2_msh22_binary"}) {
    SCOPED_TRACE(kind() + format);
    const model::Model model = read_data(kind() + format);
    // Text has 16 digits, binary all bits.
    const double rounding = std::string(format).find("binary") == std::string::npos ? 0 : 1e-15;
    test::expect_same_mesh(reference.mesh, model.mesh, true, rounding);
    test::expect_same_sets(reference, model);
  }
}

TEST_P(MshKind, SurfacesAreFacesOfElements) {
  for (const char* order : {"_1", "_2"}) {
    const model::Model model = read_data(kind() + order);
    const std::size_t faces = kind() == "tetra" ? 2 : 1;
    ASSERT_EQ(surface(model, "LEFT_SIDE").faces.size(), faces);
    ASSERT_EQ(surface(model, "PHYSICAL_2_7").faces.size(), 2 * faces);
    for (const model::ElementFace face : surface(model, "LEFT_SIDE").faces) {
      const std::vector<double> x = face_coordinates(model.mesh, face);
      for (std::size_t i = 0; i < x.size(); i += 3) EXPECT_NEAR(x[i], 0, 1e-12);
    }
    for (const model::ElementFace face : surface(model, "PHYSICAL_2_7").faces) {
      const std::vector<double> x = face_coordinates(model.mesh, face);
      for (std::size_t i = 0; i < x.size(); i += 3) EXPECT_NEAR(std::hypot(x[i], x[i + 1]), 0.5, 1e-9);
    }
  }
}

TEST(Msh, CountsTypesAndSets) {
  const model::Model model = read_data("hexa_2");
  EXPECT_EQ(model.mesh.node_count(), 32);
  EXPECT_EQ(model.mesh.element_count(), 2);
  EXPECT_EQ(model::element_type(model.mesh, 0), deck::element("C3D20"));
  EXPECT_THAT(test::Labels({model.mesh.element_label(0), model.mesh.element_label(1)}), ElementsAre(5, 6));
  ASSERT_EQ(model.element_sets.size(), 1u);
  EXPECT_EQ(model.element_sets[0].name, "PLATE");
  EXPECT_THAT(model.element_sets[0].elements, ElementsAre(0, 1));
  EXPECT_EQ(model.node_sets.size(), 4u);
  EXPECT_EQ(test::node_labels(model, "PLATE").size(), 32u);
  EXPECT_THAT(test::node_labels(model, "EDGE"), ElementsAre(3, 6, 19));
  EXPECT_THAT(test::node_labels(model, "LEFT_SIDE"), ElementsAre(3, 6, 11, 12, 19, 29, 31, 32));
  EXPECT_EQ(test::node_labels(model, "PHYSICAL_2_7").size(), 13u);
}

TEST(Msh, ParametricNodes) {
  const model::Model reference = read_data("hexa_2");
  for (const char* name : {"hexa_2_parametric", "hexa_2_parametric_binary"}) {
    const model::Model model = read_data(name);
    test::expect_same_mesh(reference.mesh, model.mesh, true, 1e-15);
    test::expect_same_sets(reference, model);
  }
}

// Version 2.2 writes an element once for each group, and numbers the copies; so labels of elements differ.
TEST(Msh, ElementsInSeveralGroups) {
  const model::Model reference = read_data("several");
  EXPECT_EQ(reference.mesh.element_count(), 4);
  ASSERT_EQ(reference.element_sets.size(), 3u);
  for (const auto& set : reference.element_sets)
    EXPECT_EQ(set.elements.size(), set.name == "FIRST" ? 2u : 4u) << set.name;
  EXPECT_EQ(surface(reference, "FIXED").faces.size(), 3u);
  EXPECT_EQ(surface(reference, "LEFT_SIDE").faces.size(), 1u);
  for (const char* name : {"several_binary", "several_msh22", "several_msh22_binary"}) {
    SCOPED_TRACE(name);
    const model::Model model = read_data(name);
    test::expect_same_mesh(reference.mesh, model.mesh, std::string(name) == "several_binary", 1e-15);
    test::expect_same_sets(reference, model);
  }
}

double signed_area(const mesh::Mesh& mesh, std::int32_t e, std::size_t corners) {
  const std::vector<double> x = test::element_coordinates(mesh, e);
  double area = 0;
  for (std::size_t i = 0; i < corners; ++i) {
    const std::size_t j = (i + 1) % corners;
    area += (x[3 * i] * x[3 * j + 1] - x[3 * j] * x[3 * i + 1]) / 2;
  }
  return area;
}

TEST(Msh, PlaneModels) {
  const double polygon = 4 - 2 * 0.5 * 0.25 * std::sin(std::numbers::pi / 4);
  const model::Model quads = read_data("plane_quads");
  ASSERT_EQ(quads.mesh.element_count(), 2);
  double area = 0;
  for (std::int32_t e = 0; e < 2; ++e) {
    EXPECT_EQ(model::element_type(quads.mesh, e), deck::element("CPS8"));
    EXPECT_GT(signed_area(quads.mesh, e, 4), 0);  // one of the surfaces is reversed in the file
    area += signed_area(quads.mesh, e, 4);
    const std::vector<double> x = test::element_coordinates(quads.mesh, e);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t k = 0; k < 2; ++k)
        EXPECT_NEAR(x[3 * (4 + i) + k], (x[3 * i + k] + x[3 * ((i + 1) % 4) + k]) / 2, 0.05);
    }
  }
  EXPECT_NEAR(area, polygon, 1e-12);
  EXPECT_EQ(quads.element_sets[0].name, "PLATE");
  ASSERT_EQ(surface(quads, "LEFT_SIDE").faces.size(), 1u);
  EXPECT_EQ(test::node_labels(quads, "LEFT_SIDE").size(), 3u);
  EXPECT_EQ(test::node_labels(quads, "CORNER").size(), 1u);

  io::MshOptions options;
  options.use(deck::element("CPE8R"));
  const model::Model triangles = read_data("plane_triangles", options);
  ASSERT_EQ(triangles.mesh.element_count(), 4);
  area = 0;
  for (std::int32_t e = 0; e < 4; ++e) {
    EXPECT_EQ(model::element_type(triangles.mesh, e),
              deck::element("CPE3"));  // the family of the type that was chosen
    EXPECT_GT(signed_area(triangles.mesh, e, 3), 0);
    area += signed_area(triangles.mesh, e, 3);
  }
  EXPECT_NEAR(area, polygon, 1e-12);
}

TEST(Msh, OptionsChooseTypes) {
  io::MshOptions options;
  options.use(deck::element("C3D20R"));
  EXPECT_EQ(model::element_type(read_data("hexa_2", options).mesh, 0), deck::element("C3D20R"));
  EXPECT_EQ(options.type(mesh::Cell::tet10), deck::element("C3D10"));
  try {
    options.use(deck::element("T3D2"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_THAT(error.what(), HasSubstr("line2 is no element of a Gmsh mesh; solids and plane elements are"));
  }
}

constexpr const char* two_tetra = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
2 1 "12"
3 2 "a, b"
3 9 "empty"
0 8 "reference"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 0 1 0
40 0 0 1
5 0 0 -1
600 7 7 7
$EndNodes
$Elements
5
1 15 2 8 1 600
3 2 2 1 1 1 2 3
7 4 2 2 1 1 2 3 40
8 4 2 0 2 1 3 2 5
9 2 2 3 2 1 40 5
$EndElements
)";

// The surface between two elements is that of the one which its normal (here +z) points out of.
TEST(Msh, NamesDroppedNodesAndInnerFaces) {
  ::testing::internal::CaptureStderr();
  const model::Model model = test::read_bytes(two_tetra);
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(model.mesh.node_count(), 5);
  EXPECT_LT(model.mesh.find_node(600), 0);
  EXPECT_GE(model.find_element_set("A__B"), 0);
  EXPECT_LT(model.find_node_set("REFERENCE"), 0);
  const model::Surface& inner = surface(model, "PHYSICAL_12");
  ASSERT_EQ(inner.faces.size(), 1u);
  EXPECT_EQ(model.mesh.element_label(inner.faces[0].element), 8);
  EXPECT_EQ(inner.faces[0].face, 0);
  EXPECT_LT(model.find_surface("PHYSICAL_2_3"), 0);
  EXPECT_THAT(log, HasSubstr("part.msh: 1 elements are in no physical group; they are kept"));
  EXPECT_THAT(log, HasSubstr("physical group 'empty' has no elements"));
  EXPECT_THAT(log, HasSubstr("no element has nodes of the physical group REFERENCE"));
  EXPECT_THAT(log, HasSubstr("1 faces of the physical group PHYSICAL_2_3 are faces of no element"));
}

TEST(Msh, FilesOnDisk) {
  Monitor monitor;
  const std::string folder = std::string(SETKA_TEST_DATA) + "/msh";
  EXPECT_EQ(io::read_msh(folder + "/tetra_1.msh", {}, monitor).mesh.node_count(), 12);
  EXPECT_EQ(io::read_msh(folder + "/hexa_2_binary.msh", {}, monitor).mesh.node_count(), 32);
  for (const std::string& path : {folder + "/none.msh", folder}) {
    try {
      io::read_msh(path, {}, monitor);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::input);
      EXPECT_THAT(error.what(), HasSubstr(path == folder ? "is a directory" : "cannot read the file"));
    }
  }
}

}  // namespace
}  // namespace setka
