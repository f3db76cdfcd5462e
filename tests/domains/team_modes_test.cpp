// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/domains/team_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/bar.hpp"
#include "setka/base/error.hpp"
#include "setka/solve/matrix_system.hpp"
#include "support/on_team.hpp"

namespace setka::domains {
namespace {

using ::testing::HasSubstr;

class TeamModesOn : public setka::test::OnTeam {};
SETKA_ON_ALL_DEVICES(TeamModesOn);

/// A bar with the stiffness of its elements and masses at its nodes, on springs or free.
struct Bar {
  explicit Bar(double spring) : stiffness(test::stiffness_on_springs(model, spring)), mass(lumped()) {}

  modes::EigenSystem system() const {
    modes::EigenSystem made;
    made.stiffness.assembled = &stiffness;
    made.mass.assembled = &mass;
    made.geometry = [this] { return solve::geometry_of(stiffness, {3, model.coordinates}); };
    return made;
  }

  /// Heavier along the bar, so that no two modes are of one frequency.
  sparse::BlockCsr<double> lumped() const {
    const std::int32_t n = stiffness.rows();
    std::vector<std::int32_t> offset{0};
    std::vector<std::int32_t> column;
    std::vector<double> value;
    for (std::int32_t i = 0; i < n; ++i) {
      column.push_back(i);
      offset.push_back(i + 1);
      const double heavy = 1 + 0.01 * model.coordinates[3 * static_cast<std::size_t>(i)];
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) value.push_back(r == c ? heavy : 0.0);
      }
    }
    const exec::Device cpu = exec::Device::cpu(1);
    return {n,
            n,
            3,
            3,
            exec::Array<std::int32_t>(cpu, offset),
            exec::Array<std::int32_t>(cpu, column),
            exec::Array<double>(cpu, value)};
  }

  fem::test::SmallModel model = test::bar(fem::Element::hex8, {20, 5, 4});
  sparse::BlockCsr<double> stiffness;
  sparse::BlockCsr<double> mass;
};

modes::Request lowest(std::int64_t count) {
  modes::Request request;
  request.count = count;
  return request;
}

void expect_modes(const exec::Team& team, const Bar& bar, const modes::Modes& expected,
                  modes::Method method) {
  Monitor monitor;
  const modes::Modes found =
      find_modes(team, exec::Device::cpu(1), bar.system(), lowest(expected.count()), method, monitor);
  EXPECT_TRUE(found.converged) << found.trouble;
  EXPECT_THAT(found.method, HasSubstr("devices"));
  ASSERT_EQ(found.count(), expected.count());
  ASSERT_EQ(found.rows, expected.rows);
  const double highest = expected.lambda.back();
  for (std::size_t j = 0; j < expected.lambda.size(); ++j) {
    EXPECT_NEAR(found.lambda[j], expected.lambda[j], 1e-8 * highest);
    EXPECT_LE(found.residual[j], 1e-6);
  }
}

TEST_P(TeamModesOn, are_those_of_one_device) {
  for (const double spring : {0.01, 0.0}) {  // without springs the bar is free
    SCOPED_TRACE(spring);
    const Bar bar(spring);
    Monitor monitor;
    const modes::Modes expected =
        modes::find(device(), exec::Device::cpu(1), bar.system(), lowest(9), modes::Method::lobpcg, monitor);
    ASSERT_TRUE(expected.converged);
    for (const int members : {2, 3}) expect_modes(team(members), bar, expected, modes::Method::automatic);
    expect_modes(team(3), bar, expected, modes::Method::subspace);
  }
}

TEST_P(TeamModesOn, shapes_are_whole_and_orthonormal) {
  const Bar bar(0.01);
  Monitor monitor;
  const modes::Modes found =
      find_modes(team(3), exec::Device::cpu(1), bar.system(), lowest(6), modes::Method::lobpcg, monitor);
  ASSERT_EQ(found.count(), 6);
  const auto count = static_cast<std::size_t>(found.count());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0;
      for (std::size_t row = 0; row < static_cast<std::size_t>(found.rows); ++row)
        product += found.shape[row * count + i] * found.shape[row * count + j] *
                   bar.mass.value().host()[3 * row + row % 3];  // blocks are multiples of the identity
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-6);
    }
  }
}

TEST(TeamModes, RefuseMethodsOfOneDevice) {
  const Bar bar(0.01);
  Monitor monitor;
  const exec::Team team({exec::Device::cpu(1), exec::Device::cpu(1)});
  for (const modes::Method method : {modes::Method::dense, modes::Method::lanczos})
    EXPECT_THROW(find_modes(team, exec::Device::cpu(1), bar.system(), lowest(3), method, monitor), Error);
}

TEST(TeamModes, RefuseAMassThatCouplesWhatTheStiffnessDoesNot) {
  const Bar bar(0.01);
  Monitor monitor;
  const exec::Team team({exec::Device::cpu(1), exec::Device::cpu(1)});
  modes::EigenSystem system = bar.system();
  system.stiffness.assembled = &bar.mass;
  system.mass.assembled = &bar.stiffness;
  EXPECT_THROW(find_modes(team, exec::Device::cpu(1), system, lowest(3), {}, monitor), Error);
}

}  // namespace
}  // namespace setka::domains
