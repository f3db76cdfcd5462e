// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "setka/model/results.hpp"

namespace setka::io::detail {

/// The four tables of a *FREQUENCY step as CalculiX 2.20 has them: eigenvalues of the modes in the range that
/// the user asks for, then participation factors and effective masses of all that were computed.
void print_modes(std::string& text, const model::ModeTable& table);

/// What stands above the tables of a mode's shape.
/// How much of each mode is in the answer to a harmonic load.
void print_factors(std::string& text, double frequency, const std::vector<model::ModeFactor>& factors);

void print_mode_number(std::string& text, int number);

/// The table of a *BUCKLE step.
void print_factors(std::string& text, const model::BucklingTable& table);

}  // namespace setka::io::detail
