// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "setka/plan/deck_counts.hpp"
#include "setka/plan/deck_formulas.hpp"

/// What a run of a deck keeps in memory: from counts alone, without a profile.
namespace setka::plan {

/// A large array of the moment at which most is in use.
struct ArrayBytes {
  std::string name;
  double bytes = 0;
  bool on_device = false;
};

struct MemoryPlan {
  std::uint64_t host_peak = 0;
  std::uint64_t device_peak = 0;  // of a GPU's memory; 0 without one
  std::uint64_t disk = 0;         // of .dat, .frd and .vtu
  std::string moment;             // "the factorisation of step 1"
  std::vector<ArrayBytes> arrays;
};

/// resident: bytes of the process when the deck is read, its model included. on_gpu: what iterates is on a
/// GPU.
MemoryPlan memory_of(const DeckCounts& counts, const DeckWay& way, bool on_gpu, std::uint64_t resident);

}  // namespace setka::plan
