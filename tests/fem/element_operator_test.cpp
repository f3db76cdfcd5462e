// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element_operator.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/element_operators.hpp"
#include "setka/fem/element_matrix_free.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/space.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

using exec::MultiVector;
using fem::Element;

class ElementOperatorOn : public setka::test::OnDevice {};
SETKA_ON_ALL_DEVICES(ElementOperatorOn);

/// Y = A X with so many columns, in a view with room for two more.
std::vector<double> product(const solve::Operator& a, const std::vector<double>& x, std::int64_t columns) {
  const std::int64_t rows = a.rows();
  const std::int64_t stride = columns + 2;
  std::vector<double> wide(static_cast<std::size_t>(rows * stride), 777.0);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j)
      wide[static_cast<std::size_t>(i * stride + j)] = x[static_cast<std::size_t>(i * columns + j)];
  }
  const MultiVector<double> from(a.device(), rows, stride, wide);
  MultiVector<double> to(a.device(), rows, stride, wide);
  a.apply(a.device(), from.view().leading_columns(columns), to.view().leading_columns(columns));
  const std::vector<double> all = to.values().to_vector();
  std::vector<double> y;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < stride; ++j) {
      const double value = all[static_cast<std::size_t>(i * stride + j)];
      if (j < columns) {
        y.push_back(value);
      } else {
        EXPECT_EQ(value, 777.0) << "a column that is not of the view was written";
      }
    }
  }
  return y;
}

void expect_products(const solve::Operator& a, const Dense& dense) {
  ASSERT_EQ(a.rows(), dense.rows());
  // The sums differ in order alone: relative to the largest of what is summed.
  const double bound = 1e-12 * setka::test::largest_row_sum(dense);
  for (const std::int64_t columns : {1, 5, 8, 17, 35}) {
    SCOPED_TRACE(::testing::Message() << columns << " columns");
    const std::vector<double> x = setka::test::random_values<double>(a.rows() * columns, 31);
    const Dense right = dense * setka::test::from_rows(x, dense.rows(), columns);
    EXPECT_TRUE(setka::test::all_near(product(a, x, columns), setka::test::by_rows(right), bound));
  }
  const std::vector<double> x = setka::test::random_values<double>(a.rows(), 32);
  const exec::Array<double> from(a.device(), x);
  exec::Array<double> to(a.device(), a.rows());
  a.apply(a.device(), from.view(), to.view());
  EXPECT_TRUE(setka::test::all_near(to.to_vector(), dense * x, bound));
}

TEST_P(ElementOperatorOn, EveryOperatorOfEveryTypeIsTheAssembledMatrix) {
  for (const Element type : solids) {
    SCOPED_TRACE(std::string(fem::name(type)));
    const SmallModel model = small_model(type, Elasticity::isotropic, {2, 2, 1});
    for (const Tied tied : {Tied::free, Tied::picks, Tied::equations}) {
      SCOPED_TRACE(::testing::Message() << "constraints " << static_cast<int>(tied));
      const Constraints constraints = constraints_of(model, tied);
      const Parts parts(device(), model, constraints);
      EXPECT_EQ(parts.unknowns->picks(), tied != Tied::equations);
      const Dense dense = assembled(model, constraints, stiffness_by_host(model));
      expect_products(StoredElementOperator(parts.set, parts.matrices, parts.unknowns), dense);
      expect_products(
          StoredElementOperator(parts.set, parts.matrices, parts.unknowns, ElementScheme::scatter), dense);
      if (is_plain(type)) expect_products(MatrixFreeOperator(parts.stiffness, parts.unknowns), dense);
    }
  }
}

TEST_P(ElementOperatorOn, GeneralElasticityWithoutMatrices) {
  for (const Element type : solids) {
    if (!is_plain(type)) continue;
    SCOPED_TRACE(std::string(fem::name(type)));
    const SmallModel model = small_model(type, Elasticity::general, {2, 2, 1});
    const Constraints constraints = constraints_of(model, Tied::picks);
    const Parts parts(device(), model, constraints);
    ASSERT_EQ(parts.stiffness->view(0).lame, nullptr) << "isotropic";
    expect_products(MatrixFreeOperator(parts.stiffness, parts.unknowns),
                    assembled(model, constraints, stiffness_by_host(model)));
  }
}

TEST_P(ElementOperatorOn, SeveralTypes) {
  const SmallModel model = mixed_model();
  const Constraints constraints = constraints_of(model, Tied::equations);
  const Parts parts(device(), model, constraints);
  const Dense dense = assembled(model, constraints, stiffness_by_host(model));
  expect_products(StoredElementOperator(parts.set, parts.matrices, parts.unknowns), dense);
  expect_products(StoredElementOperator(parts.set, parts.matrices, parts.unknowns, ElementScheme::scatter),
                  dense);
  expect_products(MatrixFreeOperator(parts.stiffness, parts.unknowns), dense);
}

/// Chunks of one block of 32 elements each, and of two: most nodes are in several of them, some in one alone.
TEST_P(ElementOperatorOn, SeveralChunks) {
  for (const Element type : {Element::hex8, Element::tet10}) {
    SCOPED_TRACE(std::string(fem::name(type)));
    const SmallModel model = small_model(type, Elasticity::isotropic,
                                         type == Element::hex8 ? std::array{5, 5, 5} : std::array{3, 3, 2});
    for (const Tied tied : {Tied::picks, Tied::equations}) {
      SCOPED_TRACE(::testing::Message() << "constraints " << static_cast<int>(tied));
      const Constraints constraints = constraints_of(model, tied);
      const Parts parts(device(), model, constraints);
      ASSERT_GT(parts.set->groups()[0].blocks(), 3);
      const Dense dense = assembled(model, constraints, stiffness_by_host(model));
      for (const int nodes : {1, 400}) {
        expect_products(
            StoredElementOperator(parts.set, parts.matrices, parts.unknowns, ElementScheme::gather, nodes),
            dense);
        expect_products(MatrixFreeOperator(parts.stiffness, parts.unknowns, nodes), dense);
      }
    }
  }
}

TEST_P(ElementOperatorOn, SeveralChunksOfSeveralTypes) {
  const SmallModel model = mixed_model();
  const Constraints constraints = constraints_of(model, Tied::picks);
  const Parts parts(device(), model, constraints);
  const Dense dense = assembled(model, constraints, stiffness_by_host(model));
  expect_products(StoredElementOperator(parts.set, parts.matrices, parts.unknowns, ElementScheme::gather, 1),
                  dense);
  expect_products(MatrixFreeOperator(parts.stiffness, parts.unknowns, 1), dense);
}

/// The places that fill a block of unknowns belong to no degree of freedom: they are zero in every product.
TEST_P(ElementOperatorOn, PlacesThatFillBlocksAreZero) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {3, 3, 4});
  const Constraints constraints = constraints_of(model, Tied::picks);
  const Parts parts(device(), model, constraints);
  const Space& space = parts.unknowns->space();
  ASSERT_LT(space.unknown_count(), space.size());
  const std::vector<double> x = setka::test::random_values<double>(space.size(), 34);
  const std::vector<double> alone = space.spread(space.collect(x));
  ASSERT_NE(x, alone);
  const StoredElementOperator a(parts.set, parts.matrices, parts.unknowns);
  const std::vector<double> y = product(a, x, 1);
  EXPECT_EQ(y, space.spread(space.collect(y)));
  EXPECT_EQ(y, product(a, alone, 1)) << "and their values have no say";
}

TEST_P(ElementOperatorOn, Mass) {
  const SmallModel model = small_model(Element::hex20_reduced, Elasticity::isotropic, {2, 2, 1});
  const Constraints constraints = constraints_of(model, Tied::picks);
  const Parts parts(device(), model, constraints);
  model.mass(parts.set)->integrate(device(), *parts.matrices);
  expect_products(StoredElementOperator(parts.set, parts.matrices, parts.unknowns),
                  assembled(model, constraints, [&](std::size_t e) {
                    const std::vector<double> x = model.x(e);
                    Dense m = square(x.size());
                    mass(model.type[e], x, model.density(e), m.values());
                    return m;
                  }));
}

/// Rigid motions of a free body meet no resistance: a truth that needs no reference.
TEST_P(ElementOperatorOn, RigidMotionsGiveNoForces) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {4, 3, 3});
  const Parts parts(device(), model, constraints_of(model, Tied::free));
  std::vector<double> u(model.coordinates.size());
  for (std::size_t i = 0; i < u.size(); i += 3) {
    u[i] = 0.3 - 0.2 * model.coordinates[i + 1];
    u[i + 1] = 0.1 + 0.2 * model.coordinates[i] - 0.5 * model.coordinates[i + 2];
    u[i + 2] = -0.4 + 0.5 * model.coordinates[i + 1];
  }
  const exec::Array<double> from(device(), u);
  exec::Array<double> to(device(), model.dofs());
  MatrixFreeOperator(parts.stiffness, parts.unknowns).apply(device(), from.view(), to.view());
  for (const double force : to.to_vector()) EXPECT_NEAR(force, 0, 1e-11);
}

TEST_P(ElementOperatorOn, SameBitsAtEveryRun) {
  const SmallModel model = mixed_model();
  for (const Tied tied : {Tied::picks, Tied::equations}) {
    const Parts parts(device(), model, constraints_of(model, tied));
    const StoredElementOperator gather(parts.set, parts.matrices, parts.unknowns);
    const StoredElementOperator scatter(parts.set, parts.matrices, parts.unknowns, ElementScheme::scatter);
    const MatrixFreeOperator matrix_free(parts.stiffness, parts.unknowns);
    for (const solve::Operator* a :
         {static_cast<const solve::Operator*>(&gather), static_cast<const solve::Operator*>(&scatter),
          static_cast<const solve::Operator*>(&matrix_free)}) {
      for (const std::int64_t columns : {1, 5}) {
        const std::vector<double> x = setka::test::random_values<double>(a->rows() * columns, 33);
        const std::vector<double> once = product(*a, x, columns);
        const std::vector<double> again = product(*a, x, columns);
        EXPECT_EQ(std::memcmp(once.data(), again.data(), once.size() * sizeof(double)), 0);
      }
    }
  }
}

TEST_P(ElementOperatorOn, WithoutElementsOrUnknowns) {
  const SmallModel empty;
  const Parts nothing(device(), empty, constraints_of(empty, Tied::free));
  const exec::Array<double> x(device());
  exec::Array<double> y(device());
  StoredElementOperator(nothing.set, nothing.matrices, nothing.unknowns).apply(device(), x.view(), y.view());
  SmallModel nodes;  // that no element has
  nodes.coordinates.assign(12, 0.0);
  const Parts idle(device(), nodes, constraints_of(nodes, Tied::free));
  const exec::Array<double> u(device(), std::vector<double>(12, 1.0));
  exec::Array<double> f(device(), std::vector<double>(12, 1.0));
  MatrixFreeOperator(idle.stiffness, idle.unknowns).apply(device(), u.view(), f.view());
  EXPECT_THAT(f.to_vector(), ::testing::Each(0.0));
}

/// Chunks do not depend on the team, and a column not on its neighbours.
TEST(ElementOperators, SameBitsWithAnyNumberOfThreadsAndColumns) {
  const SmallModel model = small_model(Element::hex8, Elasticity::isotropic, {7, 6, 6});
  const Constraints constraints = constraints_of(model, Tied::picks);
  std::vector<std::vector<double>> all;
  for (const int threads : {1, 2, 3, 4}) {
    const Parts parts(exec::Device::cpu(threads), model, constraints);
    ASSERT_GT(parts.set->groups()[0].blocks(), 6);
    const StoredElementOperator stored(parts.set, parts.matrices, parts.unknowns, ElementScheme::gather, 1);
    const MatrixFreeOperator matrix_free(parts.stiffness, parts.unknowns, 1);
    for (const solve::Operator* a :
         {static_cast<const solve::Operator*>(&stored), static_cast<const solve::Operator*>(&matrix_free)}) {
      const std::vector<double> x = setka::test::random_values<double>(a->rows(), 35);
      all.push_back(product(*a, x, 1));
      std::vector<double> wide;
      for (const double value : x) wide.insert(wide.end(), {-value, value, 2 * value});
      const std::vector<double> y = product(*a, wide, 3);
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[3 * i + 1], all.back()[i]) << "row " << i;
    }
  }
  for (std::size_t i = 2; i < all.size(); ++i) EXPECT_EQ(all[i], all[i % 2]) << 1 + i / 2 << " threads";
}

TEST(ElementOperators, RefuseWhatDoesNotFit) {
  const exec::Device cpu = exec::Device::cpu(1);
  const SmallModel model = small_model(Element::hex8_uniform, Elasticity::isotropic, {2, 1, 1});
  const Parts parts(cpu, model, constraints_of(model, Tied::picks));
  const StoredElementOperator a(parts.set, parts.matrices, parts.unknowns);
  const exec::Array<double> x(cpu, 3);
  exec::Array<double> y(cpu, a.rows());
  EXPECT_THAT(refusal([&] { a.apply(cpu, x.view(), y.view()); }),
              ::testing::HasSubstr("the operator is [36 x 36], but x is [3 x 1] and y [36 x 1]"));
  EXPECT_THAT(refusal([&] { const MatrixFreeOperator b(parts.stiffness, parts.unknowns); }),
              ::testing::HasSubstr("hex8_uniform has a formulation of its own"));

  const SmallModel other = small_model(Element::hex8, Elasticity::isotropic, {5, 4, 3});
  const Parts others(cpu, other, constraints_of(other, Tied::free));
  EXPECT_THAT(refusal([&] { const StoredElementOperator b(parts.set, parts.matrices, others.unknowns); }),
              ::testing::HasSubstr("360 degrees of freedom for 12 nodes"));
  EXPECT_THAT(refusal([&] { const StoredElementOperator b(parts.set, others.matrices, parts.unknowns); }),
              ::testing::HasSubstr("the matrices are not those of this set"));
  const exec::Device second = exec::Device::cpu(1);
  const Parts elsewhere(second, model, constraints_of(model, Tied::picks));
  EXPECT_THAT(refusal([&] { const MatrixFreeOperator b(others.stiffness, elsewhere.unknowns); }),
              ::testing::HasSubstr("the elements are on cpu, the unknowns on cpu"));
  EXPECT_THAT(refusal([&] { const MatrixFreeOperator b(others.stiffness, others.unknowns, 0); }),
              ::testing::HasSubstr("chunks of 0 nodes"));
  const SmallModel quads = small_model(Element::quad4, Elasticity::isotropic, {2, 1, 0});
  const Parts plane(cpu, quads, constraints_of(quads, Tied::free));
  EXPECT_THAT(refusal([&] { const MatrixFreeOperator b(plane.stiffness, plane.unknowns); }),
              ::testing::HasSubstr("quad4 is not a solid element"));
}

}  // namespace
}  // namespace setka::fem::test
