// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/dense_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "setka/base/dense.hpp"

namespace setka::solve {
namespace {

Dense dense(const sparse::BlockCsr<double>& matrix) {
  const sparse::BlockCsrView<double> a = matrix.view();
  const int n = matrix.height();
  Dense full(matrix.scalar_rows(), matrix.scalar_columns());
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::int64_t width = std::int64_t{a.offset[i + 1] - a.offset[i]} * n;
    for (std::int32_t k = a.offset[i]; k < a.offset[i + 1]; ++k) {
      for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
          full(i * n + r, std::int64_t{a.column[k]} * n + c) =
              a.value[std::int64_t{a.offset[i]} * n * n + r * width + std::int64_t{k - a.offset[i]} * n + c];
        }
      }
    }
  }
  return full;
}

/// Scaled to a unit diagonal, so that "nearly singular" means the same for every unit of measure.
Dense pseudo_inverse(const Dense& matrix) {
  constexpr double singular = 1e-10;
  const std::vector<double> scale = unit_scales(matrix);
  Dense a = scaled(matrix, scale, scale);
  const std::int64_t n = a.rows();
  for (std::int64_t i = 0; i < n; ++i) {
    if (scale[static_cast<std::size_t>(i)] == 0) a(i, i) = 1;
  }
  const DenseCholesky cholesky(a);
  Dense inverse;
  if (cholesky.definite() && cholesky.reciprocal_condition() > singular) {
    inverse = Dense::identity(n);
    cholesky.solve(inverse);
  } else {
    const Eigenpairs pairs = eigenpairs(a);
    const double largest = std::max(std::abs(pairs.value.front()), std::abs(pairs.value.back()));
    std::vector<double> reciprocal;
    for (const double value : pairs.value) reciprocal.push_back(value > singular * largest ? 1 / value : 0.0);
    inverse = product(pairs.vector, scaled_rows(pairs.vector.transposed(), reciprocal));
  }
  return scaled(inverse, scale, scale);
}

}  // namespace

sparse::BlockCsr<double> dense_inverse(const sparse::BlockCsr<double>& a) {
  const exec::Device cpu = a.device().is_cuda() ? exec::Device::cpu() : a.device();
  const Dense inverse = pseudo_inverse(a.device().is_cuda() ? dense(a.to(cpu)) : dense(a));
  const std::int32_t rows = a.rows();
  const int n = a.height();
  exec::Array<std::int32_t> offset(cpu, std::int64_t{rows} + 1);
  exec::Array<std::int32_t> column(cpu, std::int64_t{rows} * rows);
  exec::Array<double> value(cpu, inverse.rows() * inverse.columns());
  for (std::int32_t i = 0; i <= rows; ++i) offset.data()[i] = i * rows;
  for (std::int64_t k = 0; k < column.size(); ++k) column.data()[k] = static_cast<std::int32_t>(k % rows);
  // All blocks of a row present: the layout is that of a dense matrix, row by row.
  copy(inverse, {value.data(), inverse.rows(), inverse.columns(), inverse.columns(), 1});
  return sparse::BlockCsr<double>(rows, rows, n, n, std::move(offset), std::move(column), std::move(value))
      .to(a.device());
}

}  // namespace setka::solve
