// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/sparse/unknowns.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "random_matrix.hpp"

namespace setka::sparse {
namespace {

/// Values by rows are those of the dense twin, wherever unknowns lie, and the copy with values has the same.
TEST(Unknowns, RowsHaveTheValuesOfTheMatrix) {
  for (const int size : {1, 2, 3, 6}) {
    for (const bool shuffled : {false, true}) {
      const auto matrix = setka::test::random_matrix(40, 40, size, size, 9, 3);
      const auto across = static_cast<std::size_t>(40 * size);
      std::vector<std::int32_t> place(across);
      std::iota(place.begin(), place.end(), 0);
      if (shuffled) std::shuffle(place.begin(), place.end(), std::mt19937(7));
      place.resize(across - 11);  // the others are no unknowns
      const SymmetricCsr pattern = structure_over_unknowns(matrix.sparse.view(), size, place, 2);
      EXPECT_TRUE(pattern.value.empty());
      const SymmetricRows rows = rows_over_unknowns(matrix.sparse, place, pattern);
      const SymmetricCsr copy = over_unknowns(matrix.sparse, place);
      ASSERT_EQ(copy.column, pattern.column);
      std::size_t entries = 0;
      for (std::size_t q = 0; q < place.size(); ++q) {
        const auto dense = [&](std::size_t other) {
          return matrix
              .dense[static_cast<std::size_t>(place[q]) * across + static_cast<std::size_t>(place[other])];
        };
        const auto first = static_cast<std::size_t>(pattern.offset[q]);
        const auto count = static_cast<std::size_t>(pattern.offset[q + 1]) - first;
        std::vector<double> values(count, -7);
        rows.values(static_cast<std::int64_t>(q), values.data());
        for (std::size_t k = 0; k < count; ++k) {
          EXPECT_EQ(values[k], dense(static_cast<std::size_t>(pattern.column[first + k])));
          EXPECT_EQ(copy.value[first + k], values[k]);
        }
        EXPECT_EQ(rows.diagonal(static_cast<std::int64_t>(q)), dense(q));
        entries += count;
      }
      EXPECT_GT(entries, place.size());
    }
  }
}

}  // namespace
}  // namespace setka::sparse
