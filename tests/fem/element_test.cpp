// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/ccx_reference.hpp"
#include "fem/solids.hpp"
#include "setka/base/error.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using mesh::Cell;
using setka::test::dot;

const Dense elasticity = isotropic(1000, 0.3);

std::vector<double> distorted(Element type) {
  for (const Reference& r : ccx_references()) {
    if (fem::cell_of(r.type) == fem::cell_of(type)) return r.x;
  }
  return {};
}

template <Cell cell>
std::vector<double> reference_nodes() {
  using Functions = mesh::ShapeFunctions<cell>;
  std::vector<double> r(3 * Functions::nodes);
  for (int i = 0; i < Functions::nodes; ++i) Functions::node(i, mesh::row<3>(r.data(), i));
  return r;
}

std::vector<double> reference_nodes(Element type) {
  switch (fem::cell_of(type)) {
    case Cell::tet4:
      return reference_nodes<Cell::tet4>();
    case Cell::tet10:
      return reference_nodes<Cell::tet10>();
    case Cell::wedge6:
      return reference_nodes<Cell::wedge6>();
    case Cell::wedge15:
      return reference_nodes<Cell::wedge15>();
    case Cell::hex8:
      return reference_nodes<Cell::hex8>();
    default:
      return reference_nodes<Cell::hex20>();
  }
}

/// The reference element under a linear map of determinant 0.878.
std::vector<double> skewed(Element type) {
  std::vector<double> x = reference_nodes(type);
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const double a = x[i];
    const double b = x[i + 1];
    const double c = x[i + 2];
    x[i] = a + 0.2 * b + 3;
    x[i + 1] = 0.8 * b - 0.1 * c - 1;
    x[i + 2] = 1.1 * c + 0.1 * a;
  }
  return x;
}
constexpr double skewed_determinant = 1.0 * (0.8 * 1.1) - 0.2 * (0 + 0.1 * 0.1);

double reference_volume(Element type) {
  switch (mesh::dimension(fem::cell_of(type)) + mesh::face_count(fem::cell_of(type))) {
    case 7:
      return 1.0 / 6;
    case 8:
      return 1;
    default:
      return 8;
  }
}

/// C3D8I and C3D8R as CalculiX has them pass the patch test only where the Jacobian is constant.
std::vector<double> patch(Element type) {
  return type == Element::hex8_incompatible || type == Element::hex8_uniform ? skewed(type) : distorted(type);
}

double volume(Element type, const std::vector<double>& x) {
  std::vector<double> w(static_cast<std::size_t>(point_count(type)));
  point_volumes(type, x, w);
  return std::accumulate(w.begin(), w.end(), 0.0);
}

/// Force and moment about the origin of nodal forces.
std::array<double, 6> resultant(const std::vector<double>& x, const std::vector<double>& f) {
  std::array<double, 6> sum{};
  for (std::size_t i = 0; i < x.size(); i += 3) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t a = i + (c + 1) % 3;
      const std::size_t b = i + (c + 2) % 3;
      sum[c] += f[i + c];
      sum[3 + c] += x[a] * f[b] - x[b] * f[a];
    }
  }
  return sum;
}

/// Patterns of one element that strain it at none of its points, beside the motions of a rigid body. Elements
/// with a formulation of their own resist them.
std::size_t unseen_patterns(Element type, const std::vector<double>& x) {
  if (!is_plain(type)) return 0;
  Dense b(6 * point_count(type), static_cast<std::int64_t>(x.size()));
  for (std::size_t j = 0; j < x.size(); ++j) {
    std::vector<double> u(x.size());
    std::vector<double> e(static_cast<std::size_t>(b.rows()));
    u[j] = 1;
    strains(type, x, u, at_points(type, elasticity), e);
    for (std::size_t i = 0; i < e.size(); ++i)
      b(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) = e[i];
  }
  const std::vector<double> values = eigenvalues(b.transposed() * b);
  const auto zeros =
      std::ranges::count_if(values, [&](double value) { return std::abs(value) <= 1e-12 * values.back(); });
  return static_cast<std::size_t>(zeros) - 6;
}

bool has_one_point_on_quadrilaterals(Element type) {
  const Cell cell = fem::cell_of(type);
  for (int face = 0; face < mesh::face_count(cell); ++face) {
    const std::size_t nodes = mesh::face_nodes(cell, face).size();
    if ((nodes == 4 || nodes == 8) && face_points(type, face, skewed(type)).size() == 1) return true;
  }
  return false;
}

class Solid : public ::testing::TestWithParam<Element> {
 protected:
  Element type() const { return GetParam(); }
  std::size_t nodes() const { return static_cast<std::size_t>(nodes_of(type())); }
  std::size_t points() const { return static_cast<std::size_t>(point_count(type())); }
};

INSTANTIATE_TEST_SUITE_P(Solids, Solid, ::testing::ValuesIn(solids),
                         [](const auto& param) { return std::string(fem::name(param.param)); });

TEST_P(Solid, StiffnessIsSymmetricWithTheModesOfNoEnergyThatItsPointsLeave) {
  for (const std::vector<double>& x : {distorted(type()), skewed(type())}) {
    const std::size_t free_patterns = unseen_patterns(type(), x);
    const Dense k = stiffness_of(type(), x, elasticity);
    EXPECT_LE(largest(k - k.transposed()), setka::test::rounding<double>(100, largest(k)));
    const std::vector<double> values = eigenvalues(k);
    const double top = values.back();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i < 6 + free_patterns) {
        EXPECT_LE(std::abs(values[i]), 1e-13 * top) << i;
      } else {
        EXPECT_GE(values[i], 1e-4 * top) << i;
      }
    }
  }
}

TEST_P(Solid, PassesThePatchTest) {
  const std::vector<double> x = patch(type());
  const double gradient[3][3] = {{0.01, 0.02, -0.03}, {0.015, -0.02, 0.04}, {-0.01, 0.03, 0.05}};
  std::vector<double> u;
  for (std::size_t i = 0; i < nodes(); ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      double sum = 0.1;
      for (std::size_t b = 0; b < 3; ++b) sum += gradient[a][b] * x[3 * i + b];
      u.push_back(sum);
    }
  }
  const std::vector<double> exact{gradient[0][0],
                                  gradient[1][1],
                                  gradient[2][2],
                                  gradient[0][1] + gradient[1][0],
                                  gradient[0][2] + gradient[2][0],
                                  gradient[1][2] + gradient[2][1]};
  const std::vector<double> stress = elasticity * exact;
  std::vector<double> e(6 * points());
  strains(type(), x, u, at_points(type(), elasticity), e);
  std::vector<double> stresses;
  for (std::size_t p = 0; p < points(); ++p) {
    EXPECT_TRUE(setka::test::all_near(std::vector<double>(e.begin() + static_cast<std::ptrdiff_t>(6 * p),
                                                          e.begin() + static_cast<std::ptrdiff_t>(6 * p + 6)),
                                      exact, 1e-14))
        << "point " << p;
    stresses.insert(stresses.end(), stress.begin(), stress.end());
  }
  std::vector<double> f(x.size());
  internal_force(type(), x, stresses, f);
  EXPECT_LE(largest(resultant(x, f)), 1e-12 * largest(stress));
  EXPECT_TRUE(setka::test::all_near(stiffness_of(type(), x, elasticity) * u, f, 1e-12 * largest(stress)));
}

TEST_P(Solid, KnowsItsVolume) {
  EXPECT_NEAR(volume(type(), skewed(type())), skewed_determinant * reference_volume(type()), 1e-14);
}

/// The divergence theorem: the volume is a third of the flux of x through the faces; straight edges.
TEST_P(Solid, VolumeOfADistortedElementIsTheFluxThroughItsFaces) {
  if (has_one_point_on_quadrilaterals(type())) {
    GTEST_SKIP() << "one point on a quadrilateral face: exact for its area alone";
  }
  if (type() == Element::hex20_fibre) GTEST_SKIP() << "two points on its axis: exact for straight fibres";
  std::vector<double> x = distorted(type());
  const auto shape = fem::cell_of(type());
  for (int face = 0; face < mesh::face_count(shape); ++face) {  // nodes amid edges onto the middle
    const auto local = mesh::face_nodes(shape, face);
    const std::size_t corners = local.size() >= 6 ? local.size() / 2 : 0;
    for (std::size_t i = 0; i < corners; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        x[3 * static_cast<std::size_t>(local[corners + i]) + c] =
            (x[3 * static_cast<std::size_t>(local[i]) + c] +
             x[3 * static_cast<std::size_t>(local[(i + 1) % corners]) + c]) /
            2;
      }
    }
  }
  double flux = 0;
  std::vector<double> f(x.size());
  for (int face = 0; face < mesh::face_count(shape); ++face) {
    face_pressure(type(), face, x, 1, f);
    for (std::size_t i = 0; i < x.size(); ++i) flux -= f[i] * x[i] / 3;
  }
  EXPECT_NEAR(flux, volume(type(), x), 1e-12);
}

TEST_P(Solid, BodyForcesSumToTheirTotal) {
  const std::vector<double> x = distorted(type());
  std::vector<double> force;
  for (std::size_t p = 0; p < points(); ++p) force.insert(force.end(), {2, -3, 5});
  std::vector<double> f(x.size());
  body_force(type(), x, force, f);
  const std::array<double, 6> total = resultant(x, f);
  const double v = volume(type(), x);
  EXPECT_NEAR(total[0], 2 * v, 1e-13 * v);
  EXPECT_NEAR(total[1], -3 * v, 1e-13 * v);
  EXPECT_NEAR(total[2], 5 * v, 1e-13 * v);
}

TEST_P(Solid, PressureOnAllFacesIsInEquilibriumAndPushesInwards) {
  const std::vector<double> x = distorted(type());
  std::vector<double> middle(3);
  for (std::size_t i = 0; i < x.size(); ++i) middle[i % 3] += x[i] / static_cast<double>(nodes());
  std::vector<double> f(x.size());
  std::array<double, 3> sum{};
  for (int face = 0; face < mesh::face_count(fem::cell_of(type())); ++face) {
    face_pressure(type(), face, x, 2, f);
    const std::array<double, 6> force = resultant(x, f);
    double inwards = 0;
    const auto local = mesh::face_nodes(fem::cell_of(type()), face);
    for (std::size_t c = 0; c < 3; ++c) {
      double centre = 0;
      for (const auto node : local) centre += x[3 * static_cast<std::size_t>(node) + c];
      inwards += force[c] * (middle[c] - centre / static_cast<double>(local.size()));
      sum[c] += force[c];
    }
    EXPECT_GT(inwards, 0) << "face " << face;
  }
  EXPECT_LE(largest(sum), 1e-13);
}

TEST_P(Solid, MassSumsToDensityTimesVolume) {
  const std::vector<double> x = distorted(type());
  Dense m = square(x.size());
  const std::vector<double> d = at_points(type(), elasticity);
  for (const auto& modes : {std::span<const double>{}, std::span<const double>(d)}) {
    mass(type(), x, 7, m.values(), modes);
    EXPECT_LE(largest(m - m.transposed()), 1e-15 * largest(m));
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<double> one(x.size());
      for (std::size_t i = c; i < one.size(); i += 3) one[i] = 1;
      EXPECT_NEAR(dot(one, m * one), 7 * volume(type(), x), 1e-12);
    }
  }
}

TEST_P(Solid, PointsLieWhereTheShapeFunctionsPutThem) {
  const std::vector<double> x = distorted(type());
  std::vector<double> at(3 * points());
  std::vector<double> n(points() * nodes());
  point_coordinates(type(), x, at);
  point_shape_values(type(), n);
  for (std::size_t p = 0; p < points(); ++p) {
    for (std::size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < nodes(); ++i) sum += n[p * nodes() + i] * x[3 * i + c];
      EXPECT_NEAR(at[3 * p + c], sum, 1e-14);
    }
  }
}

TEST_P(Solid, TemperaturesKeepConstants) {
  const std::vector<double> nodal(nodes(), 4.5);
  std::vector<double> at(points());
  point_temperatures(type(), nodal, at);
  for (const double t : at) EXPECT_NEAR(t, 4.5, 1e-14);
}

/// Within the rounding of CalculiX's weights, whose rows sum to 1 within 5e-5.
TEST_P(Solid, ExtrapolationKeepsConstantsAndLinearFields) {
  const std::vector<double> x = skewed(type());
  std::vector<double> at(3 * points());
  point_coordinates(type(), x, at);
  std::vector<double> values;
  for (std::size_t p = 0; p < points(); ++p) {
    values.insert(values.end(), {1, 2 + 0.3 * at[3 * p] - 0.4 * at[3 * p + 1] + 0.5 * at[3 * p + 2]});
  }
  std::vector<double> found(2 * nodes());
  extrapolate(type(), 2, values, found);
  const bool linear = points() >= 4;  // fewer points cannot, and C3D6 in CalculiX mixes its levels
  for (std::size_t i = 0; i < nodes(); ++i) {
    EXPECT_NEAR(found[2 * i], 1, 5.1e-5) << "node " << i;
    const double exact = 2 + 0.3 * x[3 * i] - 0.4 * x[3 * i + 1] + 0.5 * x[3 * i + 2];
    if (linear) {
      EXPECT_NEAR(found[2 * i + 1], exact, 5e-4) << "node " << i;
    }
  }
}

TEST_P(Solid, LeastJacobianTellsAnElementInsideOut) {
  std::vector<double> x = skewed(type());
  EXPECT_NEAR(least_jacobian(type(), x), skewed_determinant, 1e-14);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = -x[i];
  EXPECT_NEAR(least_jacobian(type(), x), -skewed_determinant, 1e-14);
  EXPECT_GT(least_jacobian(type(), distorted(type())), 0);
}

TEST_P(Solid, RefusesSpansOfTheWrongLength) {
  const std::vector<double> x(3 * nodes() - 1);
  std::vector<double> w(points());
  try {
    point_volumes(type(), x, w);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("point_volumes: x has " + std::to_string(x.size()) +
                                                   " values for " + std::string(fem::name(type())) +
                                                   ", which needs " + std::to_string(3 * nodes())));
  }
}

TEST(Elements, CountPointsAsCalculix) {
  EXPECT_EQ(point_count(Element::tet4), 1);
  EXPECT_EQ(point_count(Element::wedge6), 2);
  EXPECT_EQ(point_count(Element::hex8), 8);
  EXPECT_EQ(point_count(Element::hex8_incompatible), 8);
  EXPECT_EQ(point_count(Element::hex8_uniform), 1);
  EXPECT_EQ(point_count(Element::tet10), 4);
  EXPECT_EQ(point_count(Element::wedge15), 9);
  EXPECT_EQ(point_count(Element::hex20), 27);
  EXPECT_EQ(point_count(Element::hex20_reduced), 8);
  EXPECT_EQ(point_count(Element::wedge15_layer), 6);
  EXPECT_EQ(point_count(Element::hex20_kronrod), 50);
  EXPECT_EQ(point_count(Element::hex20_fibre), 2);
}

/// Of the others whose points are those of CalculiX: none.
TEST(Elements, SingleWedgesAndReducedHexahedraHavePatternsThatTheirPointsDoNotSee) {
  EXPECT_EQ(unseen_patterns(Element::wedge6, distorted(Element::wedge6)), 1);
  EXPECT_EQ(unseen_patterns(Element::hex20_reduced, distorted(Element::hex20_reduced)), 6);
  for (const Element type : {Element::tet4, Element::hex8, Element::tet10, Element::wedge15, Element::hex20,
                             Element::hex20_kronrod})
    EXPECT_EQ(unseen_patterns(type, distorted(type)), 0) << fem::name(type);
}

TEST(Elements, OtherTypesAreRefused) {
  EXPECT_TRUE(is_solid(Element::tet4));
  EXPECT_FALSE(is_solid(Element::quad4));
  try {
    point_count(Element::quad4);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("quad4 is not a solid element"));
  }
}

TEST(Elements, AFaceThatIsNotThereIsRefused) {
  const std::vector<double> x = skewed(Element::tet4);
  std::vector<double> f(12);
  try {
    face_pressure(Element::tet4, 4, x, 1, f);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("tet4 has the faces 0 to 3, not 4"));
  }
}

/// The hourglass resistance of C3D8R is measured by D_xxxx where the material is not isotropic.
TEST(Elements, HourglassResistanceOfAnOrthotropicMaterial) {
  const std::vector<double> x = reference_nodes(Element::hex8_uniform);
  Dense d = isotropic(1000, 0.25);
  std::vector<double> pattern(24);
  for (std::size_t i = 0; i < 8; ++i) pattern[3 * i] = i % 2 == 0 ? 1 : -1;
  // c |gamma|^4 with |gamma|^2 = 8, c = 0.0005 modulus V (b.b), V = 8, b.b = 24 / 64
  const double per_modulus = 64 * 0.0005 * 8 * 24 / 64;
  EXPECT_NEAR(dot(pattern, stiffness_of(Element::hex8_uniform, x, d) * pattern), per_modulus * 1000, 1e-9);
  d(5, 5) *= 2;
  EXPECT_NEAR(dot(pattern, stiffness_of(Element::hex8_uniform, x, d) * pattern), per_modulus * d(0, 0), 1e-9);
}

}  // namespace
}  // namespace setka::fem::test
