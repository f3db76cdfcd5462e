// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/dynamics/curve.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace {

using setka::dynamics::Curve;

TEST(Curve, PiecesAndWhatIsOutsideThem) {
  const Curve curve({{1, 2}, {3, 6}});
  EXPECT_EQ(curve.before(0), 2);
  EXPECT_EQ(curve.before(1.5), 3);
  EXPECT_EQ(curve.after(2), 4);
  EXPECT_EQ(curve.after(9), 6);
  EXPECT_EQ(curve.next_bend(0), 1);
  EXPECT_EQ(curve.next_bend(1), 3);
  EXPECT_EQ(curve.next_bend(3), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Curve().before(5), 1);
  EXPECT_EQ(Curve({{1, 2}, {3, 6}}, 10).before(11.5), 3);
}

TEST(Curve, JumpsHaveTwoSides) {
  const Curve curve({{0, 0}, {1, 1}, {1, 5}, {2, 5}});
  EXPECT_EQ(curve.before(1), 1);
  EXPECT_EQ(curve.after(1), 5);
  EXPECT_THROW(Curve({{1, 0}, {0, 1}}), setka::Error);
}

}  // namespace
