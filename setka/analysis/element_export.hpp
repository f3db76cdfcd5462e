// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "setka/analysis/setup.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::analysis {

/// Writes the element matrices of a model for setka project: STEM.stiffness.elements, and STEM.mass.elements
/// where all materials have a density (else a warning says which has none). Unknowns are those that the first
/// *FREQUENCY step leaves, or the first step where there is none, in the order that modes have; what
/// equations and local axes do is applied to each element. Without a preload. Returns the files.
std::vector<std::filesystem::path> write_element_matrices(const Setup& setup,
                                                          const std::filesystem::path& stem,
                                                          const exec::Device& cpu, Monitor& monitor);

}  // namespace setka::analysis
