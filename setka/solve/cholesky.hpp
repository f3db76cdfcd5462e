// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "setka/solve/solver_choices.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve {

/// Sparse Cholesky factorisation of a symmetric positive definite matrix, by CHOLMOD on the CPU.
class Cholesky {
 public:
  /// Whether this build has it.
  static bool available();

  Cholesky();
  ~Cholesky();
  Cholesky(Cholesky&&) noexcept;
  Cholesky& operator=(Cholesky&&) noexcept;
  Cholesky(const Cholesky&) = delete;
  Cholesky& operator=(const Cholesky&) = delete;

  /// Orders, by the pattern of a matrix alone; its values are not read. The next factorisation has to be of a
  /// matrix with this pattern, and takes the order.
  void order(const sparse::SymmetricCsr& pattern);

  /// Orders, unless that is done, and factorises. Returns the row in which the matrix turned out not to be
  /// positive definite, or -1 when all is well. Out of memory is an Error.
  std::int32_t factorise(const sparse::SymmetricCsr& a);
  std::int32_t factorise(const sparse::SymmetricRows& a);

  /// The same for one who corrects what solve() answers: in single precision, with half the time and memory,
  /// from so many operations on, where that is safe: where no pivot is so small a part of its diagonal that
  /// rounding to single precision could make it another (solver_choices.hpp). Else as factorise() does.
  std::int32_t factorise_roughly(const sparse::SymmetricRows& a, double min_flops = rough_factor_min_flops);
  std::int32_t factorise_roughly(const sparse::SymmetricCsr& a, double min_flops = rough_factor_min_flops);

  /// Whether the factor is one of single precision.
  bool rough() const;

  /// x = A^-1 b, after factorise() went well.
  void solve(std::span<const double> b, std::span<double> x) const;

  /// X = A^-1 B for columns that lie one after the other: [columns, rows].
  void solve(std::span<const double> b, std::span<double> x, std::int64_t columns) const;

  /// The smallest pivot over the entry of the diagonal that it came from; scaling rows and columns does not
  /// change it. Near the rounding of a double nothing was left there but noise: the matrix is singular.
  struct Pivot {
    std::int32_t row = -1;
    double share = 1;
  };
  Pivot min_pivot() const;

  /// Entries of the factor; bytes are eight times that and more.
  std::int64_t factor_entries() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What a factorisation will take, before there is a matrix.
struct FactorSize {
  double flops = 0;
  double entries = 0;  // of the factor
};

/// A graph whose vertices stand for some unknowns each, as nodes do.
struct FactorGraph {
  std::span<const std::int64_t> offset;  // [vertices + 1]
  std::span<const std::int32_t> later;   // of each vertex itself and the neighbours after it, ascending
  std::span<const std::int32_t> width;   // [vertices] unknowns
  std::span<const double> place;         // [vertices, 3]
};

/// By a symbolic analysis, in an order by nested dissection of the places, or by the minimum degree where
/// that is soon done: within some tenths of what factorise() takes, in a tenth of the time that its ordering
/// takes. Nothing in a build without CHOLMOD.
std::optional<FactorSize> size_of_factor(const FactorGraph& graph);

/// body(i) for 0 <= i < count by several threads, in which factors of their own may be made and solved with;
/// BLAS has one thread in each meanwhile. Of what bodies throw the first by i is thrown in the end.
void side_by_side(int threads, std::int64_t count, const std::function<void(std::int64_t)>& body);

/// How many eigenvalues of a symmetric matrix, definite or not, are below zero: the negative pivots of L D L'
/// (Sylvester's law of inertia).
///
/// The factorisation does not exchange rows, so it may fail, and then nothing is returned: where a pivot
/// vanishes, where one is so small a part of its diagonal that rounding may have made its sign, where it
/// would take more than `max_flops`, or more memory than there is. It is that of factorise() with signs, and
/// takes its time. Throws in a build without CHOLMOD.
std::optional<std::int64_t> negative_pivots(const sparse::SymmetricCsr& a, double max_flops);

}  // namespace setka::solve
