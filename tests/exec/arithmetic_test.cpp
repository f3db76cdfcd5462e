// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/arithmetic.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "exec/parallel_test_kernel.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/parallel.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::exec {
namespace {

class ArithmeticOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(ArithmeticOn);

template <class T>
std::vector<T> reciprocals(const Device& device, const std::vector<T>& x) {
  Array<T> values(device, x);
  parallel_for(device, values.size(), test_kernel::Reciprocals<T>{values});
  return values.to_vector();
}

template <class T>
void expect_reciprocals_to_two_places(const Device& device) {
  std::vector<T> x = test::random_values<T>(10000, 5);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int exponent = static_cast<int>(i % 120) - 60;
    x[i] = std::ldexp(x[i], exponent);
  }
  x.insert(x.end(), {T(1), T(-1), T(2), T(3), T(1) / 3});
  const std::vector<T> found = reciprocals(device, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T exact = 1 / x[i];
    ASSERT_NEAR(found[i], exact, 2 * std::numeric_limits<T>::epsilon() * std::abs(exact)) << "of " << x[i];
  }
}

TEST_P(ArithmeticOn, reciprocals_are_right_to_two_places) {
  expect_reciprocals_to_two_places<double>(device());
  expect_reciprocals_to_two_places<float>(device());
}

TEST_P(ArithmeticOn, the_reciprocal_of_zero_is_not_finite) {
  for (const double value : reciprocals<double>(device(), {0.0, -0.0})) EXPECT_FALSE(std::isfinite(value));
  for (const float value : reciprocals<float>(device(), {0.0F, -0.0F})) EXPECT_FALSE(std::isfinite(value));
}

}  // namespace
}  // namespace setka::exec
