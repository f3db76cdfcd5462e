// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bench/modes.hpp"
#include "json.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::app {

/// What `setka bench modes` is told beside what every bench is.
struct BenchModesOptions {
  std::string model;    // empty: the pump, and the block of subspace
  std::string element;  // empty: C3D8I for the pump, C3D8 for the block
  int modes = bench::PaperModes{}.modes;
  std::string method = "lobpcg";      // or subspace
  std::string operator_kind = "all";  // of subspace: assembled, elements, matrix-free or all
};

/// size: unknowns, a whole number; 0: the paper's on a GPU, 50 000 on a CPU. Error(Fault::usage) for what
/// cannot be measured.
bench::ModesRequest modes_request(const BenchModesOptions& options, double size, bool quick, bool on_gpu);

void print_modes_head(const exec::Device& device, const bench::ModesRequest& request);
/// Subspace iteration with each operator that is asked for: prints it where talk, and returns it for --json.
/// converged: false where one did not.
nlohmann::ordered_json bench_subspace(const BenchModesOptions& options, const bench::ModesRequest& request,
                                      const exec::Device& device, bool talk, bool& converged,
                                      Monitor& monitor);

void print(const bench::ModesRow& row);
nlohmann::ordered_json to_json(const bench::ModesRow& row);

}  // namespace setka::app
