// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "setka/domains/overlap.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/block_csr.hpp"

namespace setka::domains {

/// What is far from all parts' own solutions: in each part the near-nullspace of the matrix, for elasticity
/// its rigid motions, times the part's weights of a partition of unity (Nicolaides 1987; Toselli and Widlund,
/// Domain Decomposition Methods, 3.10). z = Z (Z'AZ)^-1 Z'r carries forces from any part to any other at
/// once, so that iterations do not grow with the number of parts. Everything is on the host.
class CoarseSpace {
 public:
  /// a: symmetric and positive definite, on the host; mode: [scalar rows, modes] row-major. Motions that
  /// depend on others of the same part are left out, and parts without vertices. Where the weighted motions
  /// of several parts depend on each other, as those of parts of a row or two do, each part's are cut off at
  /// its own vertices, which makes them independent.
  CoarseSpace(const sparse::BlockCsr<double>& a, std::span<const OverlappingPart> parts,
              const PartsOfVertices& places, std::span<const double> mode, int modes, int threads);

  std::int64_t size() const { return offset_.back(); }

  /// z += Z (Z'AZ)^-1 Z'r over all scalar rows.
  void add_correction(std::span<const double> r, std::span<double> z) const;

 private:
  bool make(const sparse::BlockCsr<double>& a, std::span<const double> mode, int modes, bool own_alone);
  void make_basis(std::size_t part, std::span<const double> mode, int modes, bool own_alone);
  sparse::SymmetricCsr galerkin(const sparse::BlockCsr<double>& a) const;
  bool factorise(const sparse::BlockCsr<double>& a);

  std::span<const OverlappingPart> parts_;
  const PartsOfVertices& places_;
  int block_;
  int threads_;
  std::vector<std::vector<double>> basis_;  // of a part: [scalar rows of the part, columns]
  std::vector<std::int32_t> offset_{0};     // [parts + 1] its columns
  std::unique_ptr<solve::Cholesky> sparse_;
  std::vector<double> dense_;  // in a build without sparse factors: the inverse, [size, size]
};

}  // namespace setka::domains
