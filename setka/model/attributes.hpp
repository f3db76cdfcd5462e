// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/model/model.hpp"

/// What sets give to nodes and elements, one by one; where several do, the last holds.
namespace setka::model {

/// [nodes] position in model.transforms, or -1
std::vector<std::int32_t> transforms_of_nodes(const Model& model);

/// [elements] position in model.sections, or -1
std::vector<std::int32_t> sections_of_elements(const Model& model);

/// [elements] position in model.springs, or -1
std::vector<std::int32_t> springs_of_elements(const Model& model);

/// [elements] position in model.orientations, or -1
std::vector<std::int32_t> orientations_of_elements(const Model& model);

/// [elements] position in model.materials, or -1
std::vector<std::int32_t> materials_of_elements(const Model& model);

/// Elements that neither a section nor *SPRING tells what they are made of.
std::vector<std::int32_t> elements_without_section(const Model& model);

}  // namespace setka::model
