// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>

#include "setka/model/model.hpp"

namespace setka::fem {

/// The axes of a local system at a point: row i is local axis i in global components.
using Axes = std::array<std::array<double, 3>, 3>;

/// Throws Error(Fault::input) with the system's line where it has no direction there: a and b in line, or a
/// point on the axis of a cylinder.
Axes axes_at(const model::Model& model, const model::LocalSystem& system, std::span<const double, 3> point);

/// [6 x 6], row-major: global stress = M local stress, both xx yy zz xy xz yz. A stiffness D in local axes is
/// M D M' in global ones.
std::array<double, 36> stress_rotation(const Axes& axes);

}  // namespace setka::fem
