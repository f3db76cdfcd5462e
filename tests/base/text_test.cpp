// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace setka {
namespace {

TEST(Text, Bytes) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.50 KiB");
  EXPECT_EQ(format_bytes(1023 * 1024), "1.00 MiB");
  EXPECT_EQ(format_bytes(std::numeric_limits<std::uint64_t>::max()), "16.0 EiB");
}

TEST(Text, Seconds) {
  EXPECT_EQ(format_seconds(85e-6), "85.0 us");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(1.234), "1.23 s");
  EXPECT_EQ(format_seconds(192), "3 min 12 s");
  EXPECT_EQ(format_seconds(2 * 3600 + 300), "2 h 05 min");
  EXPECT_EQ(format_seconds(-1), "?");
  EXPECT_EQ(format_seconds(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(Text, Counts) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1'858'824), "1.86 M");
  EXPECT_EQ(format_count(-1500), "-1.50 k");
  EXPECT_EQ(format_count(0.5), "0.50");
}

TEST(Text, JoinsWords) {
  EXPECT_EQ(join_words({}), "");
  EXPECT_EQ(join_words({"a"}), "a");
  EXPECT_EQ(join_words({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(Text, SomeOfManyNumbers) {
  EXPECT_EQ(some_numbers({}), "");
  EXPECT_EQ(some_numbers({5, 6}), "5 and 6");
  EXPECT_EQ(some_numbers({1, 2, 3, 4, 5}), "1, 2, 3, 4 and 5");
  EXPECT_EQ(some_numbers({1, 2, 3, 4, 5, 6, 7}), "1, 2, 3, 4, 5 and 2 more");
}

TEST(Text, FindsTheWordThatWasMeant) {
  EXPECT_EQ(nearest_word("inof", {"info", "run"}), "info");
  EXPECT_EQ(nearest_word("--jsn", {"--json", "--quiet"}), "--json");
  EXPECT_EQ(nearest_word("xylophone", {"info", "run"}), "");
  EXPECT_EQ(nearest_word("in", {"info"}), "");
  EXPECT_EQ(nearest_word("inf", {"information", "info"}), "info");
}

}  // namespace
}  // namespace setka
