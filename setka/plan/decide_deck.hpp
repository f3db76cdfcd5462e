// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "setka/plan/deck_formulas.hpp"

namespace setka::plan {

/// Where a deck may be computed.
struct DeckPlace {
  const DeviceProfile* profile = nullptr;
  std::uint64_t host_memory = 0;    // that may be taken, what the process has already included
  std::uint64_t device_memory = 0;  // of a GPU
  std::uint64_t resident = 0;       // bytes of the process when the deck is read
};

/// What is left to choose; none: the plan chooses.
struct DeckWishes {
  std::optional<LinearWay> linear;
  std::optional<ModesWay> modes;
  bool can_factorise = true;
  std::optional<DeckWay>
      usual;  // by sizes alone: taken unless another is faster by more than predictions err
};

struct DeckDecision {
  std::vector<Choice> choices;        // as those of grids
  std::vector<DeckWay> ways;          // [choices]
  std::optional<std::size_t> chosen;  // none: nothing fits
  std::string why;

  const Choice& choice() const { return choices[*chosen]; }
};

/// Every way of one place; the least time among those that fit. Unlike choose() nothing is thrown where none
/// fits: the table is what the user asked for.
DeckDecision decide_deck(const DeckPlace& place, const DeckCounts& counts, const DeckWishes& wishes = {});

/// Unknowns up to which all modes may be computed densely (solve/solver_choices.hpp has what runs do).
inline constexpr double dense_modes_max_unknowns = 500;

/// What does not fit, as a phrase; empty: all does.
std::string lack_of_memory(const Cost& cost, const DeckPlace& place);

}  // namespace setka::plan
