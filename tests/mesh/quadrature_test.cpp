// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/quadrature_kernel.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace setka::mesh {
namespace {

double factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}
double on_line(int a) {
  return a % 2 == 1 ? 0 : 2.0 / (a + 1);
}
double on_triangle(int a, int b) {
  return factorial(a) * factorial(b) / factorial(a + b + 2);
}

template <class Rule>
double integral(int a, int b, int c) {
  double sum = 0;
  for (int p = 0; p < Rule::points; ++p) {
    std::array<double, 3> r{};
    const double w = Rule::at(p, r.data());
    sum += w * std::pow(r[0], a) * std::pow(r[1], b) * std::pow(r[2], c);
  }
  return sum;
}

/// All monomials of that total degree or less.
template <class Rule, class Exact>
void expect_exact(int degree, Exact exact) {
  for (int a = 0; a <= degree; ++a) {
    for (int b = 0; a + b <= (Rule::dimension > 1 ? degree : a); ++b) {
      for (int c = 0; a + b + c <= (Rule::dimension > 2 ? degree : a + b); ++c) {
        EXPECT_NEAR(integral<Rule>(a, b, c), exact(a, b, c), 1e-14) << "x^" << a << " y^" << b << " z^" << c;
      }
    }
  }
}

TEST(Quadrature, LinesQuadsAndHexahedraAreExactToTheirDegree) {
  const auto line = [](int a, int, int) { return on_line(a); };
  expect_exact<GaussLine<1>>(1, line);
  expect_exact<GaussLine<2>>(3, line);
  expect_exact<GaussLine<3>>(5, line);
  const auto quad = [](int a, int b, int) { return on_line(a) * on_line(b); };
  expect_exact<GaussQuad<1>>(1, quad);
  expect_exact<GaussQuad<2>>(3, quad);
  expect_exact<GaussQuad<3>>(5, quad);
  const auto hexa = [](int a, int b, int c) { return on_line(a) * on_line(b) * on_line(c); };
  expect_exact<GaussHex<1>>(1, hexa);
  expect_exact<GaussHex<2>>(3, hexa);
  expect_exact<GaussHex<3>>(5, hexa);
}

TEST(Quadrature, TrianglesTetrahedraAndWedgesAreExactToTheirDegree) {
  const auto triangle = [](int a, int b, int) { return on_triangle(a, b); };
  expect_exact<GaussTri<1>>(1, triangle);
  expect_exact<GaussTri<3>>(2, triangle);
  expect_exact<GaussTri<7>>(5, triangle);
  const auto tetra = [](int a, int b, int c) {
    return factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
  };
  expect_exact<GaussTet<1>>(1, tetra);
  expect_exact<GaussTet<4>>(2, tetra);
  expect_exact<GaussTet<15>>(5, tetra);
  const auto wedge = [](int a, int b, int c) { return on_triangle(a, b) * on_line(c); };
  expect_exact<GaussWedge<1, 2>>(1, wedge);
  expect_exact<GaussWedge<3, 3>>(2, wedge);
  expect_exact<GaussWedge<7, 3>>(5, wedge);
}

TEST(Quadrature, FirstCoordinateRunsFastest) {
  std::array<double, 3> r{};
  GaussHex<3>::at(2 + 3 * 1 + 9 * 0, r.data());
  EXPECT_GT(r[0], 0.7);
  EXPECT_EQ(r[1], 0);
  EXPECT_LT(r[2], -0.7);
}

}  // namespace
}  // namespace setka::mesh
