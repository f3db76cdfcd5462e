// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/view_factors.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/deck_run.hpp"

namespace setka::analysis {
namespace {

/// A quadrilateral; seen from where its normal points its corners go round against the clock.
RadiatingFace quadrilateral(const std::array<Point, 4>& corners) {
  RadiatingFace face;
  face.border.assign(corners.begin(), corners.end());
  const double g = std::sqrt(0.6) / 2;
  const std::array rule{std::pair{0.5 - g, 5.0 / 18}, std::pair{0.5, 8.0 / 18}, std::pair{0.5 + g, 5.0 / 18}};
  for (const auto& [a, wa] : rule) {
    for (const auto& [b, wb] : rule) {
      const auto sum = [&](double w0, double w1, double w2, double w3) {
        Point x{};
        for (std::size_t k = 0; k < 3; ++k)
          x[k] = w0 * corners[0][k] + w1 * corners[1][k] + w2 * corners[2][k] + w3 * corners[3][k];
        return x;
      };
      const Point first = sum(b - 1, 1 - b, b, -b);
      const Point second = sum(a - 1, -a, a, 1 - a);
      const double w = wa * wb;
      face.at.push_back(sum((1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b));
      face.area.push_back({w * (first[1] * second[2] - first[2] * second[1]),
                           w * (first[2] * second[0] - first[0] * second[2]),
                           w * (first[0] * second[1] - first[1] * second[0])});
      const Point& own = face.area.back();
      face.total += std::hypot(own[0], own[1], own[2]);
    }
  }
  return face;
}

/// A parallelogram from a corner along two sides; its normal is first x second.
RadiatingFace square(const Point& corner, const Point& first, const Point& second) {
  const auto at = [&](double a, double b) {
    return Point{corner[0] + a * first[0] + b * second[0], corner[1] + a * first[1] + b * second[1],
                 corner[2] + a * first[2] + b * second[2]};
  };
  return quadrilateral({at(0, 0), at(1, 0), at(1, 1), at(0, 1)});
}

/// A cube of n by n faces a side, blown up to a sphere that is seen from outside or from within.
void add_sphere(double radius, int n, bool from_outside, std::vector<RadiatingFace>& faces) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const auto at = [&](int i, int j) {
        Point x{};
        x[axis] = side;
        x[(axis + 1) % 3] = std::tan(std::numbers::pi / 4 * (2.0 * i / n - 1));
        x[(axis + 2) % 3] = std::tan(std::numbers::pi / 4 * (2.0 * j / n - 1));
        const double size = std::hypot(x[0], x[1], x[2]);
        for (double& component : x) component *= radius / size;
        return x;
      };
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          std::array<Point, 4> corners{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
          if ((side > 0) != from_outside) std::swap(corners[1], corners[3]);
          faces.push_back(quadrilateral(corners));
        }
      }
    }
  }
}

/// The inner sides of a unit cube.
std::vector<RadiatingFace> cube() {
  return {square({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), square({0, 0, 1}, {0, 1, 0}, {1, 0, 0}),
          square({0, 0, 0}, {0, 1, 0}, {0, 0, 1}), square({1, 0, 0}, {0, 0, 1}, {0, 1, 0}),
          square({0, 0, 0}, {0, 0, 1}, {1, 0, 0}), square({0, 1, 0}, {1, 0, 0}, {0, 0, 1})};
}

// Howell's catalogue: 0.19982 between opposite sides of a cube, 0.20004 between those that share an edge.
TEST(ViewFactors, OfACube) {
  const std::vector<double> factors = view_factors(cube(), 2);
  EXPECT_NEAR(factors[1], 0.19982, 1e-4);
  EXPECT_NEAR(factors[2], 0.20004, 4e-3);
  EXPECT_EQ(factors[0], 0);
}

/// A line in the meridian of an axis along y as a ring; the normal is to the left of the way.
std::vector<RadiatingFace> ring(const std::array<double, 2>& from, const std::array<double, 2>& to,
                                std::int32_t sides) {
  std::vector<std::array<double, 2>> at;
  std::vector<std::array<double, 2>> area;
  const double g = std::sqrt(0.6) / 2;
  for (const auto& [a, w] : {std::pair{0.5 - g, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + g, 5.0 / 18}}) {
    at.push_back({from[0] + a * (to[0] - from[0]), from[1] + a * (to[1] - from[1])});
    const double around = 2 * std::numbers::pi * at.back()[0];
    area.push_back({-w * around * (to[1] - from[1]), w * around * (to[0] - from[0])});
  }
  return ring_of_faces({from, to}, at, area, sides);
}

// Howell's catalogue: a closed cylinder of radius 1 and height 1. Between the ends (r/h = 1) 0.38197; the
// wall sees itself by 1 - (1 - 0.38197).
TEST(ViewFactors, OfRings) {
  std::vector<RadiatingFace> faces;
  for (const std::vector<RadiatingFace>& own :
       {ring({1, 0}, {1, 1}, 60), ring({0, 0}, {1, 0}, 60), ring({1, 1}, {0, 1}, 60)})
    faces.insert(faces.end(), own.begin(), own.end());
  const std::vector<double> factors = view_factors(faces, 2, 60);
  const double ends = (3 - std::sqrt(5.0)) / 2;
  EXPECT_NEAR(factors[3 * 1 + 2], ends, 2e-3);
  EXPECT_NEAR(factors[3 * 1 + 0], 1 - ends, 2e-3);
  EXPECT_NEAR(factors[0], ends, 4e-3);
  EXPECT_NEAR(factors[3 * 1 + 1], 0, 1e-12);
}

// A rod of radius 0.5 in a tube of radius 1, both ten long: the tube sees the rod by about half of what it
// sends, and the far side of itself past the rod alone.
TEST(ViewFactors, ARodHidesTheTubeAroundIt) {
  std::vector<RadiatingFace> faces;
  for (const std::vector<RadiatingFace>& own : {ring({1, 0}, {1, 10}, 60), ring({0.5, 10}, {0.5, 0}, 60)})
    faces.insert(faces.end(), own.begin(), own.end());
  const std::vector<double> factors = view_factors(faces, 2, 60);
  EXPECT_NEAR(factors[1 * 2 + 1], 0, 1e-9);  // the rod is convex
  EXPECT_NEAR(factors[0 * 2 + 1], factors[1 * 2 + 0] / 2, 1e-3);
  EXPECT_GT(factors[1 * 2 + 0], 0.9);  // it loses little at its ends
  EXPECT_LT(factors[0] + factors[1], 1.0);
  EXPECT_GT(factors[0] + factors[1], 0.85);
}

TEST(ViewFactors, AClosedCavityLosesNothing) {
  const std::vector<RadiatingFace> faces = cube();
  std::vector<double> factors = view_factors(faces, 1);
  close_cavity(faces, factors);
  for (std::size_t i = 0; i < 6; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      sum += factors[6 * i + j];
      EXPECT_NEAR(factors[6 * i + j], factors[6 * j + i], 1e-14);
    }
    EXPECT_NEAR(sum, 1, 1e-10);
  }
}

TEST(ViewFactors, WhatIsBetweenHides) {
  std::vector<RadiatingFace> faces{square({0, 0, 0}, {1, 0, 0}, {0, 1, 0}),
                                   square({0, 0, 1}, {0, 1, 0}, {1, 0, 0})};
  const double free = view_factors(faces, 1)[1];
  // A screen over the half of both, whose back hides as its front does.
  faces.push_back(square({0, -1, 0.5}, {0.5, 0, 0}, {0, 3, 0}));
  const double half = view_factors(faces, 1)[1];
  EXPECT_GT(half, 0.3 * free);
  EXPECT_LT(half, 0.6 * free);
  faces.back() = square({-1, -1, 0.5}, {3, 0, 0}, {0, 3, 0});
  EXPECT_EQ(view_factors(faces, 1)[1], 0);
}

/// A parallelogram as 2 n n triangles, each of which has its centre as the one point.
void add_triangles(const Point& corner, const Point& first, const Point& second, int n, std::int32_t face,
                   std::vector<RadiatingFace>& triangles, std::vector<std::int32_t>& face_of) {
  const auto at = [&](int i, int j) {
    Point x{};
    for (std::size_t k = 0; k < 3; ++k) x[k] = corner[k] + (i * first[k] + j * second[k]) / n;
    return x;
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (const std::array<Point, 3>& corners : {std::array{at(i, j), at(i + 1, j), at(i, j + 1)},
                                                  std::array{at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)}}) {
        RadiatingFace& own = triangles.emplace_back();
        own.border.assign(corners.begin(), corners.end());
        Point& middle = own.at.emplace_back();
        Point& area = own.area.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t next = (k + 1) % 3;
          const std::size_t last = (k + 2) % 3;
          middle[k] = (corners[0][k] + corners[1][k] + corners[2][k]) / 3;
          area[k] = (first[next] * second[last] - first[last] * second[next]) / (2 * n * n);
        }
        own.total = std::hypot(area[0], area[1], area[2]);
        face_of.push_back(face);
      }
    }
  }
}

// As OfACube and WhatIsBetweenHides.
TEST(ViewFactors, ByCentresOfTriangles) {
  std::vector<RadiatingFace> triangles;
  std::vector<std::int32_t> face_of;
  add_triangles({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 8, 0, triangles, face_of);
  add_triangles({0, 0, 1}, {0, 1, 0}, {1, 0, 0}, 8, 1, triangles, face_of);
  const std::vector<double> free = view_factors_by_centres(triangles, face_of, 2, 2);
  EXPECT_NEAR(free[1], 0.19982, 1e-3);
  EXPECT_NEAR(free[2], free[1], 1e-9);
  EXPECT_EQ(free[0], 0);
  // A screen over the half of both, with two sides.
  add_triangles({0, -1, 0.5}, {0, 3, 0}, {0.5, 0, 0}, 16, 2, triangles, face_of);
  add_triangles({0, -1, 0.5}, {0.5, 0, 0}, {0, 3, 0}, 16, 3, triangles, face_of);
  const std::vector<double> half = view_factors_by_centres(triangles, face_of, 4, 2);
  EXPECT_GT(half[1], 0.3 * free[1]);
  EXPECT_LT(half[1], 0.6 * free[1]);
  EXPECT_GT(half[0 * 4 + 2], 0.2);  // the side that is turned to it
  EXPECT_EQ(half[0 * 4 + 3], 0);    // and its back
}

/// What one grey sphere radiates to another around it, both of one temperature throughout:
/// sigma (T1^4 - T2^4) A1 / (1 / e1 + A1 / A2 (1 / e2 - 1)).
TEST(ViewFactors, OfTwoSpheres) {
  std::vector<RadiatingFace> faces;
  add_sphere(1, 2, true, faces);
  const std::size_t inner = faces.size();
  add_sphere(2, 2, false, faces);
  const std::size_t n = faces.size();
  std::vector<double> factors = view_factors(faces, 1);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += factors[i * n + j];
    EXPECT_NEAR(sum, 1, 0.05) << i;  // 48 faces in all; 384 are within 0.01
  }
  close_cavity(faces, factors);
  double area[2] = {0, 0};
  for (std::size_t i = 0; i < n; ++i) area[i < inner ? 0 : 1] += faces[i].total;
  const double emissivity[2] = {0.8, 0.4};
  std::vector<double> radiosity(n, 0.0);
  double passes = 0;
  for (int round = 0; round < 200; ++round) {
    passes = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double arrives = 0;
      for (std::size_t j = 0; j < n; ++j) arrives += factors[i * n + j] * radiosity[j];
      const double own = emissivity[i < inner ? 0 : 1];
      radiosity[i] = (i < inner ? own : 0.0) + (1 - own) * arrives;  // sigma T1^4 = 1, T2 = 0
      if (i < inner) passes += faces[i].total * (radiosity[i] - arrives);
    }
  }
  const double expected = area[0] / (1 / emissivity[0] + area[0] / area[1] * (1 / emissivity[1] - 1));
  EXPECT_NEAR(passes, expected, 1e-3 * expected);
}

TEST(ViewFactors, FacesTurnedAwaySeeNothing) {
  const std::vector<double> factors =
      view_factors({square({0, 0, 0}, {0, 1, 0}, {1, 0, 0}), square({0, 0, 1}, {0, 1, 0}, {1, 0, 0})}, 1);
  EXPECT_EQ(factors[1], 0);
  EXPECT_EQ(factors[2], 0);
}

/// radiation: the lines of *RADIATE
std::string plates(const std::string& radiation) {
  return "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,.1\n6,1,0,.1\n7,1,1,.1\n8,0,1,.1\n"
         "11,0,0,.2\n12,1,0,.2\n13,1,1,.2\n14,0,1,.2\n15,0,0,.3\n16,1,0,.3\n17,1,1,.3\n18,0,1,.3\n"
         "*ELEMENT, TYPE=C3D8, ELSET=EALL\n1,1,2,3,4,5,6,7,8\n2,11,12,13,14,15,16,17,18\n"
         "*MATERIAL, NAME=M\n*CONDUCTIVITY\n1e6\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n"
         "*PHYSICAL CONSTANTS, ABSOLUTE ZERO=0., STEFAN BOLTZMANN=5.67E-8\n"
         "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 400.\n*STEP\n*HEAT TRANSFER, STEADY STATE\n"
         "*BOUNDARY\n1,11,11,1000.\n2,11,11,1000.\n3,11,11,1000.\n4,11,11,1000.\n"
         "15,11,11,400.\n16,11,11,400.\n17,11,11,400.\n18,11,11,400.\n"
         "*RADIATE\n" +
         radiation + "*NODE PRINT, NSET=ALL\nNT\n*EL PRINT, ELSET=EALL\nHFL\n*END STEP\n";
}

/// Two wide plates close to each other, one held at 1000 K, the other at 400 K, black and grey: what passes
/// is sigma (T1^4 - T2^4) / (1 / e1 + 1 / e2 - 1), as they form a closed cavity.
TEST(CavityRadiation, ParallelPlates) {
  const auto passes = [](double first, double second) {
    const auto number = [](double value) { return std::to_string(value); };
    const test::DeckRun run = test::run_deck_text(
        plates("1, R2CR, -1., " + number(first) + "\n2, R1CR, -1., " + number(second) + "\n"));
    return run.frames.back().point_field("HFL")->values[2];
  };
  const double black = 5.67e-8 * (std::pow(1000, 4) - std::pow(400, 4));
  EXPECT_NEAR(passes(1, 1), black, 1e-3 * black);
  EXPECT_NEAR(passes(0.8, 0.5), black / (1 / 0.8 + 1 / 0.5 - 1), 1e-3 * black);
}

TEST(CavityRadiation, FacesOfAClosedCavityThatSeeNoOtherAreRefused) {
  EXPECT_THAT(
      test::refusal_of_deck(plates("1, R1CR, -1., 1.\n2, R2CR, -1., 1.\n")),
      testing::HasSubstr("*RADIATE: 2 of the 2 faces of a closed cavity see none of the others, the "
                         "first that of element 1; look which faces, R1 to R6, are turned to each other"));
}

TEST(CavityRadiation, FacesOfAnOpenCavityThatSeeNoOtherRadiateAway) {
  const test::DeckRun open = test::run_deck_text(plates("1, R1CR, 300., 1.\n2, R2CR, 300., 1.\n"));
  const test::DeckRun apart = test::run_deck_text(plates("1, R1, 300., 1.\n2, R2, 300., 1.\n"));
  const double away = apart.frames.back().point_field("HFL")->values[2];
  EXPECT_NEAR(open.frames.back().point_field("HFL")->values[2], away, 1e-8 * std::abs(away));
}

}  // namespace
}  // namespace setka::analysis
