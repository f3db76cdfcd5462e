// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/analysis/expanded_node.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/region.hpp"
#include "setka/mesh/mesh.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// The solid over all of an element that several make up (element_parts.hpp): loads on faces are its.
struct Whole {
  std::int32_t element = -1;
  fem::Element type{};
  std::vector<std::int32_t> nodes;
};

/// A node of such a part: what the whole has at it, as multiples of what its nodes have.
struct PartNode {
  std::int32_t node = -1;
  std::vector<fem::Term> share;
};

/// The elements an analysis computes with: solids and springs. Elements of three dimensions are those of the
/// mesh; plane and axisymmetric ones become a layer of solids, as in CalculiX, whose nodes follow those of
/// the mesh: one thickness of plane elements, two degrees about the y axis of axisymmetric ones. A truss
/// becomes a bar (truss.hpp), shells and beams become solids about their surface or line (expansion.hpp).
/// Element e here is element e of the mesh, or the first of the parts that make it up; the others follow
/// those of the mesh.
///
/// The displacements u of the solids' nodes are multiples of v, "what the user moves": three directions of
/// each node of the mesh, in its own axes where *TRANSFORM gives some, then one thickness change for each
/// node of plane stress, what deforms the ends of trusses, and what turns and deforms the sections of shells
/// and beams at their nodes.
struct Solids {
  std::vector<double> coordinates;          // [nodes, 3]
  std::vector<fem::Element> type;           // [elements], solids and springs
  std::vector<std::int64_t> first_node{0};  // [elements + 1]
  std::vector<std::int32_t> node;

  std::vector<std::int32_t> origin;  // [nodes beyond those of the mesh] the node of the mesh they stand over
  std::vector<std::int32_t>
      turning_copies;  // those of them that turn by v of their own: of trusses, shells, beams
  std::vector<std::int32_t> amid_surfaces;  // those amid the thickness of a surface at its corners
  std::vector<std::int32_t> amid_sides;     // those amid the sides of a beam's section
  std::vector<ExpandedNode> expanded;       // of shells and beams, by node

  std::vector<Whole> wholes;               // of elements in parts, by element
  std::vector<PartNode> part_nodes;        // of these parts, by node
  std::vector<std::int32_t> part_of;       // [elements beyond those of the mesh] the element they are part of
  std::vector<std::int32_t> part_section;  // likewise, into Model::sections
  std::vector<std::int8_t> copy_is_idle;   // [origin] whether no solid has it; empty: there are none

  std::int32_t user_dofs = 0;                // number of v
  std::vector<std::vector<fem::Term>> rows;  // [3 nodes] u in v; empty when u = v
  std::vector<std::int8_t> first_face;  // [elements] solid face of the element's face 0: 0, or 2 for a layer
  std::vector<double> force_share;      // [mesh nodes] of a user's force that acts on the solids: 1, or 1/180
  std::vector<std::int32_t> fixed_user_dofs;  // v that are zero by the kind of element
  std::vector<std::int32_t> idle_user_dofs;   // v without stiffness: of nodes that no element, and no
                                              // superelement, has; of rotations of a knot about its line

  /// Appends a node that stands for a node of the mesh; returns its position.
  std::int32_t add_copy(std::int32_t of, const std::array<double, 3>& place,
                        std::array<std::vector<fem::Term>, 3> in_v);

  /// The node of the mesh that a node stands for.
  std::int32_t origin_of(std::int32_t of) const {
    const auto own = static_cast<std::size_t>(node_count()) - origin.size();
    const auto n = static_cast<std::size_t>(of);
    return n < own ? of : origin[n - own];
  }

  std::int32_t mesh_element_count() const {
    return element_count() - static_cast<std::int32_t>(part_of.size());
  }

  /// The element of the mesh that an element is, or is part of.
  std::int32_t mesh_element(std::int32_t element) const {
    const std::int32_t beyond = element - mesh_element_count();
    return beyond < 0 ? element : part_of[static_cast<std::size_t>(beyond)];
  }

  /// Numbers from first up to last, of the parts of an element of the mesh besides the first one.
  std::array<std::int32_t, 2> further_parts(std::int32_t mesh_element) const;

  /// Null where the element is one solid.
  const Whole* whole(std::int32_t mesh_element) const;

  /// The solid that loads on an element, or on its faces, act on: its nodes and type.
  std::span<const std::int32_t> loaded_nodes(std::int32_t mesh_element) const;
  fem::Element loaded_type(std::int32_t mesh_element) const;

  /// That of a node; null where no shell and no beam has it.
  const ExpandedNode* expanded_node(std::int32_t of) const;

  /// A direction of a node of the mesh, its own axis 0, 1 or 2, in global components.
  std::array<double, 3> axis_of(std::int32_t mesh_node, std::int32_t direction) const;

  fem::Region region() const { return {coordinates, type, first_node, node}; }
  std::int32_t node_count() const { return static_cast<std::int32_t>(coordinates.size() / 3); }
  std::int32_t element_count() const { return static_cast<std::int32_t>(type.size()); }
  std::span<const std::int32_t> nodes(std::int32_t element) const {
    const auto e = static_cast<std::size_t>(element);
    return {node.data() + first_node[e], static_cast<std::size_t>(first_node[e + 1] - first_node[e])};
  }
};

/// A value at each node of the mesh, at the solids' nodes that stand for it; values of the solids' nodes stay
/// as they are, and none stay none.
std::vector<double> on_solid_nodes(const Solids& solids, std::span<const double> at_nodes);

/// section_of: [elements] into model.sections; -1: none, as springs have, and the thickness of a layer or the
/// area of a truss is 1.
Solids make_solids(const model::Model& model, std::span<const std::int32_t> section_of);

}  // namespace setka::analysis
