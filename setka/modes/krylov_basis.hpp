// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "setka/solve/cholesky.hpp"
#include "setka/sparse/csr.hpp"

// Not installed: Eigen is not in public headers.
namespace setka::modes {

/// The block Krylov space of A = (K - sigma M)^-1 M, with full orthogonalisation in the M-product, where A is
/// symmetric, and thick restarts. At any time
///
///     A V = V H + Q C,   V'MV = I,   V'MQ = 0,   H symmetric,
///
/// with V the basis, Q the block that comes next and C what couples them. H is projected explicitly, column
/// by column, so that restarts and blocks from elsewhere need no special treatment.
class KrylovBasis {
 public:
  using Matrix = Eigen::MatrixXd;

  KrylovBasis(const sparse::SymmetricCsr& m, const solve::Cholesky& factor, Eigen::Index room,
              Eigen::Index block);

  Eigen::Index size() const { return size_; }
  bool full() const { return size_ + width_ > room_; }

  /// V is all that M can tell apart: its Ritz values are exact.
  bool exhausted() const { return width_ == 0; }

  /// Q joins the basis, and the next block is made from A Q.
  void grow();

  struct Ritz {
    Eigen::VectorXd theta;  // eigenvalues of H, descending: approximate the highest of A from below
    Matrix vector;          // [size, size]
    Eigen::VectorXd error;  // |A x - theta x| in the M-norm
  };
  Ritz ritz() const;

  /// The basis becomes the leading Ritz vectors. fresh: with a new random block beside them, not the one that
  /// would come next; what has converged is so kept, and what is missing can come in.
  void restart(const Ritz& ritz, Eigen::Index kept, bool fresh);

  /// A x / theta of the leading Ritz vectors: a step of inverse iteration, which takes off what unknowns
  /// without mass have gathered unseen by the M-product.
  Matrix refined(const Ritz& ritz, Eigen::Index count) const;

 private:
  Matrix times_mass(const Matrix& x) const;
  Matrix solved(const Matrix& b) const;
  Matrix project_off(Matrix& w) const;
  Matrix append(Matrix w, const Matrix& share);
  void append_noise();

  const sparse::SymmetricCsr& m_;
  const solve::Cholesky& factor_;
  Eigen::Index room_;
  Eigen::Index block_;
  Eigen::Index size_ = 0;   // columns of V
  Eigen::Index width_ = 0;  // of Q, which follow them
  Matrix v_;                // [n, room + block]
  Matrix mv_;               // M V
  Matrix h_;                // [room, room]
  Matrix coupling_;         // [width, size]
  std::uint64_t seed_ = 1;
};

}  // namespace setka::modes
