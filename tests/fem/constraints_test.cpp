// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/constraints.hpp"

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace setka::fem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ConstraintBuilder builder(std::int32_t dofs) {
  return {dofs, [](std::int32_t dof) { return "dof " + std::to_string(dof); },
          [](model::Line line) {
            return SourceLine{"deck.inp", line.number};
          }};
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Constraints, WithoutAnyEverythingIsUnknown) {
  const Constraints constraints = builder(3).build();
  EXPECT_EQ(constraints.unknown_count(), 3);
  EXPECT_THAT(constraints.expand(std::vector<double>{1, 2, 3}), ElementsAre(1, 2, 3));
}

TEST(Constraints, OfSomeDegreesOfFreedomInSomeUnknowns) {
  ConstraintBuilder all = builder(5);
  all.prescribe(0, 2.0, {});
  const std::array<Term, 3> mean{{{3, 1.0}, {1, -0.5}, {4, -0.5}}};
  all.add_equation(mean, 0.25, {});
  const Constraints whole = all.build();  // unknowns: 1, 2 and 4
  ASSERT_EQ(whole.unknown_count(), 3);
  const std::array<std::int32_t, 3> dofs{3, 0, 4};
  const std::array<std::int32_t, 3> number{1, -1, 0};
  const Constraints part = whole.part(dofs, number, {0, 3});
  EXPECT_EQ(part.dof_count(), 3);
  EXPECT_THAT(part.unknown_dofs(), ElementsAre(0, 3));
  const std::array<double, 2> q{10.0, 6.0};  // of 4, and of 1
  EXPECT_EQ(part.expand(q), (std::vector<double>{0.25 + 8.0, 2.0, 10.0}));
}

TEST(Constraints, PrescribedValuesAreShifts) {
  ConstraintBuilder b = builder(3);
  b.prescribe(1, 7, {0, 1});
  const Constraints constraints = b.build();
  EXPECT_EQ(constraints.unknown_count(), 2);
  EXPECT_THAT(constraints.expand(std::vector<double>{1, 2}), ElementsAre(1, 7, 2));
  EXPECT_THAT(constraints.restrict_forces(std::vector<double>{10, 20, 30}), ElementsAre(10, 30));
}

TEST(Constraints, EquationsAreSubstitutedThroughChains) {
  ConstraintBuilder b = builder(5);
  // u0 = 2 u1 + 1, u1 = u2 + u3, u3 = 5: so u0 = 2 u2 + 11
  b.add_equation(std::vector<Term>{{0, 1}, {1, -2}}, 1, {0, 1});
  b.add_equation(std::vector<Term>{{1, -2}, {2, 2}, {3, 2}}, 0, {0, 2});
  b.prescribe(3, 5, {0, 3});
  const Constraints constraints = b.build();
  EXPECT_EQ(constraints.unknown_count(), 2);
  EXPECT_THAT(constraints.expand(std::vector<double>{10, 4}), ElementsAre(31, 15, 10, 5, 4));
  EXPECT_THAT(constraints.restrict_forces(std::vector<double>{1, 1, 1, 1, 1}), ElementsAre(2 + 1 + 1, 1));
}

TEST(Constraints, WorkIsTheSameOnBothSides) {
  ConstraintBuilder b = builder(4);
  b.add_equation(std::vector<Term>{{2, 3}, {0, 1.5}, {1, -0.5}}, 0, {0, 1});
  const Constraints constraints = b.build();
  const std::vector<double> q{0.3, -1.2, 2.5};
  const std::vector<double> f{1.1, -0.7, 0.4, 9};
  const std::vector<double> u = constraints.expand(q);
  const std::vector<double> r = constraints.restrict_forces(f);
  double outside = 0;
  double inside = 0;
  for (std::size_t i = 0; i < 4; ++i) outside += u[i] * f[i];
  for (std::size_t i = 0; i < 3; ++i) inside += q[i] * r[i];
  EXPECT_NEAR(outside, inside, 1e-14);
}

TEST(Constraints, ComposeAppliesRowsInTurn) {
  ConstraintBuilder b = builder(2);
  b.prescribe(1, 3, {0, 1});
  const std::vector<std::vector<Term>> rows{{{0, 2}, {1, 1}}, {}, {{1, -1}}};
  const Constraints composed = b.build().compose(rows);
  EXPECT_THAT(composed.expand(std::vector<double>{5}), ElementsAre(13, 0, -3));
}

TEST(Constraints, IdleDofsAreZeroUnlessAnEquationUsesThem) {
  ConstraintBuilder b = builder(3);
  b.leave_out(1);
  b.leave_out(2);
  b.add_equation(std::vector<Term>{{0, 1}, {2, -1}}, 0, {0, 1});
  const Constraints constraints = b.build();
  EXPECT_EQ(constraints.unknown_count(), 1);
  EXPECT_THAT(constraints.expand(std::vector<double>{4}), ElementsAre(4, 0, 4));
}

TEST(Constraints, SameValueTwiceIsFine) {
  ConstraintBuilder b = builder(1);
  b.prescribe(0, 2, {0, 1});
  b.prescribe(0, 2, {0, 2});
  EXPECT_EQ(b.build().unknown_count(), 0);
}

TEST(Constraints, ConflictsNameBothLines) {
  EXPECT_THAT(refusal([] {
                ConstraintBuilder b = builder(2);
                b.prescribe(0, 1, {0, 11});
                b.prescribe(0, 2, {0, 22});
              }),
              HasSubstr("deck.inp:22: dof 0 is prescribed twice: 2 here and 1 at deck.inp:11"));
  EXPECT_THAT(refusal([] {
                ConstraintBuilder b = builder(3);
                b.add_equation(std::vector<Term>{{0, 1}, {1, 1}}, 0, {0, 11});
                b.add_equation(std::vector<Term>{{0, 1}, {2, 1}}, 0, {0, 22});
              }),
              HasSubstr("deck.inp:22: dof 0 is eliminated by two equations, here and at deck.inp:11"));
  EXPECT_THAT(refusal([] {
                ConstraintBuilder b = builder(2);
                b.add_equation(std::vector<Term>{{0, 1}, {1, 1}}, 0, {0, 11});
                b.prescribe(0, 0, {0, 22});
                b.build();
              }),
              HasSubstr("deck.inp:11: dof 0 is eliminated by this equation and prescribed at deck.inp:22"));
}

TEST(Constraints, CirclesAreRefused) {
  EXPECT_THAT(refusal([] {
                ConstraintBuilder b = builder(2);
                b.add_equation(std::vector<Term>{{0, 1}, {1, 1}}, 0, {0, 1});
                b.add_equation(std::vector<Term>{{1, 1}, {0, 1}}, 0, {0, 2});
                b.build();
              }),
              HasSubstr("depends on itself"));
  EXPECT_THAT(refusal([] {
                builder(2).add_equation(std::vector<Term>{{0, 0}, {1, 1}}, 0, {0, 1});
              }),
              HasSubstr("is zero"));
}

}  // namespace
}  // namespace setka::fem
