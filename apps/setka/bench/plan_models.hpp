// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Decks whose runs are predicted and measured.
namespace setka::bench {

struct PlanModel {
  std::string shape;  // an example ("block", "pump", "plate-with-hole", "roof"), or "part", "thin", "frame"
  std::string element;
  std::int64_t size = 10000;  // unknowns, about
  std::int64_t modes = 0;     // so many frequencies in the place of the static step
  bool fits = false;          // constants were learnt from it; else it was never used for that

  /// "part-C3D10-20000-modes10", which its files are called
  std::string name() const;
};

/// part: a quarter of a bent bar of tetrahedra whose inner nodes are moved and whose numbers are scattered,
/// as mesh generators have them. thin: a plate a hundred times as wide as thick, of shells or of one layer of
/// solids. frame: storeys of beams.
void write_plan_model(const PlanModel& model, const std::filesystem::path& deck);

/// Five kinds of shapes from a thousand unknowns on, static and modes, in two halves that take turns.
/// largest: unknowns. quick: a few small ones.
std::vector<PlanModel> plan_models(std::int64_t largest, bool quick);

}  // namespace setka::bench
