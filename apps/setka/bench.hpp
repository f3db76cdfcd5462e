// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "bench_domains.hpp"
#include "bench_modes.hpp"
#include "command_line.hpp"

namespace setka::app {

struct BenchOptions {
  std::string what;  // integration, products, dynamics, projection, modes, models, plan, sweeps or domains
  bool quick = false;
  double size = 0;              // unknowns of the projection's or modes' model; 0: what suits
  double max_seconds = 12;      // of one solve of products
  cli::Option* json = nullptr;  // --json [FILE]
  std::string json_file;        // empty: standard output
  std::string plot;             // of models, SVG; empty: none
  std::string only;             // of models, one part; empty: all
  BenchModesOptions modes;
  BenchDomainsOptions domains;
};

/// With the options of every command; --json may name a file here.
cli::App* add_bench_command(cli::App& cli, BenchOptions& options, CommonOptions& common);

/// setka bench integration|products|dynamics|projection|modes|models|plan|sweeps|domains: the papers' tables,
/// measured on this machine.
int run_bench(const BenchOptions& options, const CommonOptions& common, const DeviceOptions& device,
              Monitor& monitor);

}  // namespace setka::app
