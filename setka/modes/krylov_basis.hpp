// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/solve/cholesky.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::modes {

/// The block Krylov space of A = (K - sigma M)^-1 M, with full orthogonalisation in the M-product, where A is
/// symmetric, and thick restarts. At any time
///
///     A V = V H + Q C,   V'MV = I,   V'MQ = 0,   H symmetric,
///
/// with V the basis, Q the block that comes next and C what couples them. H is projected explicitly, column
/// by column, so that restarts and blocks from elsewhere need no special treatment.
///
/// Of buckling A is K^-1 G with G indefinite, which is symmetric in the K-product: K takes the place of M
/// there.
class KrylovBasis {
 public:
  KrylovBasis(const sparse::SymmetricCsr& m, const solve::Cholesky& factor, std::int64_t room,
              std::int64_t block);

  /// Of K^-1 G in the K-product; factor: of K.
  KrylovBasis(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& g, const solve::Cholesky& factor,
              std::int64_t room, std::int64_t block);

  std::int64_t size() const { return size_; }
  bool full() const { return size_ + width_ > room_; }

  /// V is all that M can tell apart: its Ritz values are exact.
  bool exhausted() const { return width_ == 0; }

  /// Q joins the basis, and the next block is made from A Q.
  void grow();

  struct Ritz {
    std::vector<double> theta;  // eigenvalues of H, descending: approximate the highest of A from below
    Dense vector;               // [size, size]
    std::vector<double> error;  // |A x - theta x| in the M-norm
  };
  Ritz ritz() const;

  /// The basis becomes the leading Ritz vectors. fresh: with a new random block beside them, not the one that
  /// would come next; what has converged is so kept, and what is missing can come in.
  void restart(const Ritz& ritz, std::int64_t kept, bool fresh);

  /// A x / theta of the leading Ritz vectors: a step of inverse iteration, which takes off what unknowns
  /// without mass have gathered unseen by the M-product.
  Dense refined(const Ritz& ritz, std::int64_t count) const;

 private:
  Dense times_mass(const Dense& x) const;
  Dense image(ConstDenseView v, ConstDenseView mv) const;
  Dense solved(std::span<const double> b) const;
  Dense project_off(Dense& w) const;
  Dense append(Dense w, const Dense& share);
  void append_noise();

  const sparse::SymmetricCsr& m_;  // of the product in which all is orthonormal
  const sparse::SymmetricCsr& g_;  // A = factor^-1 g; of vibrations M itself
  const solve::Cholesky& factor_;
  std::int64_t room_;
  std::int64_t block_;
  std::int64_t size_ = 0;   // columns of V
  std::int64_t width_ = 0;  // of Q, which follow them
  Dense v_;                 // [n, room + block]
  Dense mv_;                // M V
  Dense h_;                 // [room, room]
  Dense coupling_;          // [width, size]
  std::uint64_t seed_ = 1;
};

}  // namespace setka::modes
