// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "setka/base/monitor.hpp"

namespace setka::app {

/// [{"name", "seconds", "visits", "parts"}], nested.
inline nlohmann::ordered_json to_json(const StageTime& stage) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const StageTime& part : stage.parts) parts.push_back(to_json(part));
  return {{"name", stage.name}, {"seconds", stage.seconds}, {"visits", stage.visits}, {"parts", parts}};
}

/// What is printed and kept. Names of files and sets may be in any encoding: what JSON cannot hold becomes
/// U+FFFD, since no run is to fail by a name when its work is done.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace setka::app
