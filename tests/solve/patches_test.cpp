// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/patches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "setka/exec/array.hpp"
#include "setka/solve/block_jacobi.hpp"
#include "support/on_device.hpp"
#include "support/tolerance.hpp"

namespace setka::solve {
namespace {

class PatchesOn : public test::OnDevice {
 protected:
  static constexpr int n = 3;

  /// A chain of rows with diagonal blocks k d_i, d_i = i + 1, d = diag(1, 4, 9); neighbours couple by s[i] in
  /// the first direction alone.
  sparse::BlockCsr<double> chain(const std::vector<double>& s) const {
    const auto rows = static_cast<std::int32_t>(s.size()) + 1;
    std::vector<std::int32_t> offset{0};
    std::vector<std::int32_t> column;
    std::vector<double> value;
    for (std::int32_t i = 0; i < rows; ++i) {
      const std::int32_t first = std::max(0, i - 1);
      const std::int32_t last = std::min(rows - 1, i + 1);
      for (std::int32_t j = first; j <= last; ++j) column.push_back(j);
      offset.push_back(static_cast<std::int32_t>(column.size()));
      for (int r = 0; r < n; ++r) {
        for (std::int32_t j = first; j <= last; ++j) {
          for (int c = 0; c < n; ++c) {
            double entry = 0;
            if (i == j && r == c) entry = stiffness(i, r);
            if (i != j && r == 0 && c == 0)
              entry =
                  s[static_cast<std::size_t>(std::min(i, j))] * std::sqrt(stiffness(i, 0) * stiffness(j, 0));
            value.push_back(entry);
          }
        }
      }
    }
    return {rows,
            rows,
            n,
            n,
            exec::Array<std::int32_t>(device(), offset),
            exec::Array<std::int32_t>(device(), column),
            exec::Array<double>(device(), value)};
  }
  static double stiffness(std::int32_t i, int r) { return (i + 1.0) * (r + 1) * (r + 1); }

  std::optional<Patches> patches(const sparse::BlockCsr<double>& a, double coupling, int most) const {
    return strong_patches(a, inverse_diagonal_blocks(a), coupling, most);
  }
  static std::vector<std::int32_t> rows_of(const std::optional<Patches>& patches) {
    return patches ? patches->row.to_vector() : std::vector<std::int32_t>{};
  }
};
SETKA_ON_ALL_DEVICES(PatchesOn);

using Rows = std::vector<std::int32_t>;

TEST_P(PatchesOn, join_what_couples_strongly) {
  const auto a = chain({0.3, 0.8, -0.7, 0.1, 0.65, 0.59});
  EXPECT_EQ(rows_of(patches(a, 0.6, 8)), (Rows{1, 2, 3, 4, 5}));
  EXPECT_EQ(rows_of(patches(a, 0.75, 8)), (Rows{1, 2}));
  EXPECT_FALSE(patches(a, 0.81, 8));
}

TEST_P(PatchesOn, the_strongest_go_first_where_not_all_fit) {
  const auto a = chain({0.7, 0.9, 0.8, 0.7});
  EXPECT_EQ(rows_of(patches(a, 0.6, 2)), (Rows{1, 2, 3, 4}));
  const auto of_three = patches(a, 0.6, 3);
  EXPECT_EQ(rows_of(of_three), (Rows{1, 2, 3}));
  ASSERT_TRUE(of_three);
  EXPECT_EQ(of_three->inverse.blocks(), 9);
}

TEST_P(PatchesOn, multiply_with_the_inverse) {
  const auto a = chain({0.1, 0.8, 0.2});
  const auto made = patches(a, 0.6, 4);
  ASSERT_EQ(rows_of(made), (Rows{1, 2}));
  // r = A e over the patch, e its first and its last unknown, in two columns.
  const double beside = 0.8 * std::sqrt(stiffness(1, 0) * stiffness(2, 0));
  std::vector<float> r(24, 0.0F);
  r[2 * 3] = static_cast<float>(stiffness(1, 0));
  r[2 * 6] = static_cast<float>(beside);
  r[2 * 8 + 1] = static_cast<float>(stiffness(2, 2));
  const exec::Array<float> right(device(), r);
  exec::Array<float> y(device(), std::vector<float>(24, 1.0F));
  exec::Array<float> also(device(), std::vector<float>(24, 0.0F));
  add_product(device(), *made, 2, {right.data(), 12, 2, 2}, {y.data(), 12, 2, 2}, {also.data(), 12, 2, 2});
  std::vector<float> expected(24, 0.0F);
  expected[2 * 3] = expected[2 * 8 + 1] = 2;
  EXPECT_TRUE(test::all_near(also.to_vector(), expected, test::rounding<float>(20, 2.0)));
  for (float& one : expected) one += 1;
  EXPECT_TRUE(test::all_near(y.to_vector(), expected, test::rounding<float>(20, 3.0)));
}

TEST_P(PatchesOn, leave_their_rows_of_the_diagonal_at_zero) {
  const auto a = chain({0.1, 0.8, 0.2});
  exec::Array<float> blocks(device(), std::vector<float>(36, 1.0F));
  clear_rows(device(), *patches(a, 0.6, 4), blocks);
  const std::vector<float> values = blocks.to_vector();
  for (std::size_t e = 0; e < values.size(); ++e) EXPECT_EQ(values[e], e >= 9 && e < 27 ? 0.0F : 1.0F) << e;
}

}  // namespace
}  // namespace setka::solve
