// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/analysis/element_state.hpp"
#include "setka/analysis/setup.hpp"
#include "setka/fem/element_set.hpp"

namespace setka::analysis {

/// Materials as element operators take them: one a element, the same at all of its points. density: 0 where
/// the material has none.
struct UniformElements {
  std::vector<fem::ElementMaterial> materials;
  std::vector<std::int32_t> material_of;  // [elements]
  std::string trouble;                    // why some element has none; empty: all is well
};

UniformElements uniform_elements(const Setup& setup, const ElementState& state);

}  // namespace setka::analysis
