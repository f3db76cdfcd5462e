// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/region.hpp"

namespace setka::fem {

/// The elements of one type on a device, in the order that they have in the set.
class ElementGroup {
 public:
  ElementGroup(const exec::Device& device, Element type, std::vector<std::int32_t> elements,
               const Region& region);

  Element type() const { return type_; }
  int nodes() const { return nodes_; }
  int dimension() const { return dimension_of(type_); }
  int points() const { return points_; }
  std::int64_t size() const { return static_cast<std::int64_t>(elements_.size()); }
  std::int64_t blocks() const { return (size() + block_lanes - 1) / block_lanes; }

  /// Numbers of the elements in the set, by their place in the group; on the host.
  std::span<const std::int32_t> elements() const { return elements_; }

  /// value(element of the set, i < width), as kernels read them: [blocks, width, 32], the last block filled
  /// up with copies of its last element.
  template <class Value>
  std::vector<std::int32_t> in_lanes(int width, const Value& value) const {
    std::vector<std::int32_t> table(static_cast<std::size_t>(blocks() * width * block_lanes));
    std::size_t to = 0;
    for (std::int64_t b = 0; b < blocks(); ++b) {
      for (int i = 0; i < width; ++i) {
        for (int lane = 0; lane < block_lanes; ++lane) {
          const std::int64_t e = std::min(b * block_lanes + lane, size() - 1);
          table[to++] = value(static_cast<std::size_t>(elements_[static_cast<std::size_t>(e)]), i);
        }
      }
    }
    return table;
  }

  ElementGroupView view(const double* coordinates) const;

 private:
  Element type_;
  int nodes_;
  int points_;
  std::vector<std::int32_t> elements_;
  exec::Array<std::int32_t> node_;  // [blocks, nodes, 32]
  exec::Array<double> reference_;   // gradients, values, weights
};

/// The elements of a model on a device: a group for each type, and for each node the list of its places in
/// the groups, by which sums over elements are taken in a fixed order. Immutable. What elements are made of
/// is a form's to know.
///
/// Bytes an element of n nodes: 4 n, and 4 n for the lists.
class ElementSet {
 public:
  /// family_of: [elements], a small number each, or empty: elements of one type are in one group only where
  /// they have the same. Error(Fault::usage) for elements that are not integrated, for indices out of range,
  /// or where elements have more than 2^31 - 1 nodes together.
  ElementSet(const exec::Device& device, const Region& region, std::span<const std::int32_t> family_of = {});

  const exec::Device& device() const { return coordinates_.device(); }
  std::int64_t node_count() const { return coordinates_.size() / 3; }
  std::int64_t element_count() const { return elements_; }
  const std::vector<ElementGroup>& groups() const { return groups_; }
  ElementGroupView view(std::size_t group) const { return groups_[group].view(coordinates_.data()); }

  /// [nodes, 3] on the device.
  exec::View<const double> coordinates() const { return coordinates_; }

  /// Of the elements: 3 for solids, 2 for plane ones, 0 where there are none.
  int dimension() const { return groups_.empty() ? 0 : groups_.front().dimension(); }

  /// Element vectors: values of all elements' rows, [blocks, nodes, components, 32] a group, one group after
  /// the other. first_slot: where a group begins in a vector of one component.
  std::int64_t element_vector_size(int components) const { return components * first_slot_.back(); }
  std::int64_t first_slot(std::size_t group) const { return first_slot_[group]; }

  /// The slots of a node: node i has slot()[first_of_node()[i] .. first_of_node()[i + 1]), in the order of
  /// groups and elements.
  exec::View<const std::int64_t> first_of_node() const { return first_of_node_; }  // [nodes + 1]
  exec::View<const std::int32_t> slot() const { return slot_; }

 private:
  void list_slots(const Region& region);

  exec::Array<double> coordinates_;
  std::int64_t elements_;
  std::vector<ElementGroup> groups_;
  std::vector<std::int64_t> first_slot_{0};
  exec::Array<std::int64_t> first_of_node_;
  exec::Array<std::int32_t> slot_;
};

}  // namespace setka::fem
