// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/small_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace setka::solve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A pivot of Cholesky's factor of a Gram matrix with unit diagonal, below which the columns that it makes
/// are orthonormal to no better than epsilon over this.
constexpr double min_pivot = 1e-6;

}  // namespace

SmallMatrix small_matrix(ConstDenseView a) {
  SmallMatrix made(a.rows, a.columns);
  copy(a, made.view());
  return made;
}

SmallMatrix operator*(const SmallMatrix& a, const SmallMatrix& b) {
  SmallMatrix c(a.rows, b.columns);
  multiply(1, a.view(), b.view(), 0, c.view());
  return c;
}

Definiteness definiteness(const SmallMatrix& a, double slack) {
  if (a.rows == 0) return Definiteness::positive;
  Dense s = symmetric_part(a.view());
  if (!std::ranges::all_of(s.values(), [](double value) { return std::isfinite(value); }))
    return Definiteness::not_finite;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    if (s(i, i) <= 0) return Definiteness::indefinite;
  }
  const std::vector<double> scale = unit_scales(s);
  s = scaled(s, scale, scale);
  if (DenseCholesky(s).min_pivot() > 8 * epsilon * static_cast<double>(a.rows)) return Definiteness::positive;
  return eigenvalues(s).front() < -slack ? Definiteness::indefinite : Definiteness::singular;
}

SmallMatrix solve_positive(const SmallMatrix& a, const SmallMatrix& b) {
  const Dense s = symmetric_part(a.view());
  const std::vector<double> scale = unit_scales(s);
  Dense x = scaled_rows(b.view(), scale);
  DenseCholesky(scaled(s, scale, scale)).solve(x);
  return small_matrix(scaled_rows(x, scale));
}

Orthonormaliser orthonormaliser(const SmallMatrix& gram, double drop, bool last) {
  const Dense g = symmetric_part(gram.view());
  std::vector<std::int64_t> kept;
  for (std::int64_t i = 0; i < g.rows(); ++i) {
    if (g(i, i) > drop * drop) kept.push_back(i);
  }
  const auto r = static_cast<std::int64_t>(kept.size());
  Orthonormaliser made;
  made.transform = SmallMatrix(gram.rows, r);
  made.factor = SmallMatrix(r, gram.rows);
  if (r == 0) return made;
  const auto at = [&](std::int64_t k) { return kept[static_cast<std::size_t>(k)]; };
  Dense c(r, r);
  for (std::int64_t j = 0; j < r; ++j) {
    for (std::int64_t i = 0; i < r; ++i) c(i, j) = g(at(i), at(j));
  }
  const std::vector<double> scale = unit_scales(c);
  c = scaled(c, scale, scale);
  Dense transform;  // [r, s], over the kept columns
  Dense factor;     // [s, r]
  const DenseCholesky cholesky(c);
  if (cholesky.min_pivot() >= min_pivot) {
    factor = Dense(cholesky.lower().transposed());
    transform = Dense::identity(r);
    cholesky.solve_transposed(transform);
  } else {
    const Eigenpairs axes = eigenpairs(c);
    std::int64_t first = 0;  // eigenvalues ascend
    if (last) {
      while (first < r && axes.value[static_cast<std::size_t>(first)] < min_pivot) ++first;
    }
    const double hidden = 8 * epsilon * static_cast<double>(r);
    transform = Dense(axes.vector.column_range(first, r - first));
    factor = Dense(transform.transposed());
    for (std::int64_t j = 0; j < r - first; ++j) {
      const double root = std::sqrt(std::max(axes.value[static_cast<std::size_t>(first + j)], hidden));
      const double reciprocal = 1 / root;
      for (std::int64_t i = 0; i < r; ++i) {
        transform(i, j) *= reciprocal;
        factor(j, i) *= root;
      }
    }
    made.complete = last;
  }
  made.transform = SmallMatrix(gram.rows, transform.columns());
  made.factor = SmallMatrix(factor.rows(), gram.rows);
  for (std::int64_t k = 0; k < r; ++k) {
    const double by = scale[static_cast<std::size_t>(k)];
    const double reciprocal = 1 / by;
    for (std::int64_t j = 0; j < transform.columns(); ++j) {
      made.transform(at(k), j) = by * transform(k, j);
      made.factor(j, at(k)) = factor(j, k) * reciprocal;
    }
  }
  return made;
}

}  // namespace setka::solve
