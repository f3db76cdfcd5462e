// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/exec/array.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/region.hpp"

namespace setka::fem {

struct ElementMaterial {
  std::array<double, 36> d{};  // strains to stresses, global axes
  double density = 0;
};

/// The elements of one type on a device, in the order that they have in the set.
class ElementGroup {
 public:
  ElementGroup(const exec::Device& device, Element type, std::vector<std::int32_t> elements,
               const Region& region, std::span<const ElementMaterial> materials,
               std::span<const std::int32_t> material_of);

  Element type() const { return type_; }
  int nodes() const { return nodes_; }
  int dimension() const { return dimension_of(type_); }
  int points() const { return points_; }
  std::int64_t size() const { return static_cast<std::int64_t>(elements_.size()); }
  std::int64_t blocks() const { return (size() + block_lanes - 1) / block_lanes; }
  bool isotropic() const { return isotropic_; }

  /// Numbers of the elements in the set, by their place in the group; on the host.
  std::span<const std::int32_t> elements() const { return elements_; }

  ElementGroupView view(const double* coordinates) const;

 private:
  Element type_;
  int nodes_;
  int points_;
  bool isotropic_ = true;
  std::vector<std::int32_t> elements_;
  exec::Array<std::int32_t> node_;      // [blocks, nodes, 32]
  exec::Array<std::int32_t> material_;  // [blocks, 32]
  exec::Array<double> d_;               // [materials, 36]
  exec::Array<double> lame_;            // [materials, 2]
  exec::Array<double> density_;         // [materials]
  exec::Array<double> reference_;       // gradients, values, weights
};

/// The elements of a model on a device: a group for each type, and for each node the list of its places in
/// the groups, by which sums over elements are taken in a fixed order. Immutable. One D an element, if any;
/// that of plane stress is plane_stress_elasticity().
///
/// Bytes an element of n nodes: 4 (n + 1), and 4 n for the lists.
class ElementSet {
 public:
  /// Geometry alone, for forms that bring their coefficients along. Error(Fault::usage) for elements that are
  /// not integrated, for indices out of range, or where elements have more than 2^31 - 1 nodes together.
  ElementSet(const exec::Device& device, const Region& region);

  /// With materials for elasticity and mass. material_of: [elements] into materials. family_of: [elements], a
  /// small number each, or empty: elements of one type are in one group only where they have the same.
  ElementSet(const exec::Device& device, const Region& region, std::span<const ElementMaterial> materials,
             std::span<const std::int32_t> material_of, std::span<const std::int32_t> family_of = {});

  const exec::Device& device() const { return coordinates_.device(); }
  std::int64_t node_count() const { return coordinates_.size() / 3; }
  std::int64_t element_count() const { return elements_; }
  bool has_materials() const { return has_materials_; }
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
  bool has_materials_;
  std::vector<ElementGroup> groups_;
  std::vector<std::int64_t> first_slot_{0};
  exec::Array<std::int64_t> first_of_node_;
  exec::Array<std::int32_t> slot_;
};

}  // namespace setka::fem
