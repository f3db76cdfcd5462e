// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "fem/law_samples.hpp"
#include "setka/fem/element_diagonal.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/large_strain_form.hpp"
#include "setka/fem/large_strain_lanes.hpp"
#include "setka/fem/large_strain_tangent.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

class LargeStrainsOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(LargeStrainsOn);

using Vector = std::vector<double>;

std::vector<Element> elements_of_form() {
  std::vector<Element> all;
  for (const Element type : solids) {
    if (type != Element::hex8_incompatible) all.push_back(type);
  }
  return all;
}

/// A bent block of one element and one law, or of all laws in turn.
struct Block {
  SmallModel model;
  std::vector<LawMaterial> laws;
  std::shared_ptr<const LargeStrainForm<double>> form;
  std::shared_ptr<const DofMap> dofs;

  Block(const exec::Device& device, Element type, std::vector<LawMaterial> of,
        std::array<int, 3> cells = {2, 2, 1})
      : model(small_model(type, Elasticity::isotropic, cells)), laws(std::move(of)) {
    for (std::size_t e = 0; e < model.material_of.size(); ++e)
      model.material_of[e] = static_cast<std::int32_t>(e % laws.size());
    form = std::make_shared<const LargeStrainForm<double>>(device, model.region(), laws, model.material_of);
    dofs = std::make_shared<const DofMap>(device, Space(model.region(), 3, Constraints::none(model.dofs())));
  }

  /// f(u) at the nodes.
  Vector forces(const Vector& u, double* energy = nullptr) const {
    const exec::Device& device = form->device();
    const exec::Array<double> from(device, u);
    exec::Array<double> f(device, from.size());
    exec::Array<double> sum(device, 1);
    node_forces(device, *form, from, f, sum.data());
    if (energy != nullptr) *energy = sum.to_vector()[0];
    return f.to_vector();
  }

  Vector product(const solve::Operator& k, const Vector& v) const {
    const exec::Array<double> from(form->device(), v);
    exec::Array<double> to(form->device(), k.rows());
    k.apply(form->device(), from, to);
    return to.to_vector();
  }

  /// A large turn with strains on top.
  Vector state() const {
    Vector u;
    const double angle = 1.2;
    for (std::size_t i = 0; i < model.coordinates.size(); i += 3) {
      const double* const x = model.coordinates.data() + i;
      u.push_back((std::cos(angle) - 1) * x[0] - std::sin(angle) * x[1]);
      u.push_back(std::sin(angle) * x[0] + (std::cos(angle) - 1) * x[1]);
      u.push_back(0.0);
    }
    const Vector wild = setka::test::random_values<double>(static_cast<std::int64_t>(u.size()), 5);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += 0.02 * wild[i] + 0.05 * model.coordinates[i];
    return u;
  }
};

double largest_of(const Vector& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

Vector sum(const Vector& a, double factor, const Vector& b) {
  Vector made = a;
  for (std::size_t i = 0; i < a.size(); ++i) made[i] += factor * b[i];
  return made;
}

/// Calls body(block) for every element with every law, and with all of them.
template <class Body>
void for_blocks(const exec::Device& device, const Body& body) {
  for (const Element type : elements_of_form()) {
    for (const LawMaterial& law : law_samples()) {
      SCOPED_TRACE(std::string(name(type)) + ", " + std::string(name(law.law)));
      body(Block(device, type, {law}));
    }
    SCOPED_TRACE(std::string(name(type)) + ", all laws");
    body(Block(device, type, law_samples()));
  }
}

TEST_P(LargeStrainsOn, TangentIsTheSlopeOfTheForces) {
  for_blocks(device(), [&](const Block& block) {
    const Vector u = block.state();
    const exec::Array<double> at(device(), u);
    const TangentOperator k(block.form, block.dofs, at);
    for (unsigned trial = 0; trial < 2; ++trial) {
      const Vector v = setka::test::random_values<double>(static_cast<std::int64_t>(u.size()), 40 + trial);
      const double h = 1e-5;
      const Vector more = block.forces(sum(u, h, v));
      const Vector less = block.forces(sum(u, -h, v));
      Vector slope;
      for (std::size_t i = 0; i < u.size(); ++i) slope.push_back((more[i] - less[i]) / (2 * h));
      // Central differences: the third derivative times h^2, and rounding over h.
      EXPECT_TRUE(setka::test::all_near(block.product(k, v), slope, 1e-7 * largest_of(slope)));
    }
  });
}

TEST_P(LargeStrainsOn, ForcesAreTheSlopeOfTheEnergy) {
  for_blocks(device(), [&](const Block& block) {
    const Vector u = block.state();
    const Vector f = block.forces(u);
    const Vector v = setka::test::random_values<double>(static_cast<std::int64_t>(u.size()), 50);
    const double h = 1e-5;
    double more = 0;
    double less = 0;
    double work = 0;
    block.forces(sum(u, h, v), &more);
    block.forces(sum(u, -h, v), &less);
    for (std::size_t i = 0; i < u.size(); ++i) work += f[i] * v[i];
    EXPECT_NEAR((more - less) / (2 * h), work, 1e-6 * largest_of(f) * std::sqrt(u.size()));
  });
}

/// Matrices, and all that is made from them, are those of the products without.
TEST_P(LargeStrainsOn, MatricesAndDiagonalsAreThoseOfTheProducts) {
  for_blocks(device(), [&](const Block& block) {
    const exec::Array<double> at(device(), block.state());
    const auto set = block.form->shared_set();
    auto matrices = std::make_shared<ElementMatrices>(*set);
    integrate_tangent(device(), *block.form, at, *matrices);
    const TangentOperator free(block.form, block.dofs, at);
    const StoredElementOperator stored(set, matrices, block.dofs);
    const std::int64_t rows = block.dofs->size();
    for (const std::int64_t columns : {1, 3}) {
      const exec::MultiVector<double> x(device(), rows, columns,
                                        setka::test::random_values<double>(rows * columns, 9));
      exec::MultiVector<double> y(device(), rows, columns);
      stored.apply(device(), x, y);
      const Vector expected = y.values().to_vector();
      free.apply(device(), x, y);
      // K is symmetric: only its upper triangle is stored.
      EXPECT_TRUE(setka::test::all_near(y.values().to_vector(), expected, 1e-12 * largest_of(expected)));
    }
    exec::Array<double> d(device(), rows);
    diagonal(device(), *set, *matrices, *block.dofs, d);
    const Vector own = d.to_vector();
    for (const std::size_t row : {std::size_t{0}, own.size() / 2, own.size() - 1}) {
      Vector unit(own.size(), 0.0);
      unit[row] = 1;
      EXPECT_NEAR(block.product(free, unit)[row], own[row], 1e-12 * largest_of(own));
    }
  });
}

/// Without displacements the tangent is K of linear elasticity with the law's D, and small displacements meet
/// K u up to their square.
TEST_P(LargeStrainsOn, SmallDisplacementsAreThoseOfLinearElasticity) {
  for (const Element type : elements_of_form()) {
    if (!is_plain(type)) continue;
    SCOPED_TRACE(std::string(name(type)));
    const Block block(device(), type, law_samples());
    Vector table;
    for (const LawMaterial& law : block.laws) {
      const std::array<double, 36> d = law.small_strains().d;
      table.insert(table.end(), d.begin(), d.end());
    }
    const auto set = block.form->shared_set();
    const auto linear =
        std::make_shared<const Form>(FormKind::elasticity, set, 3, table, block.model.material_of);
    const FormOperator k(linear, block.dofs);
    const Vector v =
        setka::test::random_values<double>(static_cast<std::int64_t>(block.model.coordinates.size()), 4);
    const Vector expected = block.product(k, v);
    const double bound = largest_of(expected);
    EXPECT_TRUE(setka::test::all_near(block.product(TangentOperator(block.form, block.dofs), v), expected,
                                      1e-12 * bound));
    const double small = 1e-6;
    Vector f = block.forces(sum(Vector(v.size(), 0.0), small, v));
    for (double& value : f) value /= small;
    EXPECT_TRUE(setka::test::all_near(f, expected, 100 * small * bound));
  }
}

TEST_P(LargeStrainsOn, RigidTurnsMeetNoForceAndTangentsNone) {
  for_blocks(device(), [&](const Block& block) {
    const std::vector<double>& x = block.model.coordinates;
    const double angle = 2.1;
    Vector u;
    Vector spin;  // at the turned place, about the same axis
    for (std::size_t i = 0; i < x.size(); i += 3) {
      const double y[2] = {std::cos(angle) * x[i] - std::sin(angle) * x[i + 1],
                           std::sin(angle) * x[i] + std::cos(angle) * x[i + 1]};
      u.insert(u.end(), {y[0] - x[i], y[1] - x[i + 1], 0.3});
      spin.insert(spin.end(), {-y[1], y[0], 1});
    }
    double energy = 0;
    EXPECT_LT(largest_of(block.forces(u, &energy)), 1e-11 * 1000);
    EXPECT_LT(std::abs(energy), 1e-11 * 1000);
    const exec::Array<double> at(device(), u);
    EXPECT_LT(largest_of(block.product(TangentOperator(block.form, block.dofs, at), spin)), 1e-11 * 1000);
  });
}

/// An isotropic D gives the forces of Saint Venant and Kirchhoff.
TEST_P(LargeStrainsOn, AnIsotropicMatrixIsSaintVenantAndKirchhoff) {
  const LawMaterial steel = saint_venant_kirchhoff(1000, 0.3, 7);
  const LawMaterial by_d = linear_elastic(steel.small_strains().d, 7);
  for (const Element type : elements_of_form()) {
    SCOPED_TRACE(std::string(name(type)));
    const Block one(device(), type, {steel});
    const Block other(device(), type, {by_d});
    const Vector right = one.forces(one.state());
    EXPECT_TRUE(setka::test::all_near(other.forces(one.state()), right, 1e-12 * largest_of(right)));
  }
}

TEST_P(LargeStrainsOn, MisuseIsRefused) {
  EXPECT_THROW(Block(device(), Element::hex8_incompatible, law_samples()), Error);
  const Block block(device(), Element::tet4, law_samples());
  const exec::Array<double> at(device(), Vector(3));
  ElementMatrices matrices(block.form->set());
  EXPECT_THAT(refusal([&] { integrate_tangent(device(), *block.form, at, matrices); }),
              ::testing::HasSubstr("3 displacements"));
  EXPECT_THAT(refusal([&] { TangentOperator(block.form, block.dofs, at); }),
              ::testing::HasSubstr("3 displacements"));
}

/// A law that remembers the sum of all dilations, which is its pressure.
template <class Real>
struct Remembering {
  static constexpr int constants = 0;
  static constexpr int history_size = 2;
  template <class Constant>
  static Remembering of(const Constant& /*constant*/) {
    return {};
  }
  void stress(const Real* /*g*/, const Real* e, const kernel::History<Real>& history, Real* s) const {
    history.after[0] = history.before[0] + kernel::trace(e);
    history.after[1] = history.before[1] + Real(1);
    for (int i = 0; i < 6; ++i) s[i] = i < 3 ? history.after[0] : Real(0);
  }
  Real energy(const Real* /*g*/, const Real* /*e*/, const kernel::History<Real>& history) const {
    return history.after[0];
  }
};

/// What a point is to remember comes in, and goes out to its own place.
TEST(PointHistory, PassesThroughTheElements) {
  const Block block(exec::Device::cpu(1), Element::tet10, {saint_venant_kirchhoff(1, 0.3, 1)}, {2, 1, 1});
  constexpr std::size_t points = 4;
  kernel::LargeStrainGroup<double> group = block.form->group(0);
  const auto lanes = static_cast<std::size_t>(group.blocks * block_lanes);
  Vector before(2 * points * lanes);
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<double>(i);
  Vector after(before.size(), -1.0);
  Vector resistance(1, 0.0);
  group.constants = resistance.data();
  group.before = before.data();
  group.after = after.data();
  Vector u;  // a uniform stretch: every point has the same strain
  for (const double x : block.model.coordinates) u.push_back(0.1 * x);
  Vector f(std::size_t{3} * 10 * lanes);
  const kernel::ElementForces<double, Element::tet10, false, Remembering> body{group, u.data(), f.data(),
                                                                               nullptr};
  const double dilation = 3 * (0.1 + 0.005);
  const auto check = [&] {
    for (std::size_t i = 0; i < after.size(); ++i) {
      const bool counts = i / block_lanes % 2 == 1;
      ASSERT_NEAR(after[i], before[i] + (counts ? 1 : dilation), 1e-12 * (1 + before[i])) << i;
    }
  };
  block_forces(body, 0);
  check();
  after.assign(after.size(), -1.0);
  for (std::size_t e = 0; e < lanes; ++e) body(static_cast<std::int64_t>(e));
  check();
}

}  // namespace
}  // namespace setka::fem::test
