// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "bench_models.hpp"
#include "command_line.hpp"

namespace setka::app {

struct BenchPlanOptions {
  bool quick = false;
  std::int64_t largest = 0;  // unknowns; 0: what suits the device
  std::string plot;          // an SVG file; empty: none
  bool choices = true;       // also run the ways that were not chosen, to see whether one was better
  bool talk = true;
};

/// setka bench plan: decks are run, each in a process of its own as users run them, and what was predicted is
/// held against what was measured.
nlohmann::ordered_json bench_plan(const DeviceOptions& device, const BenchPlanOptions& options,
                                  const KeepJson& keep);

}  // namespace setka::app
