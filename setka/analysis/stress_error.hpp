// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "setka/analysis/element_run.hpp"
#include "setka/analysis/setup.hpp"

namespace setka::analysis {

/// CalculiX's estimate of the error of stresses in percent, [solid nodes]: how much the principal stress of
/// largest size varies over the points of an element, relative to its largest value, through a curve that
/// goes with the type of element; a corner has the largest of its elements, a node amid an edge the mean of
/// the edge's ends. stress: [points, 6].
std::vector<double> stress_errors(const Setup& setup, const std::vector<double>& stress, int threads);

/// The same of stresses at the points of a run, returned of all elements.
std::vector<double> stress_errors(const Setup& setup, const ElementRun& run,
                                  const std::vector<double>& stress, int threads);

/// The same from that variation, in percent, [elements].
std::vector<double> errors_of_variation(const Setup& setup, const std::vector<double>& variation,
                                        int threads);

}  // namespace setka::analysis
