// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/model/local_system.hpp"

#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace setka::model {
namespace {

void expect_axes(const Axes& found, const Axes& expected) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found[i][j], expected[i][j], 1e-15) << i << " " << j;
  }
}

TEST(LocalSystem, RectangularAndTurned) {
  LocalSystem system;
  system.a = {0, 2, 0};
  system.b = {-3, 5, 0};
  const std::array point{7.0, 8.0, 9.0};
  expect_axes(axes_at(system, point), {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}});
  system.turned_about = 1;
  system.turned_by = 90;
  expect_axes(axes_at(system, point), {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}});
}

TEST(LocalSystem, CylindricalOffAndOnItsAxis) {
  LocalSystem system;
  system.cylindrical = true;
  system.a = {1, 1, 0};
  system.b = {1, 1, 5};
  expect_axes(axes_at(system, std::array{1.0, 4.0, 2.0}), {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}});
  const Axes on_axis = axes_at(system, std::array{1.0, 1.0, 3.0});
  EXPECT_NEAR(std::hypot(on_axis[0][0], on_axis[0][1]), 1, 1e-15);
  EXPECT_EQ(on_axis[2], (std::array{0.0, 0.0, 1.0}));
}

TEST(LocalSystem, TurnsATensorAndKeepsItsTrace) {
  LocalSystem system;
  system.a = {0, 1, 0};
  system.b = {-1, 0, 0};
  const Axes axes = axes_at(system, std::array{0.0, 0.0, 0.0});
  EXPECT_EQ(to_local(axes, std::array{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}),
            (std::array{2.0, 1.0, 3.0, -4.0, 6.0, -5.0}));
  EXPECT_EQ(to_local(axes, std::array{1.0, 2.0, 3.0}), (std::array{2.0, -1.0, 3.0}));
}

TEST(LocalSystem, SaysWhetherItSpansAxes) {
  LocalSystem system;
  EXPECT_TRUE(spans_axes(system));
  system.b = {1e-13, 0, 0};
  EXPECT_FALSE(spans_axes(system));
  system.cylindrical = true;
  EXPECT_TRUE(spans_axes(system)) << "two points of an axis";
  system.b = system.a;
  EXPECT_FALSE(spans_axes(system));
}

TEST(LocalSystem, InputThatSpansNoneIsAnError) {
  LocalSystem system;
  system.name = "OR";
  system.a = {1, 0, 0};
  system.b = {2, 0, 0};
  EXPECT_THAT(
      [&] {
        axes_at(system, std::array{0.0, 0.0, 0.0});
      },
      testing::ThrowsMessage<Error>("local system OR: its two points span no system; give two "
                                    "vectors that are not parallel and not zero"));
}

}  // namespace
}  // namespace setka::model
