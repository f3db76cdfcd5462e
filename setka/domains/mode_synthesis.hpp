// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/base/dense.hpp"
#include "setka/base/monitor.hpp"
#include "setka/domains/craig_bampton.hpp"
#include "setka/modes/modes.hpp"
#include "setka/sparse/csr.hpp"

namespace setka::domains {

/// A reduced part, and where its boundary lies.
struct PlacedPart {
  CraigBampton part;
  std::vector<std::int32_t> interface;  // [boundary] the unknown of the common interface that each is
};

/// Parts joined at a common interface: component mode synthesis.
///
/// The unknowns are the modes of each part and, in place of the unknowns of the interface, the lowest modes X
/// of the interface when all that is inner follows it statically (S X = N X mu, both summed over the parts):
/// large interfaces have far more unknowns than motions that low modes need.
class ModeSynthesis {
 public:
  /// stiffness, mass: what the interface has of its own, beside what parts bring; without entries where all
  /// of it is the parts'. interface_modes: at most; 0 keeps the unknowns of the interface as they are.
  ModeSynthesis(std::vector<PlacedPart> parts, const sparse::SymmetricCsr& stiffness,
                const sparse::SymmetricCsr& mass, std::int64_t interface_modes, Monitor& monitor);

  std::int64_t interface_count() const { return interface_count_; }
  /// Unknowns that stand for the interface: its modes, or all of it.
  std::int64_t interface_modes() const { return size() - first_.back(); }

  /// Reduced unknowns: modes of parts, one part after the other, then those of the interface.
  std::int64_t size() const { return stiffness_.rows; }
  const sparse::SymmetricCsr& stiffness() const { return stiffness_; }
  const sparse::SymmetricCsr& mass() const { return mass_; }

  /// The lowest modes of the reduced model; shapes over its unknowns.
  modes::Modes modes(std::int64_t count, Monitor& monitor) const;

  /// What shapes of the reduced model are at the interface, and inside of part p. shapes: [size, columns]
  Dense at_interface(ConstDenseView shapes) const;
  Dense inside(std::size_t p, ConstDenseView shapes) const;

 private:
  void assemble(const sparse::SymmetricCsr& s, const sparse::SymmetricCsr& n);

  std::vector<PlacedPart> parts_;
  std::vector<std::int64_t> first_;  // [parts + 1] unknown of each part's modes; then of the interface's
  std::int64_t interface_count_ = 0;
  bool reduced_interface_ = false;
  Dense interface_;  // X: [interface, modes], where it is reduced
  sparse::SymmetricCsr stiffness_;
  sparse::SymmetricCsr mass_;
};

}  // namespace setka::domains
