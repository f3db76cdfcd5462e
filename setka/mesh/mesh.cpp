// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/mesh/mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::mesh {

std::int32_t LabelMap::find(std::int64_t label) const {
  if (label >= 0 && label < static_cast<std::int64_t>(table_.size())) {
    const std::int32_t position = table_[static_cast<std::size_t>(label)];
    if (position != none) return position;
  }
  if (rest_.empty() || label > INT32_MAX || label < INT32_MIN) return none;
  const auto found = rest_.find(static_cast<std::int32_t>(label));
  return found == rest_.end() ? none : found->second;
}

void LabelMap::set(std::int32_t label, std::int32_t position) {
  ++known_;
  // A table of up to four times as many entries as numbers costs less than a hash map of them.
  const std::int64_t most = std::max<std::int64_t>(1024, 4 * known_);
  if (label >= 0 && label < most) {
    const auto at = static_cast<std::size_t>(label);
    if (at == table_.size()) {  // one after the other, nearly always
      table_.push_back(position);
      return;
    }
    if (at > table_.size()) table_.resize(at + 1, none);
    table_[at] = position;
  } else {
    rest_[label] = position;
  }
}

std::int32_t Mesh::add_node(std::int32_t label, double x, double y, double z) {
  std::int32_t node = label > highest_node_label_ ? LabelMap::none : node_map_.find(label);
  if (node == LabelMap::none) {
    node = node_count();
    node_map_.set(label, node);
    highest_node_label_ = std::max(highest_node_label_, label);
    node_labels_.push_back(label);
    coordinates_.insert(coordinates_.end(), {x, y, z});
  } else {
    std::copy_n(std::array{x, y, z}.begin(), 3, coordinates_.begin() + 3 * static_cast<std::ptrdiff_t>(node));
  }
  return node;
}

std::int32_t Mesh::add_element(std::int32_t label, Cell cell, std::span<const std::int32_t> nodes,
                               std::uint8_t attribute) {
  const int wanted = mesh::node_count(cell);
  require(static_cast<int>(nodes.size()) == wanted, [&] {
    return fmt::format("element {}: {} nodes given, {} has {}", label, nodes.size(), name(cell), wanted);
  });
  const std::int32_t known = element_map_.find(label);
  if (known != LabelMap::none) {
    require(mesh::node_count(cells_[static_cast<std::size_t>(known)]) == wanted,
            [&] { return fmt::format("element {} is given twice, with different numbers of nodes", label); });
    cells_[static_cast<std::size_t>(known)] = cell;
    attributes_[static_cast<std::size_t>(known)] = attribute;
    std::copy(nodes.begin(), nodes.end(), nodes_.begin() + first_node_[static_cast<std::size_t>(known)]);
    return known;
  }
  const std::int32_t element = element_count();
  element_map_.set(label, element);
  element_labels_.push_back(label);
  cells_.push_back(cell);
  attributes_.push_back(attribute);
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  first_node_.push_back(static_cast<std::int64_t>(nodes_.size()));
  return element;
}

void Mesh::reserve(std::int64_t nodes, std::int64_t elements, std::int64_t element_nodes) {
  node_labels_.reserve(static_cast<std::size_t>(nodes));
  coordinates_.reserve(3 * static_cast<std::size_t>(nodes));
  node_map_.reserve(nodes + 1);  // numbers begin with 1, nearly always
  element_labels_.reserve(static_cast<std::size_t>(elements));
  cells_.reserve(static_cast<std::size_t>(elements));
  attributes_.reserve(static_cast<std::size_t>(elements));
  first_node_.reserve(static_cast<std::size_t>(elements) + 1);
  element_map_.reserve(elements + 1);
  nodes_.reserve(static_cast<std::size_t>(element_nodes));
}

}  // namespace setka::mesh
