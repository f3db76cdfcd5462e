// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/entries.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::exec {
namespace {

class EntriesOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(EntriesOn);

TEST_P(EntriesOn, SomeEntriesAreKeptInPartAndAddedTo) {
  for (const std::int64_t size : test::awkward_sizes()) {
    std::vector<double> expected = test::random_values<double>(size, 1);
    Array<double> y(device(), expected);
    std::vector<std::int32_t> at;
    std::vector<double> keep;
    std::vector<double> add;
    for (std::int64_t i = 1; i < size; i += 3) {
      at.push_back(static_cast<std::int32_t>(size - i));
      keep.push_back(i % 2 == 0 ? 1.0 : 0.0);
      add.push_back(static_cast<double>(i));
      double& value = expected[static_cast<std::size_t>(size - i)];
      value = keep.back() * value + add.back();
    }
    update_entries(device(), Array<std::int32_t>(device(), at), Array<double>(device(), keep),
                   Array<double>(device(), add), y);
    EXPECT_EQ(y.to_vector(), expected) << "size " << size;
  }
}

TEST_P(EntriesOn, PlacesFactorsAndValuesAreAsMany) {
  Array<double> y(device(), 3);
  EXPECT_THROW(update_entries(device(), Array<std::int32_t>(device(), 2), Array<double>(device(), 1), y, y),
               Error);
}

}  // namespace
}  // namespace setka::exec
