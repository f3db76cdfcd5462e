// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/analysis/element_run.hpp"
#include "setka/analysis/setup.hpp"

namespace setka::analysis {

/// From integration points to the nodes of the solids: extrapolated in each element, then the mean over the
/// elements of a node. at_points: [points, components]; returns [solid nodes, components], zero where no
/// element with points is. Of a run: the points are those of the run, and what is returned is of all.
std::vector<double> solid_node_values(const Setup& setup, int components,
                                      const std::vector<double>& at_points, int threads);
std::vector<double> solid_node_values(const Setup& setup, const ElementRun& run, int components,
                                      const std::vector<double>& at_points, int threads);

/// From the nodes of the solids to those that results have (Setup::result_nodes()): a node with copies takes
/// the mean of theirs, as over a parabola across a surface and of the corners of a beam's section; where
/// copies have values of their own, a node that solids have keeps its own. values: [solid nodes, components]
std::vector<double> mesh_node_values(const Setup& setup, int components, std::vector<double> values);

}  // namespace setka::analysis
