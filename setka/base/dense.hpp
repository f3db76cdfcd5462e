// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

/// Dense linear algebra on the host, by one thread. All that is known of Eigen is in dense.cpp: its templates
/// take long to compile, and its layout depends on the flags of the compiler.
namespace setka {

/// A matrix in memory that others own: entry (i, j) is data[i * row_step + j * column_step]. What algorithms
/// take has one of the two steps 1: values lie column by column or row by row.
template <class T>
struct DenseView {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_step = 1;
  std::int64_t column_step = 0;

  T& operator()(std::int64_t i, std::int64_t j) const { return data[i * row_step + j * column_step]; }
  DenseView transposed() const { return {data, columns, rows, column_step, row_step}; }
  DenseView block(std::int64_t i, std::int64_t j, std::int64_t height, std::int64_t width) const {
    return {data + i * row_step + j * column_step, height, width, row_step, column_step};
  }

  operator DenseView<const T>() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<T>) {
    return {data, rows, columns, row_step, column_step};
  }
};
using ConstDenseView = DenseView<const double>;

/// Memory from a multiple of 64 bytes on: where vector registers begin in a matrix, and with it the rounding
/// of sums, is then the same at every run.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* data, std::size_t /*count*/) { ::operator delete(data, alignment); }
  bool operator==(const AlignedAllocator& /*other*/) const { return true; }
};

/// A matrix of doubles, column by column.
class Dense {
 public:
  Dense() = default;
  Dense(std::int64_t rows, std::int64_t columns)  // zeros
      : rows_(rows), columns_(columns), value_(static_cast<std::size_t>(rows * columns)) {}
  explicit Dense(ConstDenseView from);

  static Dense identity(std::int64_t size);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  double& operator()(std::int64_t i, std::int64_t j) {
    return value_[static_cast<std::size_t>(i + j * rows_)];
  }
  double operator()(std::int64_t i, std::int64_t j) const {
    return value_[static_cast<std::size_t>(i + j * rows_)];
  }

  /// [columns, rows]
  std::span<double> values() { return value_; }
  std::span<const double> values() const { return value_; }
  std::span<double> column(std::int64_t j) {
    return values().subspan(static_cast<std::size_t>(j * rows_), static_cast<std::size_t>(rows_));
  }
  std::span<const double> column(std::int64_t j) const {
    return values().subspan(static_cast<std::size_t>(j * rows_), static_cast<std::size_t>(rows_));
  }

  DenseView<double> view() { return {value_.data(), rows_, columns_, 1, rows_}; }
  ConstDenseView view() const { return {value_.data(), rows_, columns_, 1, rows_}; }
  operator DenseView<double>() { return view(); }     // NOLINT(google-explicit-constructor)
  operator ConstDenseView() const { return view(); }  // NOLINT(google-explicit-constructor)
  ConstDenseView transposed() const { return view().transposed(); }

  /// Columns first .. first + count.
  DenseView<double> column_range(std::int64_t first, std::int64_t count) {
    return view().block(0, first, rows_, count);
  }
  ConstDenseView column_range(std::int64_t first, std::int64_t count) const {
    return view().block(0, first, rows_, count);
  }

 private:
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<double, AlignedAllocator<double>> value_;
};

/// C = alpha A B + beta C; C shares no memory with A and B, and its old values do not matter where beta is 0.
void multiply(double alpha, ConstDenseView a, ConstDenseView b, double beta, DenseView<double> c);

/// A B.
Dense product(ConstDenseView a, ConstDenseView b);

/// Of one shape; no memory in common.
void copy(ConstDenseView from, DenseView<double> to);

/// (A + A') / 2.
Dense symmetric_part(ConstDenseView a);

/// 1 over the roots of the diagonal, which scale it to 1; 0 where it is not positive.
std::vector<double> unit_scales(ConstDenseView a);

/// A(i, j) left(i) right(j).
Dense scaled(ConstDenseView a, std::span<const double> left, std::span<const double> right);

/// A(i, j) left(i).
Dense scaled_rows(ConstDenseView a, std::span<const double> left);

double norm(std::span<const double> x);

/// Of a symmetric matrix.
struct Eigenpairs {
  std::vector<double> value;  // ascending
  Dense vector;               // a column each, orthonormal
  bool converged = true;      // always, of finite numbers
};

/// Of a symmetric matrix; its lower triangle is read.
Eigenpairs eigenpairs(ConstDenseView a);

/// The values alone, ascending.
std::vector<double> eigenvalues(ConstDenseView a);

/// Of a symmetric tridiagonal matrix, ascending. beside: the entries next to the diagonal, one fewer.
std::vector<double> tridiagonal_eigenvalues(std::span<const double> diagonal, std::span<const double> beside);

/// Of a symmetric tensor xx, yy, zz, xy, xz, yz, ascending.
std::array<double, 3> principal_values(const std::array<double, 6>& tensor);

/// The same of many, about twice as fast. tensors: [count, 6]; values: [count, 3]
void principal_values(std::span<const double> tensors, std::span<double> values);

/// Cholesky's factorisation A = L L' of a symmetric matrix, of which the lower triangle is read.
class DenseCholesky {
 public:
  explicit DenseCholesky(Dense a);

  /// Whether A is positive definite. What follows is of one that is.
  bool definite() const { return definite_; }

  /// The square of the least entry of the diagonal of L; 0 where A is not definite.
  double min_pivot() const;

  /// 1 over the condition in the 1-norm, estimated.
  double reciprocal_condition() const { return reciprocal_condition_; }

  /// [n, n], zeros above its diagonal.
  const Dense& lower() const { return lower_; }

  void solve(DenseView<double> b) const;                      // B = A^-1 B
  void solve_lower(DenseView<double> b) const;                // B = L^-1 B
  void solve_transposed(DenseView<double> b) const;           // B = L'^-1 B
  void solve_transposed_on_right(DenseView<double> b) const;  // B = B L'^-1

 private:
  Dense lower_;
  bool definite_ = false;
  double reciprocal_condition_ = 0;
};

/// Makes the columns orthonormal, each in the span of itself and those before it. One that depends on them is
/// replaced. At most as many columns as rows.
void orthonormalise(Dense& x);

/// X of A X = B, by elimination with partial pivoting; not finite where A is singular.
Dense solution(const Dense& a, const Dense& b);

}  // namespace setka
