// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/exec/vector.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::exec {
namespace {

class VectorOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(VectorOn);

/// expected[i] = formula(i)
template <class T, class Formula>
std::vector<double> each(std::int64_t size, Formula formula) {
  std::vector<double> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = formula(i);
  return values;
}

template <class T>
void check_elementwise(const Device& device) {
  const T a = T(0.75);
  const T b = T(-1.5);
  const double bound = test::rounding<T>(3, 4);  // at most three roundings of values below 4
  for (const std::int64_t size : test::awkward_sizes()) {
    SCOPED_TRACE(size);
    const auto xs = test::random_values<T>(size, 5);
    const auto ys = test::random_values<T>(size, 6);
    const Array<T> x(device, xs);
    const auto fresh = [&] { return Array<T>(device, ys); };

    Array<T> y = fresh();
    fill<T>(device, y, a);
    EXPECT_TRUE(test::all_near(y.to_vector(), each<T>(size, [&](std::size_t) { return a; }), 0));

    y = fresh();
    scale<T>(device, a, y);
    EXPECT_TRUE(test::all_near(y.to_vector(), each<T>(size, [&](std::size_t i) { return double(a) * ys[i]; }),
                               bound));

    y = fresh();
    axpy<T>(device, a, x, y);
    EXPECT_TRUE(test::all_near(
        y.to_vector(), each<T>(size, [&](std::size_t i) { return ys[i] + double(a) * xs[i]; }), bound));

    y = fresh();
    axpby<T>(device, a, x, b, y);
    const auto combined = each<T>(size, [&](std::size_t i) { return double(a) * xs[i] + double(b) * ys[i]; });
    EXPECT_TRUE(test::all_near(y.to_vector(), combined, bound));

    y = fresh();
    Array<T> z(device, size);
    combine<T>(device, a, x, b, y, z);
    EXPECT_TRUE(test::all_near(z.to_vector(), combined, bound));

    multiply<T>(device, x, y, z);
    EXPECT_TRUE(test::all_near(z.to_vector(),
                               each<T>(size, [&](std::size_t i) { return double(xs[i]) * ys[i]; }), bound));

    fill<T>(device, y, T(4));
    reciprocal<T>(device, y, z);
    EXPECT_TRUE(test::all_near(z.to_vector(), each<T>(size, [](std::size_t) { return 0.25; }), 0));
  }
}

TEST_P(VectorOn, ElementwiseFloat) {
  check_elementwise<float>(device());
}
TEST_P(VectorOn, ElementwiseDouble) {
  check_elementwise<double>(device());
}

template <class T>
void check_sums(const Device& device) {
  for (const std::int64_t size : test::awkward_sizes()) {
    SCOPED_TRACE(size);
    const auto xs = test::random_values<T>(size, 7);
    const auto ys = test::random_values<T>(size, 8);
    const Array<T> x(device, xs);
    const Array<T> y(device, ys);
    long double sum_x = 0;
    long double dot_xy = 0;
    long double dot_xx = 0;
    double most = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      sum_x += xs[i];
      dot_xy += static_cast<long double>(xs[i]) * ys[i];
      dot_xx += static_cast<long double>(xs[i]) * xs[i];
      most = std::max(most, std::abs(static_cast<double>(xs[i])));
    }
    // Chains of at most some hundred additions in lanes and a tree above them, on sums of up to n ones.
    const double bound = test::rounding<T>(300, static_cast<double>(size) + 1);
    EXPECT_NEAR(sum<T>(device, x), double(sum_x), bound);
    EXPECT_NEAR(dot<T>(device, x, y), double(dot_xy), bound);
    EXPECT_NEAR(norm<T>(device, x), std::sqrt(double(dot_xx)), bound);
    EXPECT_EQ(largest<T>(device, x), T(most));
    EXPECT_EQ(count_not_finite<T>(device, x), 0);
    Array<T> result(device, 2);
    dot_to<T>(device, x, y, result);
    EXPECT_EQ(result.to_vector()[0], dot<T>(device, x, y));
    two_dots_to<T>(device, x, y, x, x, result);
    EXPECT_NEAR(result.to_vector()[0], double(dot_xy), bound);
    EXPECT_NEAR(result.to_vector()[1], double(dot_xx), bound);
  }
}

TEST_P(VectorOn, SumsFloat) {
  check_sums<float>(device());
}
TEST_P(VectorOn, SumsDouble) {
  check_sums<double>(device());
}

TEST_P(VectorOn, PartsOfAVectorThatAreNotAligned) {
  const std::int64_t size = 5000;
  auto ys = test::random_values<double>(size, 9);
  const auto xs = test::random_values<double>(size, 10);
  const Array<double> x(device(), xs);
  Array<double> y(device(), ys);
  axpy(device(), 2.0, x.view().part(2, 4001), y.view().part(1, 4001));
  for (std::size_t i = 0; i < 4001; ++i) ys[i + 1] += 2.0 * xs[i + 2];
  EXPECT_TRUE(test::all_near(y.to_vector(), ys, test::rounding<double>(2, 4)));
}

TEST_P(VectorOn, CoefficientsMayLieInDeviceMemory) {
  const Array<double> coefficients(device(), std::vector<double>{3.0, -2.0});
  const Array<double> x(device(), std::vector<double>(1000, 5.0));
  Array<double> y(device(), std::vector<double>(1000, 7.0));
  axpby(device(), coefficients.view().part(0, 1), x, coefficients.view().part(1, 1), y);
  EXPECT_EQ(y.to_vector(), std::vector<double>(1000, 1.0));
}

TEST_P(VectorOn, NotANumberIsSeen) {
  auto values = test::random_values<double>(10000, 11);
  values[6789] = std::numeric_limits<double>::quiet_NaN();
  values[4321] = std::numeric_limits<double>::infinity();
  const Array<double> x(device(), values);
  EXPECT_TRUE(std::isnan(largest(device(), x)));
  EXPECT_TRUE(std::isnan(norm(device(), x)));
  EXPECT_EQ(count_not_finite(device(), x), 2);
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TEST_P(VectorOn, SumsHaveTheSameBitsAtEveryRun) {
  const std::int64_t size = 1'234'567;
  const Array<double> x(device(), test::random_values<double>(size, 12));
  const Array<double> y(device(), test::random_values<double>(size, 13));
  const double first = dot(device(), x, y);
  for (int run = 0; run < 50; ++run) EXPECT_TRUE(same_bits(dot(device(), x, y), first)) << "run " << run;
}

TEST(Vector, SumsDoNotDependOnTheNumberOfThreads) {
  const auto xs = test::random_values<double>(1'234'567, 14);
  const Device one = Device::cpu(1);
  const Array<double> x(one, xs);
  const double expected = dot(one, x, x);
  for (const int threads : {2, 3, 5, 8}) {
    const Device team = Device::cpu(threads);
    EXPECT_TRUE(same_bits(dot(team, x, x), expected)) << threads << " threads";
  }
}

TEST_P(VectorOn, RefusesUnequalLengths) {
  const Array<double> x(device(), 3);
  Array<double> y(device(), 4);
  try {
    axpy(device(), 1.0, x, y);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "axpy: vectors of 3 and 4 entries; they must agree");
  }
  EXPECT_THROW(dot(device(), x, y), Error);
}

}  // namespace
}  // namespace setka::exec
