// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "setka/solve/operator.hpp"
#include "setka/sparse/block_csr.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::solve {

/// A vector that is zero but in some rows; rows ascend.
struct SparseVector {
  std::vector<std::int32_t> row;
  std::vector<double> value;
};

/// The vectors z with A z = 0 of a symmetric positive semidefinite matrix, as far as they are known, and rows
/// that hold them: with springs to the ground at these rows, one a vector, the matrix is definite. Where b
/// has no component along any z the springs carry nothing, and the answer is one of A x = b.
class NullSpace {
 public:
  /// Vectors that have a name in common, orthonormal.
  struct Group {
    std::string name;
    std::vector<SparseVector> vectors;
  };

  /// Vectors that are independent of those added before, and vanish at their rows or are zero wherever they
  /// are not.
  void add(std::string name, std::vector<SparseVector> vectors);

  bool empty() const { return groups_.empty(); }
  std::span<const Group> groups() const { return groups_; }

  /// The rows that hold all vectors of the groups from this one on.
  std::vector<std::int32_t> held_rows(std::size_t first_group) const;

  /// v less its components along all vectors.
  void project_out(std::vector<double>& v) const;

 private:
  std::vector<Group> groups_;
  std::vector<std::vector<std::int32_t>> held_;  // [groups][vectors]
};

/// Relative to the diagonal: a stiffness that the rounding of a matrix's entries explains, where they are as
/// exact as doubles are.
inline constexpr double min_noise = 4e-15;

/// A basis of the null space of a symmetric positive semidefinite matrix: what inverse iteration leaves with
/// a stiffness, relative to the diagonal, below the noise of its entries. Empty: there is none, or one of
/// more than `max_vectors`. Factorises the matrix, a little of its diagonal added; throws in a build without
/// CHOLMOD. Every vector has a row in which it is one and all others are zero.
std::vector<SparseVector> null_vectors(const sparse::SymmetricCsr& a, std::int32_t max_vectors,
                                       double noise = min_noise);

/// A spring to the ground.
struct Support {
  std::int32_t row;
  double stiffness;
};

/// The diagonal of a matrix in these rows.
std::vector<double> diagonal_at(const sparse::BlockCsr<double>& a, std::span<const std::int32_t> rows);

/// Adds to the diagonal.
void add_supports(sparse::BlockCsr<double>& a, std::span<const Support> supports);

/// The product with the supports added.
std::shared_ptr<const Operator> supported(std::shared_ptr<const Operator> a, std::vector<Support> supports);

}  // namespace setka::solve
