// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>

#include "setka/model/model.hpp"

namespace setka::model {

/// Row i: the i-th local direction in global components; orthonormal and right-handed.
using Axes = std::array<std::array<double, 3>, 3>;

/// Whether the points a and b of a system span one: two different points of an axis; two vectors that are not
/// zero and not parallel (the sine of their angle above 1e-12). Their size is no matter.
bool spans_axes(const LocalSystem& system);

/// The directions of a local system at a point: radial, tangential and axial where it is cylindrical. On the
/// axis of a cylindrical system the radial direction is any one across it. Where spans_axes() is false, an
/// Error(Fault::input) without a line: a reader asks first, and names the line.
Axes axes_at(const LocalSystem& system, std::span<const double, 3> point);

/// Components along the local directions.
std::array<double, 3> to_local(const Axes& axes, std::span<const double, 3> vector);
/// xx yy zz xy xz yz
std::array<double, 6> to_local(const Axes& axes, std::span<const double, 6> tensor);

}  // namespace setka::model
