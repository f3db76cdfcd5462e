// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace setka {
namespace {

TEST(Error, NamesFileLineAndRemedy) {
  const Error error(Fault::input, "element 3 has no material", "add *SOLID SECTION", {"pump.inp", 17});
  EXPECT_STREQ(error.what(), "pump.inp:17: element 3 has no material; add *SOLID SECTION");
  EXPECT_EQ(error.fault(), Fault::input);
  EXPECT_EQ(error.where().line, 17);
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error(Fault::input, "empty", "", {"pump.inp", 0}).what(), "pump.inp: empty");
  EXPECT_STREQ(Error(Fault::usage, "no").what(), "no");
}

TEST(Error, FaultsHaveTheirExitCodes) {
  EXPECT_EQ(static_cast<int>(exit_code(Fault::input)), 1);
  EXPECT_EQ(static_cast<int>(exit_code(Fault::usage)), 2);
  EXPECT_EQ(static_cast<int>(exit_code(Fault::resource)), 4);
  EXPECT_EQ(static_cast<int>(exit_code(Fault::internal)), 5);
  EXPECT_EQ(static_cast<int>(exit_code(Fault::interrupted)), 130);
}

TEST(Error, RequireBuildsTheMessageOnlyOnFailure) {
  bool built = false;
  const auto message = [&] {
    built = true;
    return std::string("wrong");
  };
  require(true, message);
  EXPECT_FALSE(built);
  EXPECT_THROW(require(false, message), Error);
  EXPECT_TRUE(built);
}

TEST(Error, BrokenInvariantNamesConditionAndPlace) {
  try {
    SETKA_ASSERT(1 + 1 == 3);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::internal);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("1 + 1 == 3"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("error_test.cpp:"));
  }
}

}  // namespace
}  // namespace setka
