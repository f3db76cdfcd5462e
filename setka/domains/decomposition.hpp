// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setka/domains/partition.hpp"
#include "setka/exec/team.hpp"
#include "setka/fem/region.hpp"

namespace setka::domains {

/// What two parts tell each other: values of nodes that one owns and the other computes with.
struct Exchange {
  int with = 0;                       // the other part
  std::vector<std::int32_t> send;     // positions in Part::nodes, owned ones, ascending by global node
  std::vector<std::int32_t> receive;  // the same, ghosts: what the other sends, in its order
};

/// What a part computes: the rows of the nodes that it owns. For that it has all elements of these nodes,
/// those at its border twice in the team, so that a row is summed in one place and in one order.
struct Part {
  /// Global numbers: owned inner nodes, whose elements have owned nodes alone; owned boundary nodes, which
  /// others need; ghosts, by owner. Ascending in each.
  std::vector<std::int32_t> nodes;
  std::int32_t inner_nodes = 0;
  std::int32_t owned_nodes = 0;  // inner and boundary ones

  /// Global numbers: those of owned nodes alone, then those with ghosts. Ascending in both.
  std::vector<std::int32_t> elements;
  std::int32_t inner_elements = 0;

  std::int32_t own_elements = 0;  // that the partition gave it: of each element one part

  std::vector<Exchange> neighbours;  // ascending

  std::int32_t boundary_nodes() const { return owned_nodes - inner_nodes; }
  std::int32_t ghosts() const { return static_cast<std::int32_t>(nodes.size()) - owned_nodes; }
};

/// A region in parts.
class Decomposition {
 public:
  /// By the parts of elements: a node belongs to one of the parts of its elements, and all nodes between the
  /// same parts to the same one, so that parts in a row own one of their two borders each. A node without
  /// elements belongs to part 0.
  static Decomposition by_elements(const fem::Region& region, const Partition& elements, int threads = 1);

  /// For the devices of a team, whose elements weigh as their shares.
  static Decomposition for_team(const fem::Region& region, const exec::Team& team, int threads);

  /// By the parts of nodes: an element belongs to the part that owns most of its nodes, of several the first.
  static Decomposition by_nodes(const fem::Region& region, const Partition& nodes);

  int count() const { return static_cast<int>(parts_.size()); }
  const Part& part(int p) const { return parts_[static_cast<std::size_t>(p)]; }
  std::span<const std::int32_t> owner_of_node() const { return owner_; }
  std::span<const std::int32_t> part_of_element() const { return of_element_; }

  /// Nodes that more than one part computes with.
  std::int64_t shared_nodes() const;

 private:
  Decomposition(const fem::Region& region, int parts, std::vector<std::int32_t> owner,
                std::vector<std::int32_t> of_element, int threads);

  std::vector<std::int32_t> owner_;       // [nodes]
  std::vector<std::int32_t> of_element_;  // [elements]
  std::vector<Part> parts_;
};

/// How many pieces the elements of each part fall into: those of a piece hang together by nodes.
std::vector<std::int32_t> pieces_of_parts(const fem::Region& region, const Decomposition& decomposition);

}  // namespace setka::domains
