// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/fem/dof_map.hpp"
#include "setka/fem/element_group_kernel.hpp"
#include "setka/fem/element_set.hpp"

namespace setka::fem {

/// Calls body.operator()<components>() with the number of a field that elements compute with as a constant.
template <class Body>
auto with_field(int components, Body&& body) {
  switch (components) {
#define SETKA_CASE(c) \
  case c:             \
    return body.template operator()<c>();
    SETKA_FIELD_COMPONENTS(SETKA_CASE)
#undef SETKA_CASE
    default:
      throw Error(Fault::usage, "elements compute with fields of 1, 2 or 3 components");
  }
}

/// Whether a field of so many components is one that elements of a dimension compute with.
constexpr bool is_field(int components, int dimension) {
  return components == 1 || components == dimension;
}

/// An Error(Fault::usage), begun by `what`, unless the unknowns are those of a field of so many components at
/// the nodes of the set.
inline void require_field(const char* what, const ElementSet& set, int components, const DofMap& unknowns) {
  require(unknowns.dof_count() == unknowns.components() * set.node_count(), [&] {
    return fmt::format("{}: {} degrees of freedom for {} nodes; {} a node are right", what,
                       unknowns.dof_count(), set.node_count(), unknowns.components());
  });
  require(set.groups().empty() || unknowns.components() == components, [&] {
    return fmt::format("{}: the unknowns have {} components a node, the elements {}", what,
                       unknowns.components(), components);
  });
}

}  // namespace setka::fem
