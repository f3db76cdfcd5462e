// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/dense_inverse.hpp"

#include <cstdint>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace setka::solve {
namespace {

Eigen::MatrixXd dense(const sparse::BlockCsr<double>& matrix) {
  const sparse::BlockCsrView<double> a = matrix.view();
  const int n = matrix.height();
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(matrix.scalar_rows(), matrix.scalar_columns());
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
Eigen::MatrixXd pseudo_inverse(Eigen::MatrixXd a) {
  constexpr double singular = 1e-10;
  const Eigen::VectorXd scale =
      a.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  a = scale.asDiagonal() * a * scale.asDiagonal();
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    if (scale[i] == 0) a(i, i) = 1;
  }
  const Eigen::LLT<Eigen::MatrixXd> cholesky(a);
  Eigen::MatrixXd inverse;
  if (cholesky.info() == Eigen::Success && cholesky.rcond() > singular) {
    inverse = cholesky.solve(Eigen::MatrixXd::Identity(a.rows(), a.cols()));
  } else {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(a);
    const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
    const Eigen::VectorXd reciprocal = eigen.eigenvalues().unaryExpr(
        [&](double value) { return value > singular * largest ? 1 / value : 0.0; });
    inverse = eigen.eigenvectors() * reciprocal.asDiagonal() * eigen.eigenvectors().transpose();
  }
  return scale.asDiagonal() * inverse * scale.asDiagonal();
}

}  // namespace

sparse::BlockCsr<double> dense_inverse(const sparse::BlockCsr<double>& a) {
  const exec::Device cpu = a.device().is_cuda() ? exec::Device::cpu() : a.device();
  const Eigen::MatrixXd inverse = pseudo_inverse(a.device().is_cuda() ? dense(a.to(cpu)) : dense(a));
  const std::int32_t rows = a.rows();
  const int n = a.height();
  exec::Array<std::int32_t> offset(cpu, std::int64_t{rows} + 1);
  exec::Array<std::int32_t> column(cpu, std::int64_t{rows} * rows);
  exec::Array<double> value(cpu, inverse.size());
  for (std::int32_t i = 0; i <= rows; ++i) offset.data()[i] = i * rows;
  for (std::int64_t k = 0; k < column.size(); ++k) column.data()[k] = static_cast<std::int32_t>(k % rows);
  // All blocks of a row present: the layout is that of a dense matrix, row by row.
  for (Eigen::Index i = 0; i < inverse.rows(); ++i) {
    for (Eigen::Index j = 0; j < inverse.cols(); ++j) value.data()[i * inverse.cols() + j] = inverse(i, j);
  }
  return sparse::BlockCsr<double>(rows, rows, n, n, std::move(offset), std::move(column), std::move(value))
      .to(a.device());
}

}  // namespace setka::solve
