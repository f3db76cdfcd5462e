// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "setka/analysis/setup.hpp"
#include "setka/analysis/stiffness.hpp"
#include "setka/plan/deck_counts.hpp"

namespace setka::analysis {

/// Unknowns up to which a factorisation is analysed; beyond, its size is taken from the matrix's, and no run
/// chooses one by itself.
inline constexpr std::int64_t analysed_max_unknowns = 60000;

/// What the steps of a deck will have to do: unknowns after constraints and entries of matrices as they will
/// be, exactly, in some tenths of a second for a million nodes. Nothing is assembled. Steps whose unknowns
/// follow from what earlier ones compute (*BOUNDARY, FIXED) are counted as if that were zero. Errors are
/// those that a run would end with in its constraints.
plan::DeckCounts count_deck(const Setup& setup, const Computing& computing);

}  // namespace setka::analysis
