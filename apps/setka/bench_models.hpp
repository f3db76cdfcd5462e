// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::app {

struct BenchModelsOptions {
  bool quick = false;
  std::string only;  // one of model_part_names(); empty: all
  std::string plot;  // an SVG file to write; empty: none
  bool talk = true;
};

std::vector<std::string> model_part_names();

/// Gets what there is so far, as each part ends.
using KeepJson = std::function<void(const nlohmann::ordered_json&)>;

/// setka bench models: what the models predict against what is measured, on one device. The profile is that
/// of the machine, or measured first where there is none. A run that is interrupted keeps its points.
nlohmann::ordered_json bench_models(const exec::Device& device, const BenchModelsOptions& options,
                                    const KeepJson& keep, Monitor& monitor);

}  // namespace setka::app
