// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "setka/analysis/solids.hpp"

namespace setka::analysis {

/// Appends the solid of a truss, as CalculiX makes it: a bar of square section, one C3D8I, whose first
/// reference direction runs along the truss. The mean displacement of each end's four corners is that of the
/// truss's node; apart from that the ends turn and deform freely, all but the twist about the axis, so that
/// the bar carries tension and compression alone. An end has eight v of its own for it.
///
/// solids.rows must hold the rows of the mesh's nodes. ends: the truss's two nodes.
void add_truss(std::span<const std::int32_t> ends, double area, Solids& solids);

}  // namespace setka::analysis
