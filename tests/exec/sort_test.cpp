// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/sort.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"

namespace setka::exec {
namespace {

class SortOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(SortOn);

template <class Key, class Value>
void check_sort(const Device& device, Key least, Key most) {
  for (const std::int64_t size : test::awkward_sizes()) {
    const unsigned seed = 4;
    std::mt19937_64 generator(seed);
    std::uniform_int_distribution<Key> uniform(least, most);
    std::vector<Key> keys(static_cast<std::size_t>(size));
    for (Key& key : keys) key = uniform(generator);
    std::vector<Value> order(keys.size());
    std::iota(order.begin(), order.end(), Value(0));
    Array<Key> sorted(device, keys);
    Array<Value> moved(device, order);
    sort_by_key<Key, Value>(device, sorted, moved);
    std::stable_sort(order.begin(), order.end(), [&](Value a, Value b) {
      return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    EXPECT_EQ(moved.to_vector(), order) << "size " << size << ", seed " << seed;
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(sorted.to_vector(), keys) << "size " << size << ", seed " << seed;
  }
}

TEST_P(SortOn, FewKeysKeepTheirOrder) {
  check_sort<std::int32_t, std::int32_t>(device(), 0, 20);
}
TEST_P(SortOn, AllKeys32) {
  using Limits = std::numeric_limits<std::int32_t>;
  check_sort<std::int32_t, std::int64_t>(device(), Limits::min(), Limits::max());
}
TEST_P(SortOn, AllKeys64) {
  using Limits = std::numeric_limits<std::int64_t>;
  check_sort<std::int64_t, std::int32_t>(device(), Limits::min(), Limits::max());
}
TEST_P(SortOn, NegativeKeys64) {
  check_sort<std::int64_t, std::int64_t>(device(), -1000, 1000);
}

TEST_P(SortOn, RefusesUnequalLengths) {
  Array<std::int32_t> keys(device(), 3);
  Array<std::int32_t> values(device(), 2);
  EXPECT_THROW((sort_by_key<std::int32_t, std::int32_t>(device(), keys, values)), Error);
}

}  // namespace
}  // namespace setka::exec
