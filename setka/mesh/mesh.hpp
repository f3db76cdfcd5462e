// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "setka/mesh/cell.hpp"

namespace setka::mesh {

/// From the numbers that a user gives to the positions where things are stored. Numbers are positive; where
/// they are dense a table answers, else a hash map.
class LabelMap {
 public:
  static constexpr std::int32_t none = -1;

  /// The position of a number, or none.
  std::int32_t find(std::int64_t label) const;

  /// Remembers a position; a number known already gets the new one.
  void set(std::int32_t label, std::int32_t position);
  void reserve(std::int64_t count) { table_.reserve(static_cast<std::size_t>(count)); }

 private:
  std::vector<std::int32_t> table_;  // by number, while numbers are below a few times their count
  std::unordered_map<std::int32_t, std::int32_t> rest_;
  std::int64_t known_ = 0;
};

/// Nodes and elements in the order of the deck. Positions are 0-based and 32 bits; labels are the user's
/// numbers.
class Mesh {
 public:
  std::int32_t node_count() const { return static_cast<std::int32_t>(node_labels_.size()); }
  std::int32_t element_count() const { return static_cast<std::int32_t>(cells_.size()); }
  std::int32_t highest_node_label() const { return highest_node_label_; }  // 0 without nodes

  /// Adds a node, or moves the one that has this label; returns its position.
  std::int32_t add_node(std::int32_t label, double x, double y, double z);

  /// Adds an element whose nodes are positions; a label known already is replaced when the cell is the same
  /// size. Returns its position. The number of nodes must fit the cell. attribute: what the owner of the mesh
  /// knows of the element by, as the kind of element that a deck names; the mesh only keeps it.
  std::int32_t add_element(std::int32_t label, Cell cell, std::span<const std::int32_t> nodes,
                           std::uint8_t attribute = 0);

  std::int32_t find_node(std::int64_t label) const { return node_map_.find(label); }
  std::int32_t find_element(std::int64_t label) const { return element_map_.find(label); }

  std::int32_t node_label(std::int32_t node) const { return node_labels_[static_cast<std::size_t>(node)]; }
  std::int32_t element_label(std::int32_t element) const {
    return element_labels_[static_cast<std::size_t>(element)];
  }
  Cell cell(std::int32_t element) const { return cells_[static_cast<std::size_t>(element)]; }
  std::uint8_t attribute(std::int32_t element) const {
    return attributes_[static_cast<std::size_t>(element)];
  }
  std::span<const std::int32_t> nodes(std::int32_t element) const {
    const auto e = static_cast<std::size_t>(element);
    return {nodes_.data() + first_node_[e], static_cast<std::size_t>(first_node_[e + 1] - first_node_[e])};
  }

  /// [nodes, 3], last index fastest.
  std::span<const double> coordinates() const { return coordinates_; }
  std::span<double> coordinates() { return coordinates_; }
  std::span<const double, 3> coordinates(std::int32_t node) const {
    return std::span<const double, 3>(coordinates_.data() + 3 * static_cast<std::size_t>(node), 3);
  }

  /// Room for so many in all; element_nodes: the nodes of all elements, 0 where that is not known.
  void reserve(std::int64_t nodes, std::int64_t elements, std::int64_t element_nodes = 0);

 private:
  std::vector<std::int32_t> node_labels_;
  std::vector<double> coordinates_;
  LabelMap node_map_;
  std::int32_t highest_node_label_ = 0;

  std::vector<std::int32_t> element_labels_;
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> attributes_;
  std::vector<std::int64_t> first_node_{0};  // [elements + 1] into nodes_
  std::vector<std::int32_t> nodes_;
  LabelMap element_map_;
};

}  // namespace setka::mesh
