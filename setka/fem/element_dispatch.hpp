// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/mesh/element_type.hpp"

namespace setka::fem {

/// Calls body.operator()<type>() with the type as a constant.
template <class Body>
auto with_solid(std::string_view what, mesh::ElementType type, Body&& body) {
  switch (type) {
    case mesh::ElementType::c3d4:
      return body.template operator()<mesh::ElementType::c3d4>();
    case mesh::ElementType::c3d6:
      return body.template operator()<mesh::ElementType::c3d6>();
    case mesh::ElementType::c3d8:
      return body.template operator()<mesh::ElementType::c3d8>();
    case mesh::ElementType::c3d8i:
      return body.template operator()<mesh::ElementType::c3d8i>();
    case mesh::ElementType::c3d8r:
      return body.template operator()<mesh::ElementType::c3d8r>();
    case mesh::ElementType::c3d10:
      return body.template operator()<mesh::ElementType::c3d10>();
    case mesh::ElementType::c3d15:
      return body.template operator()<mesh::ElementType::c3d15>();
    case mesh::ElementType::c3d20:
      return body.template operator()<mesh::ElementType::c3d20>();
    case mesh::ElementType::c3d20r:
      return body.template operator()<mesh::ElementType::c3d20r>();
    default:
      throw Error(Fault::usage, fmt::format("{}: {} is not a solid element", what, mesh::info(type).name),
                  "the solids are C3D4, C3D6, C3D8, C3D8I, C3D8R, C3D10, C3D15, C3D20, C3D20R");
  }
}

}  // namespace setka::fem
