// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "setka/domains/decomposition.hpp"
#include "setka/domains/row_parts.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/space.hpp"
#include "setka/solve/amg.hpp"

namespace setka::domains {

/// A space in parts, which are spaces themselves: of the elements that a part computes and of their nodes.
/// What is assembled over one has in its first block rows, all of them complete, those that the part owns,
/// and in its columns those and then the ghosts.
///
/// A block of unknowns belongs to the part that owns most of the nodes that move with it. A part computes all
/// elements of these nodes and of the nodes that it owns, so that constraints of any kind may couple nodes of
/// different parts: what an equation ties together is computed by each of the parts that have unknowns of it.
class SpaceParts : public RowParts {
 public:
  /// only: the part whose space is made; -1: all.
  SpaceParts(const fem::Space& space, const Decomposition& decomposition, const exec::Device& cpu,
             int only = -1);

  /// Nodes are in the order of nodes(), blocks in that of the rows and ghosts.
  const fem::Space& space(int p) const { return *locals_[static_cast<std::size_t>(p)]->space; }

  /// The elements of the part's space as the whole numbers them.
  std::span<const std::int32_t> elements(int p) const {
    return locals_[static_cast<std::size_t>(p)]->elements;
  }

  /// Whether it is this one of the parts with its element e that counts it, where each is to count once.
  bool counts(int p, std::int32_t e) const {
    return locals_[static_cast<std::size_t>(p)]->counted[static_cast<std::size_t>(e)] != 0;
  }

  /// And its nodes, in their order; the first ones are those that the part owns, with all their elements.
  std::span<const std::int32_t> nodes(int p) const { return locals_[static_cast<std::size_t>(p)]->nodes; }
  std::int32_t owned_nodes(int p) const { return locals_[static_cast<std::size_t>(p)]->owned_nodes; }

  /// What multigrid is to know of the rows that the part owns. Motions are those of the whole.
  solve::AmgGeometry geometry(int p, const exec::Device& cpu) const;

 private:
  /// What the region of a part stands in.
  struct Local {
    std::vector<double> coordinates;
    std::vector<fem::Element> type;
    std::vector<std::int64_t> first_node{0};
    std::vector<std::int32_t> node;
    std::vector<std::int32_t> elements;
    std::vector<std::int8_t> counted;
    std::vector<std::int32_t> nodes;
    std::int32_t owned_nodes = 0;
    std::vector<double> whole;
    std::unique_ptr<const fem::Space> space;
  };
  using Locals = std::vector<std::unique_ptr<const Local>>;

  struct Made {
    std::vector<RowsOfPart> rows;
    Locals locals;
  };
  class Maker;

  SpaceParts(const fem::Space& space, Made made);

  Locals locals_;
  bool picks_;  // the whole
};

}  // namespace setka::domains
