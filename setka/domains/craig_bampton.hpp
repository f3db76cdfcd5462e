// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/condensation.hpp"
#include "setka/modes/modes.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::domains {

/// The lowest modes as vectors of a basis: roughly, and without looking for missing ones. As many as there
/// are where those are fewer; Error(Fault::input) where none can be had.
modes::Modes basis_modes(const sparse::SymmetricCsr& k, const sparse::SymmetricCsr& m, std::int64_t count,
                         Monitor& monitor);

/// A part of a structure with fewer unknowns (Craig and Bampton 1968): x_i = Psi x_b + Phi q, with the
/// constraint modes Psi = -K_ii^-1 K_ib and the lowest modes Phi of the part whose boundary is held.
///
/// Phi' M_ii Phi = 1 and Phi' K_ii Phi = Lambda, and Psi couples to Phi through the mass alone:
///
///     K = [S 0; 0 Lambda], M = [N C'; C 1] over (x_b, q).
///
/// Psi, which has an entry for every pair of inner and boundary unknowns, is never kept: the factorisation of
/// K_ii takes its place, twice a column, since Psi' W = -K_bi K_ii^-1 W.
class CraigBampton {
 public:
  /// K and M split alike; `modes` of the held part, or all that there are. Error(Fault::input) where
  /// something is loose although the boundary is held.
  CraigBampton(SplitMatrix k, SplitMatrix m, std::int64_t modes, Monitor& monitor);

  std::int64_t inner_count() const { return condensation_->inner_count(); }
  std::int64_t boundary_count() const { return condensation_->boundary_count(); }
  std::int64_t mode_count() const { return static_cast<std::int64_t>(lambda_.size()); }

  const Dense& stiffness() const { return stiffness_; }       // S: [boundary, boundary]
  const Dense& mass() const { return mass_; }                 // N: [boundary, boundary]
  const Dense& coupling() const { return coupling_; }         // C: [modes, boundary]
  std::span<const double> lambda() const { return lambda_; }  // the diagonal of Lambda, ascending

  /// x_i = Psi x_b + Phi q. boundary: [boundary, columns]; q: [modes, columns]
  Dense inner(const Dense& boundary, ConstDenseView q) const;

 private:
  std::unique_ptr<Condensation> condensation_;
  Dense stiffness_;
  Dense mass_;
  Dense coupling_;
  Dense phi_;  // [inner, modes]
  std::vector<double> lambda_;
};

}  // namespace setka::domains
