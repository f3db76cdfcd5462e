// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "setka/model/model.hpp"

namespace setka::model {

/// What result files show with OUTPUT=3D in the place of a model: the solids that its elements become.
struct ShownSolids {
  Model model;                     // title, mesh, materials and springs
  std::vector<std::int32_t> node;  // [nodes of that mesh] whose values are theirs in the fields of a frame,
                                   // which go on beyond the nodes of the deck's mesh
};

}  // namespace setka::model
