// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "setka/base/monitor.hpp"

namespace setka::app {

/// [{"name", "seconds", "visits", "parts"}], nested.
inline nlohmann::ordered_json to_json(const StageTime& stage) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const StageTime& part : stage.parts) parts.push_back(to_json(part));
  return {{"name", stage.name}, {"seconds", stage.seconds}, {"visits", stage.visits}, {"parts", parts}};
}

}  // namespace setka::app
