// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/base/dense.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "setka/base/error.hpp"

namespace setka {
namespace {

using Matrix = Eigen::MatrixXd;
using Map = Eigen::Map<Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;
using ConstMap = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Whether values lie column by column; otherwise row by row. A single row does whatever its steps are.
template <class T>
bool by_columns(const DenseView<T>& a) {
  const bool columns = a.row_step == 1 || a.rows <= 1;
  SETKA_ASSERT(columns || a.column_step == 1 || a.columns <= 1);
  return columns;
}

Map map(const DenseView<double>& a) {
  SETKA_ASSERT(by_columns(a));
  return {a.data, a.rows, a.columns, Eigen::OuterStride<>(a.column_step)};
}
ConstMap map(const ConstDenseView& a) {
  SETKA_ASSERT(by_columns(a));
  return {a.data, a.rows, a.columns, Eigen::OuterStride<>(a.column_step)};
}

Matrix copied(const ConstDenseView& a) {
  Matrix made(a.rows, a.columns);
  copy(a, {made.data(), a.rows, a.columns, 1, a.rows});
  return made;
}

constexpr std::int64_t few_entries = 20;

/// Changes b by way of memory of Eigen's own alignment.
template <class Change>
void change(DenseView<double> b, Change&& how) {
  Matrix x = copied(b);
  how(x);
  copy({x.data(), b.rows, b.columns, 1, b.rows}, b);
}

}  // namespace

Dense::Dense(ConstDenseView from) : Dense(from.rows, from.columns) {
  copy(from, view());
}

Dense Dense::identity(std::int64_t size) {
  Dense one(size, size);
  for (std::int64_t i = 0; i < size; ++i) one(i, i) = 1;
  return one;
}

void multiply(double alpha, ConstDenseView a, ConstDenseView b, double beta, DenseView<double> c) {
  SETKA_ASSERT(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns);
  if (!by_columns(c)) return multiply(alpha, b.transposed(), a.transposed(), beta, c.transposed());
  Map to = map(c);
  if (beta == 0) {
    to.setZero();
  } else if (beta != 1) {
    to *= beta;
  }
  if (c.rows == 0 || c.columns == 0 || a.columns == 0) return;
  // For few entries Eigen sums as the memory is aligned, which differs from run to run where it is not ours.
  if (c.rows + a.columns + c.columns < few_entries || (c.rows == 1 && c.columns == 1)) {
    for (std::int64_t j = 0; j < c.columns; ++j) {
      for (std::int64_t k = 0; k < a.columns; ++k) {
        for (std::int64_t i = 0; i < c.rows; ++i) c(i, j) += alpha * a(i, k) * b(k, j);
      }
    }
    return;
  }
  const bool a_by_columns = by_columns(a);
  const bool b_by_columns = by_columns(b);
  if (a_by_columns && b_by_columns) {
    to.noalias() += alpha * map(a) * map(b);
  } else if (a_by_columns) {
    to.noalias() += alpha * map(a) * map(b.transposed()).transpose();
  } else if (b_by_columns) {
    to.noalias() += alpha * map(a.transposed()).transpose() * map(b);
  } else {
    to.noalias() += alpha * map(a.transposed()).transpose() * map(b.transposed()).transpose();
  }
}

Dense product(ConstDenseView a, ConstDenseView b) {
  Dense c(a.rows, b.columns);
  multiply(1, a, b, 1, c);
  return c;
}

void copy(ConstDenseView from, DenseView<double> to) {
  SETKA_ASSERT(from.rows == to.rows && from.columns == to.columns);
  if (!by_columns(to)) return copy(from.transposed(), to.transposed());  // written one after the other
  for (std::int64_t j = 0; j < from.columns; ++j) {
    for (std::int64_t i = 0; i < from.rows; ++i) to(i, j) = from(i, j);
  }
}

Dense symmetric_part(ConstDenseView a) {
  SETKA_ASSERT(a.rows == a.columns);
  Dense s(a.rows, a.rows);
  for (std::int64_t j = 0; j < a.rows; ++j) {
    for (std::int64_t i = 0; i <= j; ++i) s(i, j) = s(j, i) = 0.5 * (a(i, j) + a(j, i));
  }
  return s;
}

std::vector<double> unit_scales(ConstDenseView a) {
  std::vector<double> scale(at(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i) scale[at(i)] = a(i, i) > 0 ? 1 / std::sqrt(a(i, i)) : 0.0;
  return scale;
}

Dense scaled(ConstDenseView a, std::span<const double> left, std::span<const double> right) {
  Dense s(a.rows, a.columns);
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) s(i, j) = left[at(i)] * a(i, j) * right[at(j)];
  }
  return s;
}

Dense scaled_rows(ConstDenseView a, std::span<const double> left) {
  Dense s(a.rows, a.columns);
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) s(i, j) = left[at(i)] * a(i, j);
  }
  return s;
}

double norm(std::span<const double> x) {
  constexpr std::size_t lanes = 8;  // in a fixed order, wherever x lies
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += x[i + lane] * x[i + lane];
  }
  for (; i < x.size(); ++i) sums[0] += x[i] * x[i];
  double sum = 0;
  for (const double part : sums) sum += part;
  return std::sqrt(sum);
}

Eigenpairs eigenpairs(ConstDenseView a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(copied(a));
  Eigenpairs pairs;
  pairs.converged = solver.info() == Eigen::Success;
  pairs.value.assign(solver.eigenvalues().begin(), solver.eigenvalues().end());
  pairs.vector = Dense(a.rows, a.rows);
  map(pairs.vector.view()) = solver.eigenvectors();
  return pairs;
}

std::vector<double> eigenvalues(ConstDenseView a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(copied(a), Eigen::EigenvaluesOnly);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

std::vector<double> tridiagonal_eigenvalues(std::span<const double> diagonal,
                                            std::span<const double> beside) {
  using Vector = Eigen::VectorXd;
  const auto size = static_cast<Eigen::Index>(diagonal.size());
  SETKA_ASSERT(size > 0 && static_cast<Eigen::Index>(beside.size()) == size - 1);
  const Vector along = Eigen::Map<const Vector>(diagonal.data(), size);
  const Vector next = Eigen::Map<const Vector>(beside.data(), size - 1);
  Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.computeFromTridiagonal(along, next, Eigen::EigenvaluesOnly);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

namespace {

/// The principal values of some tensors side by side: roots and quotients of one take long to come, and those
/// of the others fill the time. tensor: [lanes, 6]; value: [lanes, 3]
template <std::size_t lanes>
void principal_values_of(const double* tensor, double* value) {
  std::array<std::array<double, lanes>, 3> d{};
  std::array<std::array<double, lanes>, 3> beside{};  // the entry of the two other axes
  std::array<int, lanes> exponent{};
  for (std::size_t l = 0; l < lanes; ++l) {
    const double* const t = tensor + 6 * l;
    double largest = 0;
    for (std::size_t i = 0; i < 6; ++i) largest = std::max(largest, std::abs(t[i]));
    // To about 1 by a power of two, so that squares neither overflow nor vanish.
    exponent[l] = largest > 0 ? std::clamp(std::ilogb(largest), -1000, 1000) : 0;
    const double scale = std::scalbn(1.0, -exponent[l]);
    for (std::size_t i = 0; i < 3; ++i) {
      d[i][l] = scale * t[i];
      beside[i][l] = scale * t[5 - i];
    }
  }
  // Jacobi's rotations, each in the plane that leaves one axis out; they converge quadratically.
  constexpr double least = 1e-150;  // stands for zero where entry and gap are none
  double left = 1;
  for (int sweep = 0; sweep < 12 && left > 1e-17; ++sweep) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t p = (axis + 1) % 3;
      const std::size_t q = (axis + 2) % 3;
      for (std::size_t l = 0; l < lanes; ++l) {
        const double entry = beside[axis][l];
        const double gap = d[q][l] - d[p][l];
        const double root = std::sqrt(gap * gap + 4 * entry * entry) + least;
        const double tangent = 2 * entry / (gap + std::copysign(root, gap));
        const double cosine = 1 / std::sqrt(tangent * tangent + 1);
        const double sine = tangent * cosine;
        d[p][l] -= tangent * entry;
        d[q][l] += tangent * entry;
        beside[axis][l] = 0;
        const double of_p = beside[q][l];  // of axis and p
        const double of_q = beside[p][l];
        beside[q][l] = cosine * of_p - sine * of_q;
        beside[p][l] = sine * of_p + cosine * of_q;
      }
    }
    left = 0;
    for (const auto& entries : beside) {
      for (const double entry : entries) left = std::max(left, std::abs(entry));
    }
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    double* const own = value + 3 * l;
    for (std::size_t i = 0; i < 3; ++i) own[i] = std::scalbn(d[i][l], exponent[l]);
    std::sort(own, own + 3);
  }
}

}  // namespace

std::array<double, 3> principal_values(const std::array<double, 6>& tensor) {
  std::array<double, 3> value{};
  principal_values_of<1>(tensor.data(), value.data());
  return value;
}

void principal_values(std::span<const double> tensors, std::span<double> values) {
  constexpr std::size_t together = 4;
  const std::size_t count = tensors.size() / 6;
  std::size_t i = 0;
  for (; i + together <= count; i += together)
    principal_values_of<together>(tensors.data() + 6 * i, values.data() + 3 * i);
  for (; i < count; ++i) principal_values_of<1>(tensors.data() + 6 * i, values.data() + 3 * i);
}

DenseCholesky::DenseCholesky(Dense a) : lower_(std::move(a)) {
  SETKA_ASSERT(lower_.rows() == lower_.columns());
  Map whole = map(lower_.view());
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(whole);
  definite_ = factor.info() == Eigen::Success;
  if (!definite_) return;
  reciprocal_condition_ = factor.rcond();
  for (std::int64_t j = 1; j < lower_.columns(); ++j) {
    for (std::int64_t i = 0; i < j; ++i) lower_(i, j) = 0;
  }
}

double DenseCholesky::min_pivot() const {
  if (!definite_ || lower_.rows() == 0) return 0;
  double least = lower_(0, 0);
  for (std::int64_t i = 1; i < lower_.rows(); ++i) least = std::min(least, lower_(i, i));
  return least * least;
}

void DenseCholesky::solve(DenseView<double> b) const {
  solve_lower(b);
  solve_transposed(b);
}

void DenseCholesky::solve_lower(DenseView<double> b) const {
  change(b, [&](Matrix& x) { map(lower_.view()).triangularView<Eigen::Lower>().solveInPlace(x); });
}

void DenseCholesky::solve_transposed(DenseView<double> b) const {
  const Matrix upper =
      map(lower_.view()).transpose();  // by columns: LOBPCG takes a third more iterations otherwise
  change(b, [&](Matrix& x) { upper.triangularView<Eigen::Upper>().solveInPlace(x); });
}

void DenseCholesky::solve_transposed_on_right(DenseView<double> b) const {
  change(b, [&](Matrix& x) {
    map(lower_.view()).transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(x);
  });
}

void orthonormalise(Dense& x) {
  SETKA_ASSERT(x.columns() <= x.rows());
  std::int64_t next = 0;  // an axis that has not been tried
  for (std::int64_t j = 0; j < x.columns(); ++j) {
    const ConstDenseView before = std::as_const(x).column_range(0, j);
    const DenseView<double> column = x.column_range(j, 1);
    Dense share(j, 1);
    double left = norm(x.column(j));
    const auto divide = [&](double by) {
      for (double& value : x.column(j)) value /= by;
    };
    // Until a pass takes off so little that nothing along the columns before can be left.
    for (bool clean = false; !clean;) {
      if (!(left > 0)) {
        std::ranges::fill(x.column(j), 0.0);
        x(next++, j) = 1;
        left = 1;
      }
      divide(left);
      multiply(1, before.transposed(), column, 0, share);
      multiply(-1, before, share, 1, column);
      left = norm(x.column(j));
      clean = left > 0.7;
      if (left < 1e-14) left = 0;  // of 1: rounding
    }
    divide(left);
  }
}

Dense solution(const Dense& a, const Dense& b) {
  SETKA_ASSERT(a.rows() == a.columns() && a.rows() == b.rows());
  Dense left = a;
  Dense x = b;
  const std::int64_t n = a.rows();
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < n; ++i) {
      if (std::abs(left(i, k)) > std::abs(left(pivot, k))) pivot = i;
    }
    for (std::int64_t j = k; j < n; ++j) std::swap(left(k, j), left(pivot, j));
    for (std::int64_t j = 0; j < x.columns(); ++j) std::swap(x(k, j), x(pivot, j));
    for (std::int64_t i = k + 1; i < n; ++i) left(i, k) /= left(k, k);
    for (std::int64_t j = k + 1; j < n; ++j) {
      for (std::int64_t i = k + 1; i < n; ++i) left(i, j) -= left(i, k) * left(k, j);
    }
    for (std::int64_t j = 0; j < x.columns(); ++j) {
      for (std::int64_t i = k + 1; i < n; ++i) x(i, j) -= left(i, k) * x(k, j);
    }
  }
  for (std::int64_t j = 0; j < x.columns(); ++j) {
    for (std::int64_t k = n - 1; k >= 0; --k) {
      x(k, j) /= left(k, k);
      for (std::int64_t i = 0; i < k; ++i) x(i, j) -= left(i, k) * x(k, j);
    }
  }
  return x;
}

}  // namespace setka
