// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/face_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "setka/mesh/block_mesh.hpp"

namespace setka {
namespace {

using Place = std::array<double, 3>;
constexpr double anywhere = std::numeric_limits<double>::infinity();

/// The faces whose corners lie above a height, of a block of n by n by 1 cells.
std::vector<mesh::SurfaceFace> top_faces(mesh::Mesh& mesh, int n, mesh::Cell cell,
                                         const mesh::BlockPosition& position, double above = 0.99) {
  mesh = mesh::block_mesh({{{{n}, {n}, {1}}}, {}}, cell, position).mesh;
  const int corners = mesh::corner_count(cell);
  std::vector<mesh::SurfaceFace> faces;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    for (int f = 0; f < mesh::face_count(cell); ++f) {
      bool on_top = true;
      for (const std::int8_t local : mesh::face_nodes(cell, f)) {
        if (local >= corners) continue;
        const auto x = mesh.coordinates(mesh.nodes(e)[static_cast<std::size_t>(local)]);
        on_top = on_top && x[2] > above;
      }
      if (on_top) faces.push_back(mesh::surface_face(mesh, e, f));
    }
  }
  return faces;
}

constexpr auto straight = [](double s, double t, double r) { return Place{s, t, r}; };

TEST(FaceSearch, APlaneIsMetUnderThePointAndAtItsEdge) {
  for (const mesh::Cell cell : {mesh::Cell::tet4, mesh::Cell::tet10, mesh::Cell::wedge6, mesh::Cell::wedge15,
                                mesh::Cell::hex8, mesh::Cell::hex20}) {
    mesh::Mesh mesh;
    const std::vector<mesh::SurfaceFace> faces = top_faces(mesh, 3, cell, straight);
    const mesh::FaceSearch search(mesh, faces);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> about(-0.5, 1.5);
    for (int i = 0; i < 200; ++i) {
      const Place point{about(random), about(random), 1 + about(random)};
      const Place foot{std::clamp(point[0], 0.0, 1.0), std::clamp(point[1], 0.0, 1.0), 1};
      const auto found = search.nearest(point, anywhere);
      ASSERT_TRUE(found) << mesh::name(cell);
      EXPECT_NEAR(found->distance, std::hypot(point[0] - foot[0], point[1] - foot[1], point[2] - 1), 1e-12);
      const mesh::SurfaceFace& face = search.face(found->face);
      Place sum{};
      double whole = 0;
      for (std::size_t n = 0; n < static_cast<std::size_t>(face.node_count); ++n) {
        whole += found->weight[n];
        for (std::size_t k = 0; k < 3; ++k) sum[k] += found->weight[n] * mesh.coordinates(face.nodes[n])[k];
      }
      EXPECT_NEAR(whole, 1, 1e-13);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(found->place[k], foot[k], 1e-12) << mesh::name(cell);
        EXPECT_NEAR(sum[k], foot[k], 1e-12) << mesh::name(cell);
      }
    }
  }
}

TEST(FaceSearch, FartherThanAllowedIsNotFound) {
  mesh::Mesh mesh;
  const mesh::FaceSearch search(mesh, top_faces(mesh, 2, mesh::Cell::hex8, straight));
  EXPECT_FALSE(search.nearest(Place{0.3, 0.3, 1.2}, 0.199));
  EXPECT_TRUE(search.nearest(Place{0.3, 0.3, 1.2}, 0.201));
}

TEST(FaceSearch, ACurvedFaceIsMetWhereItCurves) {
  // A patch of a cylinder about y of radius 2; faces of second order come within (angle / 2)^4 of it.
  const auto bent = [](double s, double t, double r) {
    const double angle = 0.5 * (s - 0.5);
    return Place{(1 + r) * std::sin(angle), t, (1 + r) * std::cos(angle)};
  };
  for (const mesh::Cell cell : {mesh::Cell::hex20, mesh::Cell::wedge15}) {
    mesh::Mesh mesh;
    std::vector<mesh::SurfaceFace> faces = top_faces(mesh, 3, cell, bent, 1.5);
    const mesh::FaceSearch search(mesh, std::move(faces));
    for (const double angle : {-0.2, -0.07, 0.01, 0.13, 0.24}) {
      const auto found = search.nearest(Place{2.5 * std::sin(angle), 0.4, 2.5 * std::cos(angle)}, anywhere);
      ASSERT_TRUE(found);
      EXPECT_NEAR(found->distance, 0.5, 2e-4);
      EXPECT_NEAR(found->place[0], 2 * std::sin(angle), 1e-3);
      EXPECT_NEAR(found->place[1], 0.4, 1e-3);
    }
  }
}

TEST(FaceSearch, WithoutFacesNothingIsFound) {
  mesh::Mesh mesh;
  EXPECT_FALSE(mesh::FaceSearch(mesh, {}).nearest(Place{0, 0, 0}, anywhere));
}

}  // namespace
}  // namespace setka
