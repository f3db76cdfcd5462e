// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/dense.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/dense.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::test {
namespace {

Dense random_dense(std::int64_t rows, std::int64_t columns, unsigned seed) {
  return from_rows(random_values<double>(rows * columns, seed), rows, columns);
}

/// Symmetric, with eigenvalues of at least `least`.
Dense random_definite(std::int64_t size, double least, unsigned seed) {
  const Dense a = random_dense(size, size, seed);
  return a * a.transposed() + least * Dense::identity(size);
}

/// A matrix within larger memory, in both orders; what surrounds it is not a number.
struct Placed {
  std::vector<double> memory;
  DenseView<double> view;

  Placed(const Dense& a, bool by_rows) {
    const std::int64_t step = (by_rows ? a.columns() : a.rows()) + 3;
    const std::int64_t other = by_rows ? a.rows() : a.columns();
    memory.assign(static_cast<std::size_t>(step * (other + 1)), std::numeric_limits<double>::quiet_NaN());
    view = {memory.data() + 2, a.rows(), a.columns(), by_rows ? step : 1, by_rows ? 1 : step};
    copy(a, view);
  }
};

TEST(DenseMatrix, ProductsAreSumsOverRowsAndColumnsInAnyOrderOfMemory) {
  for (const auto& [m, n, k] : std::vector<std::array<std::int64_t, 3>>{
           {1, 1, 1}, {3, 4, 5}, {1, 7, 30}, {40, 1, 2}, {2, 3, 0}, {0, 3, 2}, {70, 9, 33}, {300, 20, 5}}) {
    const Dense a = random_dense(m, k, 1);
    const Dense b = random_dense(k, n, 2);
    const Dense c = random_dense(m, n, 3);
    for (const double beta : {0.0, 1.0, -0.5}) {
      Dense right(m, n);
      for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          right(i, j) = beta * c(i, j);
          for (std::int64_t l = 0; l < k; ++l) right(i, j) += 2.5 * a(i, l) * b(l, j);
        }
      }
      for (int order = 0; order < 8; ++order) {
        SCOPED_TRACE(::testing::Message() << m << " x " << n << " x " << k << ", order " << order);
        const Placed left(a, (order & 1) != 0);
        const Placed other(b, (order & 2) != 0);
        // Where beta is 0 what was there does not matter, were it not a number.
        const Dense nothing = std::numeric_limits<double>::quiet_NaN() * c;
        Placed to(beta == 0 ? nothing : c, (order & 4) != 0);
        multiply(2.5, left.view, other.view, beta, to.view);
        EXPECT_LE(largest(to.view - right), rounding<double>(static_cast<double>(k + 2), 4.0 * (k + 1.0)));
        const Dense found(to.view);
        for (const double value : found.values()) EXPECT_TRUE(std::isfinite(value));
      }
    }
  }
}

TEST(DenseMatrix, EigenpairsSolveTheirEquation) {
  for (const std::int64_t n : {1, 2, 3, 10, 60}) {
    Dense a = symmetric_part(random_dense(n, n, 7));
    const Eigenpairs pairs = eigenpairs(a);
    EXPECT_TRUE(pairs.converged);
    EXPECT_LE(largest(pairs.vector.transposed() * pairs.vector - Dense::identity(n)), 1e-13);
    EXPECT_LE(largest(a * pairs.vector -
                      scaled(pairs.vector, std::vector<double>(pairs.value.size(), 1.0), pairs.value)),
              1e-13 * static_cast<double>(n));
    EXPECT_TRUE(std::is_sorted(pairs.value.begin(), pairs.value.end()));
    EXPECT_TRUE(all_near(eigenvalues(a), pairs.value, 1e-13 * static_cast<double>(n)));
    // The lower triangle alone is read, whatever the order of memory.
    for (std::int64_t j = 1; j < n; ++j) a(0, j) = 77;
    EXPECT_TRUE(all_near(eigenvalues(Placed(a, true).view), pairs.value, 1e-13 * static_cast<double>(n)));
  }
}

TEST(DenseMatrix, TridiagonalEigenvaluesOfTheSecondDifference) {
  const std::size_t n = 12;
  const std::vector<double> found =
      tridiagonal_eigenvalues(std::vector<double>(n, 2.0), std::vector<double>(n - 1, -1.0));
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = static_cast<double>(i + 1) * std::numbers::pi / static_cast<double>(n + 1);
    EXPECT_NEAR(found[i], 2 - 2 * std::cos(angle), 1e-14);
  }
  EXPECT_EQ(tridiagonal_eigenvalues(std::vector<double>{3}, {}), std::vector<double>{3});
}

TEST(DenseMatrix, PrincipalValuesAreEigenvalues) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::vector<double> r = random_values<double>(6, 100 + seed);
    std::array<double, 6> s{};
    // With equal and with tiny entries beside the diagonal too.
    for (std::size_t i = 0; i < 6; ++i) s[i] = r[i] * (i < 3 ? 1 : std::pow(10.0, -2.0 * (seed % 10)));
    if (seed % 3 == 0) s[1] = s[0];
    const std::vector<double> tensor{s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
    EXPECT_TRUE(all_near(principal_values(s), eigenvalues(from_rows(tensor, 3, 3)), rounding<double>(20, 3)))
        << "seed " << seed;
  }
  EXPECT_EQ(principal_values({3, 1, 2, 0, 0, 0}), (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(principal_values({}), (std::array<double, 3>{}));
  EXPECT_TRUE(
      all_near(principal_values({0, 0, 0, 1e200, 0, 0}), std::vector<double>{-1e200, 0, 1e200}, 1e185));
  EXPECT_TRUE(all_near(principal_values({1, 1, 1, 1e-170, 0, 1e-9}),
                       std::vector<double>{1 - 1e-9, 1, 1 + 1e-9}, rounding<double>(20, 3)));
  EXPECT_TRUE(
      all_near(principal_values({0, 0, 0, 1e-310, 0, 0}), std::vector<double>{-1e-310, 0, 1e-310}, 1e-320));
}

TEST(DenseMatrix, PrincipalValuesOfManyAreThoseOfEach) {
  for (const std::size_t count : {0U, 1U, 4U, 11U}) {
    const std::vector<double> tensors = random_values<double>(static_cast<std::int64_t>(6 * count), 3);
    std::vector<double> values(3 * count);
    principal_values(tensors, values);
    for (std::size_t i = 0; i < count; ++i) {
      std::array<double, 6> one{};
      std::copy_n(tensors.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, one.begin());
      const std::array<double, 3> expected = principal_values(one);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(values[3 * i + k], expected[k], 1e-15);
    }
  }
}

TEST(DenseMatrix, CholeskyFactorsAndSolves) {
  for (const std::int64_t n : {1, 2, 9, 50}) {
    SCOPED_TRACE(n);
    const double bound = 1e-12 * static_cast<double>(n);
    Dense a = random_definite(n, 0.5, 11);
    const Dense whole = a;
    for (std::int64_t j = 1; j < n; ++j) a(0, j) = 77;  // the lower triangle is read
    const DenseCholesky cholesky(a);
    ASSERT_TRUE(cholesky.definite());
    const Dense& l = cholesky.lower();
    EXPECT_LE(largest(l * l.transposed() - whole), bound);
    double least = l(0, 0);
    for (std::int64_t i = 0; i < n; ++i) least = std::min(least, l(i, i));
    EXPECT_EQ(cholesky.min_pivot(), least * least);
    const Dense b = random_dense(n, 4, 12);
    Dense x = b;
    cholesky.solve(x);
    EXPECT_LE(largest(whole * x - b), bound);
    x = b;
    cholesky.solve_lower(x);
    EXPECT_LE(largest(l * x - b), bound);
    x = b;
    cholesky.solve_transposed(x);
    EXPECT_LE(largest(l.transposed() * x - b), bound);
    x = Dense(b.transposed());
    cholesky.solve_transposed_on_right(x);
    EXPECT_LE(largest(x * l.transposed() - b.transposed()), bound);
  }
}

TEST(DenseMatrix, CholeskyTellsHowNearAMatrixIsToASingularOne) {
  Dense a = Dense::identity(5);
  EXPECT_NEAR(DenseCholesky(a).reciprocal_condition(), 1, 1e-15);
  a(3, 3) = 1e-8;
  EXPECT_NEAR(DenseCholesky(a).reciprocal_condition(), 1e-8, 1e-20);
  EXPECT_NEAR(DenseCholesky(a).min_pivot(), 1e-8, 1e-20);
  a(3, 3) = -1e-8;
  EXPECT_FALSE(DenseCholesky(a).definite());
  EXPECT_EQ(DenseCholesky(a).min_pivot(), 0);
}

TEST(DenseMatrix, OrthonormalColumnsSpanWhatTheirsDid) {
  Dense x = random_dense(40, 6, 41);
  for (std::int64_t i = 0; i < 40; ++i) {
    x(i, 2) = x(i, 0) + 1e-9 * x(i, 2);  // nearly dependent
    x(i, 4) = x(i, 1) - x(i, 3);         // dependent
    x(i, 5) = 0;
  }
  const Dense before = x;
  orthonormalise(x);
  EXPECT_LE(largest(x.transposed() * x - Dense::identity(6)), 1e-14);
  EXPECT_LE(largest(x * (x.transposed() * before) - before), 1e-13);
  Dense all(3, 3);  // zeros
  orthonormalise(all);
  EXPECT_LE(largest(all.transposed() * all - Dense::identity(3)), 1e-15);
}

TEST(DenseMatrix, SolutionNeedsNoDefiniteness) {
  for (const std::int64_t n : {1, 2, 6, 40}) {
    Dense a = random_dense(n, n, 21);
    if (n > 1) a(0, 0) = 0;  // no pivot
    const Dense b = random_dense(n, 3, 22);
    EXPECT_LE(largest(a * solution(a, b) - b), 1e-11);
  }
  EXPECT_FALSE(std::isfinite(solution(Dense(2, 2), Dense::identity(2))(0, 0)));
}

TEST(DenseMatrix, ScalesToAUnitDiagonal) {
  Dense a = random_definite(4, 1, 31);
  a(2, 2) = -1;
  const std::vector<double> scale = unit_scales(a);
  EXPECT_EQ(scale[2], 0);
  const Dense s = scaled(a, scale, scale);
  for (const std::int64_t i : {0, 1, 3}) EXPECT_NEAR(s(i, i), 1, 1e-15);
  EXPECT_EQ(s(2, 2), 0);
  EXPECT_EQ(s(1, 0), scale[1] * a(1, 0) * scale[0]);
  EXPECT_EQ(scaled_rows(a, scale)(1, 0), scale[1] * a(1, 0));
  EXPECT_EQ(norm(std::vector<double>{3, 0, 4}), 5);
}

}  // namespace
}  // namespace setka::test
