// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "setka/analysis/setup.hpp"
#include "setka/model/shown_solids.hpp"

namespace setka::analysis {

/// What result files show with OUTPUT=3D (Setup::shows_solids); null: the mesh of the deck.
///
/// Nodes have the numbers of CalculiX 2.20: beyond those of the deck, node by node, three across a surface
/// and eight in the section of a beam, also where no element has them, and gaps where sections meet in a
/// knot. Layers, fibres of pipes and boxes are elements beyond those of the deck, with nodes beyond all
/// others.
std::shared_ptr<const model::ShownSolids> shown_solids(const Setup& setup);

}  // namespace setka::analysis
