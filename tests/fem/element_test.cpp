// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/fem/element.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace setka::fem {
namespace {

using mesh::ElementType;

TEST(Element, CountsPointsAsCalculix) {
  EXPECT_EQ(point_count(ElementType::c3d4), 1);
  EXPECT_EQ(point_count(ElementType::c3d6), 2);
  EXPECT_EQ(point_count(ElementType::c3d8), 8);
  EXPECT_EQ(point_count(ElementType::c3d8i), 8);
  EXPECT_EQ(point_count(ElementType::c3d8r), 1);
  EXPECT_EQ(point_count(ElementType::c3d10), 4);
  EXPECT_EQ(point_count(ElementType::c3d15), 9);
  EXPECT_EQ(point_count(ElementType::c3d20), 27);
  EXPECT_EQ(point_count(ElementType::c3d20r), 8);
}

TEST(Element, RefusesOtherTypes) {
  try {
    point_count(ElementType::cps4);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("CPS4 is not a solid element"));
  }
}

}  // namespace
}  // namespace setka::fem
