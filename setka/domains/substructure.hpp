// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/domains/part_matrices.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::domains {

/// Unknowns that several parts have, counted through.
struct Interface {
  std::vector<std::int32_t> row;  // scalar rows of the whole, ascending
  /// [scalar rows of the whole] place among them; -1: of one part alone, -2: no unknown.
  std::vector<std::int32_t> number;

  std::int64_t size() const { return static_cast<std::int64_t>(row.size()); }
};

/// place: scalar rows that are unknowns; the others fill blocks. block_rows: of the whole.
Interface find_interface(std::span<const PartMatrix> parts, std::int32_t block_rows, int block,
                         std::span<const std::int32_t> place);

/// Bytes of the condensed matrices of all parts, where they are kept as dense ones.
std::uint64_t schur_bytes(std::span<const PartMatrix> parts, const Interface& interface);

/// How the condensed matrix of a part is kept.
enum class Schur {
  automatic,   // a matrix where making it takes no more solutions than an interface problem has iterations
  as_matrix,   // dense, of the boundary's unknowns
  by_factors,  // by a solution inside of the part in each product
};

/// "auto", "explicit" or "implicit"; an Error(Fault::usage) for other words.
Schur schur_of(std::string_view word);

/// A part with its inner unknowns (i) condensed to those on its boundary (b), a superelement:
/// S = K_bb - K_bi K_ii^-1 K_ib. By the thread that calls.
class Substructure {
 public:
  /// part: outlives it. Error(Fault::input) where K_ii is not positive definite.
  Substructure(const PartMatrix& part, const Interface& interface, Schur schur = Schur::automatic);

  std::span<const std::int32_t> inner() const { return inner_; }        // scalar rows of the whole
  std::span<const std::int32_t> boundary() const { return boundary_; }  // numbers in the interface, ascending
  std::vector<double> diagonal() const;                                 // of K_bb

  /// S x, over the boundary.
  std::vector<double> multiply(std::span<const double> x) const;

  /// S where it is kept as a matrix, else nothing.
  const Dense& matrix() const { return schur_; }

  /// -K_bi K_ii^-1 f, for forces on the inner unknowns.
  std::vector<double> condensed(std::span<const double> f) const;

  /// K_ii^-1 (f - K_ib x).
  std::vector<double> inner_solution(std::span<const double> f, std::span<const double> x) const;

  /// The upper triangle of the part's whole matrix, inner unknowns first.
  sparse::SymmetricCsr upper() const;

 private:
  void number_unknowns(const Interface& interface);
  void split();
  void make_schur();

  const PartMatrix& part_;
  std::vector<std::int32_t> place_;  // of the unknowns among the rows of the part: inner, boundary ones
  std::vector<std::int32_t> inner_;
  std::vector<std::int32_t> boundary_;
  std::unique_ptr<solve::Cholesky> factor_;  // of K_ii; null: there are no inner unknowns
  sparse::Csr coupling_;                     // K_ib
  sparse::SymmetricCsr at_boundary_;         // K_bb
  Dense schur_;
};

}  // namespace setka::domains
