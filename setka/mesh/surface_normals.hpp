// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "setka/mesh/cell.hpp"

namespace setka::mesh {

/// Normals of a triangle or quadrilateral in space at its nodes, by the right hand about the order of its
/// corners; not of unit length: the area of the reference cell's unit square there. x, normals: [nodes, 3]
void surface_normals(Cell cell, std::span<const double> x, std::span<double> normals);

}  // namespace setka::mesh
