// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/exec/device.hpp"
#include "setka/fem/element_material.hpp"
#include "setka/fem/element_set.hpp"
#include "setka/fem/form.hpp"

namespace setka::analysis {

/// Materials as forms take them. density: 0 where the material has none.
struct ElementMaterials {
  std::vector<fem::ElementMaterial> materials;
  std::vector<std::int32_t> material_of;  // [elements], or [points] where one varies within some element
  std::string trouble;                    // why some element has none; empty: all is well

  std::shared_ptr<const fem::Form> elasticity(const std::shared_ptr<const fem::ElementSet>& set) const;
  std::shared_ptr<const fem::Form> mass(const std::shared_ptr<const fem::ElementSet>& set) const;

  /// Those of some elements, in their order.
  ElementMaterials of_elements(const Setup& setup, std::span<const std::int32_t> elements) const;
};

ElementMaterials element_materials(const Setup& setup, const ElementState& state);

/// The elasticity of all elements on a device; none where some element has no material, as springs have none.
std::shared_ptr<const fem::Form> elastic_form_on(const exec::Device& device, const Setup& setup,
                                                 const ElementState& state);

}  // namespace setka::analysis
