// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/letter.hpp"

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"

namespace setka::exec {
namespace {

struct Body {
  std::int64_t number = 0;
  std::vector<double> value;
  bool is_whole = false;

  auto parts() { return std::tie(number, value, is_whole); }
};

/// As another member gets it.
Letter sent(const Letter& letter) {
  return Letter(std::vector<std::byte>(letter.bytes().begin(), letter.bytes().end()));
}

TEST(Letter, GivesWhatWasPutInTheSameOrder) {
  Letter letter;
  EXPECT_TRUE(letter.empty());
  letter.put(std::vector<std::int32_t>{3, 1, 2});
  letter.put(std::vector<double>{});
  letter.put_one('x');
  Letter came = sent(letter);
  EXPECT_FALSE(came.empty());
  EXPECT_EQ(came.take<std::int32_t>(), (std::vector<std::int32_t>{3, 1, 2}));
  EXPECT_TRUE(came.take<double>().empty());
  EXPECT_EQ(came.take_one<char>(), 'x');
  EXPECT_THROW(came.take<double>(), Error);
}

TEST(Letter, KnowsHowManyThereAre) {
  Letter letter;
  letter.put(std::vector<double>{1, 2});
  EXPECT_THROW(sent(letter).take_one<double>(), Error);
}

TEST(Letter, WritesValuesOfManyTypes) {
  std::optional<std::pair<Body, double>> given(std::in_place, Body{7, {0.5, -1}, true}, 2.5);
  std::optional<Body> none;
  Letter letter;
  letter.write(given);
  letter.write(none);
  Letter came = sent(letter);
  std::optional<std::pair<Body, double>> read;
  std::optional<Body> nothing(Body{1, {}, false});
  came.read(read);
  came.read(nothing);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->first.number, 7);
  EXPECT_EQ(read->first.value, (std::vector<double>{0.5, -1}));
  EXPECT_TRUE(read->first.is_whole);
  EXPECT_EQ(read->second, 2.5);
  EXPECT_FALSE(nothing.has_value());
}

}  // namespace
}  // namespace setka::exec
