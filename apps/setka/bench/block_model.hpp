// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "setka/exec/device.hpp"
#include "setka/fem/constraints.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/elements.hpp"
#include "setka/fem/form.hpp"
#include "setka/fem/region.hpp"
#include "setka/fem/space.hpp"

namespace setka::bench {

/// A block of cells along three axes (two for plane types) with the side 1 a cell, of steel (E = 2.1e11,
/// nu = 0.3, density 7800).
struct BlockModel {
  std::vector<double> coordinates;
  std::vector<fem::Element> type;
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int32_t> node;
  std::vector<std::int32_t> material_of;
  std::vector<fem::ElementMaterial> materials;

  std::int64_t elements() const { return static_cast<std::int64_t>(type.size()); }
  std::int64_t nodes() const { return static_cast<std::int64_t>(coordinates.size() / 3); }
  int dimension() const { return fem::dimension_of(type.front()); }
  fem::Region region() const { return {coordinates, type, first_node, node}; }

  /// On elements of its own.
  std::shared_ptr<const fem::Form> stiffness(const exec::Device& device) const;
  std::shared_ptr<const fem::Form> mass(const std::shared_ptr<const fem::ElementSet>& set) const;
};

enum class PlaneState { stress, strain };

BlockModel block_model(fem::Element type, std::array<int, 3> cells, PlaneState state = PlaneState::stress);

/// What decks call it, by which engineers know it: "C3D8"; plane elements are those of plane stress.
std::string_view label(fem::Element element, PlaneState plane = PlaneState::stress);

/// Displacements, as many as the elements have dimensions. The model outlives it.
fem::Space space_of(const BlockModel& model, const fem::Constraints& constraints);

/// All components of the nodes at x = 0 fixed.
fem::Constraints fixed_at_x0(const BlockModel& model);

}  // namespace setka::bench
