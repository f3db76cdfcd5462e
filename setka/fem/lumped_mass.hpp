// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setka/exec/array.hpp"
#include "setka/fem/form.hpp"

namespace setka::fem {

/// Of a form of mass with one density an element: [nodes], on its device; 0 for nodes without elements.
/// Positive on every solid, and whole.
exec::Array<double> lumped_mass(const Form& mass);

}  // namespace setka::fem
