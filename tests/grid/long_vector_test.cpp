// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/grid/long_vector.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/grid/heat.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::grid {
namespace {

class LongVectorOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(LongVectorOn);

TEST_P(LongVectorOn, a_step_is_that_of_explicit_heat_with_zeros_around) {
  for (const std::int64_t n : {1, 2, 7, 40, 65}) {
    const auto inner = test::random_values<double>(n * n, 10);
    const auto place = [&](std::int64_t i, std::int64_t j) {
      return static_cast<std::size_t>((i + 1) * (n + 2) + j + 1);
    };
    std::vector<double> start(static_cast<std::size_t>((n + 2) * (n + 2)), 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) start[place(i, j)] = inner[static_cast<std::size_t>(i * n + j)];
    }
    exec::Array<double> v(device(), start);
    LongVectorHeat<double> heat(device(), n, 0.2);
    heat.advance(v, 5);
    const std::vector<double> result = v.to_vector();

    const HeatAxis axis{n, 1.0, 1.0, Ends::fixed};
    const ExplicitHeat plain({axis, axis}, 0.2);
    exec::Array<double> a(device(), inner);
    exec::Array<double> b(device(), inner);
    for (int i = 0; i < 5; ++i) plain.advance<double>(device(), i % 2 == 0 ? a : b, i % 2 == 0 ? b : a);
    const std::vector<double> expected = b.to_vector();
    std::vector<double> found;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) found.push_back(result[place(i, j)]);
    }
    EXPECT_TRUE(test::all_near(found, expected, test::rounding<double>(60, 1))) << n;
    for (std::int64_t i = -1; i <= n; ++i) {
      EXPECT_EQ(result[place(i, -1)], 0.0);
      EXPECT_EQ(result[place(i, n)], 0.0);
      EXPECT_EQ(result[place(-1, i)], 0.0);
      EXPECT_EQ(result[place(n, i)], 0.0);
    }
  }
}

TEST(LongVector, wrong_sizes_are_refused) {
  const exec::Device cpu = exec::Device::cpu(1);
  EXPECT_THROW(LongVectorHeat<double>(cpu, 0, 0.2), Error);
  LongVectorHeat<double> heat(cpu, 3, 0.2);
  exec::Array<double> v(cpu, 24);
  EXPECT_THROW(heat.advance(v, 1), Error);
}

}  // namespace
}  // namespace setka::grid
