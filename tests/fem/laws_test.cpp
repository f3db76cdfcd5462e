// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/laws.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/law_samples.hpp"
#include "setka/base/error.hpp"
#include "setka/fem/element_material.hpp"
#include "support/random.hpp"

namespace setka::fem::test {
namespace {

using Tensor = std::array<double, 6>;
using Gradient = std::array<double, 9>;

/// A state with large strains, and one without any.
std::vector<Gradient> gradients() {
  const std::vector<double> random = setka::test::random_values<double>(9, 3);
  Gradient large{};
  for (std::size_t i = 0; i < 9; ++i) large[i] = 0.3 * random[i];
  return {large, {}};
}

/// G of the same body with E + h dE: F changes by F C^-1 dE, to first order.
template <class Law>
struct AtPoint {
  Law law;
  kernel::History<double> history;

  double energy(const Gradient& g) const {
    Tensor e{};
    kernel::green_strain(g.data(), e.data());
    return law.energy(g.data(), e.data(), history);
  }
  Tensor stress(const Gradient& g) const {
    Tensor e{};
    Tensor s{};
    kernel::green_strain(g.data(), e.data());
    law.stress(g.data(), e.data(), history, s.data());
    return s;
  }
};

Gradient moved(Gradient g, const Gradient& way, double h) {
  for (std::size_t i = 0; i < 9; ++i) g[i] += h * way[i];
  return g;
}

/// dE for a change of G.
Tensor strain_change(const Gradient& g, const Gradient& way) {
  Tensor more{};
  Tensor less{};
  kernel::green_strain(moved(g, way, 0.5).data(), more.data());
  kernel::green_strain(moved(g, way, -0.5).data(), less.data());
  for (std::size_t i = 0; i < 6; ++i) more[i] -= less[i];  // E is quadratic in G: no error
  return more;
}

/// Calls body(name, at point) for every listed law, with the constants of a sample.
template <class Body>
void for_laws(const Body& body) {
  for (const LawMaterial& sample : law_samples()) {
    SCOPED_TRACE(std::string(name(sample.law)));
    with_law(sample.law, [&]<template <class> class Own>() {
      const auto law = Own<double>::of([&](int i) { return sample.constants[static_cast<std::size_t>(i)]; });
      const std::vector<double> before(static_cast<std::size_t>(Own<double>::history_size), 0.0);
      std::vector<double> after = before;
      body(AtPoint<Own<double>>{law, {before.data(), after.data()}}, sample);
    });
  }
}

TEST(Laws, StressIsTheSlopeOfTheEnergy) {
  for_laws([](const auto& at, const LawMaterial& sample) {
    for (const Gradient& g : gradients()) {
      const Tensor s = at.stress(g);
      for (unsigned trial = 0; trial < 4; ++trial) {
        const std::vector<double> random = setka::test::random_values<double>(9, 20 + trial);
        Gradient way{};
        std::copy(random.begin(), random.end(), way.begin());
        const double h = 1e-5;
        const double slope = (at.energy(moved(g, way, h)) - at.energy(moved(g, way, -h))) / (2 * h);
        const Tensor de = strain_change(g, way);
        // Central differences: h^2, and rounding over h.
        EXPECT_NEAR(slope, kernel::contraction(s.data(), de.data()), 1e-7 * sample.small_bulk());
      }
    }
  });
}

TEST(Laws, TangentIsTheSlopeOfTheStress) {
  for_laws([](const auto& at, const LawMaterial& sample) {
    for (const Gradient& g : gradients()) {
      Tensor e{};
      kernel::green_strain(g.data(), e.data());
      for (unsigned trial = 0; trial < 4; ++trial) {
        const std::vector<double> random = setka::test::random_values<double>(9, 30 + trial);
        Gradient way{};
        std::copy(random.begin(), random.end(), way.begin());
        const double h = 1e-5;
        const Tensor more = at.stress(moved(g, way, h));
        const Tensor less = at.stress(moved(g, way, -h));
        const Tensor de = strain_change(g, way);
        Tensor ds{};
        at.law.tangent(g.data(), e.data(), at.history, de.data(), ds.data());
        for (std::size_t i = 0; i < 6; ++i)
          EXPECT_NEAR(ds[i], (more[i] - less[i]) / (2 * h), 1e-6 * sample.small_bulk()) << i;
      }
    }
  });
}

TEST(Laws, TangentIsSymmetric) {
  for_laws([](const auto& at, const LawMaterial& sample) {
    const Gradient g = gradients().front();
    Tensor e{};
    kernel::green_strain(g.data(), e.data());
    const std::vector<double> random = setka::test::random_values<double>(12, 8);
    const double* const a = random.data();
    const double* const b = random.data() + 6;
    Tensor sa{};
    Tensor sb{};
    at.law.tangent(g.data(), e.data(), at.history, a, sa.data());
    at.law.tangent(g.data(), e.data(), at.history, b, sb.data());
    EXPECT_NEAR(kernel::contraction(static_cast<const double*>(sa.data()), b),
                kernel::contraction(static_cast<const double*>(sb.data()), a), 1e-13 * sample.small_bulk());
  });
}

/// A material at rest has neither stress nor energy.
TEST(Laws, NoStrainNoStress) {
  for_laws([](const auto& at, const LawMaterial& sample) {
    for (const double value : at.stress({})) EXPECT_NEAR(value, 0, 1e-13 * sample.small_bulk());
    EXPECT_NEAR(at.energy({}), 0, 1e-13 * sample.small_bulk());
  });
}

TEST(LawMaterial, SmallStrainsAreThoseOfTheConstants) {
  const std::array<double, 36> d = isotropic_elasticity(1000, 0.3);
  const LawMaterial steel = saint_venant_kirchhoff(1000, 0.3, 7);
  const LawMaterial by_d = linear_elastic(d, 7);
  for (std::size_t i = 0; i < 36; ++i) {
    EXPECT_NEAR(steel.small_strains().d[i], d[i], 1e-12 * d[0]) << i;
    EXPECT_NEAR(by_d.small_strains().d[i], d[i], 1e-12 * d[0]) << i;
  }
  const LawMaterial rubber = mooney_rivlin(3, 2, 0.01, 1);  // mu = 2 (C10 + C01), K = 2 / D1
  EXPECT_DOUBLE_EQ(rubber.small_shear(), 10);
  EXPECT_DOUBLE_EQ(rubber.small_bulk(), 200);
  EXPECT_DOUBLE_EQ(neo_hooke(3, 0.01, 1).small_shear(), 6);
}

TEST(LawMaterial, ConstantsOfNoMaterialAreRefused) {
  EXPECT_THROW(saint_venant_kirchhoff(100, 0.5, 1), Error);
  EXPECT_THROW(saint_venant_kirchhoff(100, 0.3, 0), Error);
  EXPECT_THROW(neo_hooke(-1, 0.1, 1), Error);
  EXPECT_THROW(mooney_rivlin(1, 1, 0, 1), Error);
  std::array<double, 36> d = isotropic_elasticity(1000, 0.3);
  d[35] = -100;  // one shear alone: the means stay positive
  EXPECT_THROW(linear_elastic(d, 1), Error);
  try {
    check({Law::mooney_rivlin, {1, 2}, 1});
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("2 constants for the law mooney_rivlin, which has 3"));
  }
}

}  // namespace
}  // namespace setka::fem::test
