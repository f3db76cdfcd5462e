// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/array.hpp"
#include "setka/fem/element_set.hpp"

namespace setka::fem {

/// [nodes], on the device of the set, which has materials; 0 for nodes without elements. Positive on every
/// solid, and whole.
exec::Array<double> lumped_mass(const ElementSet& set);

}  // namespace setka::fem
