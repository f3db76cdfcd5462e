// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli.hpp"
#include "json.hpp"
#include "link_options.hpp"
#include "setka/base/monitor.hpp"
#include "setka/exec/device.hpp"

namespace setka::app {

/// Of setka bench domains; what is empty was not given.
struct BenchDomainsOptions {
  std::string matrices;  // a folder
  LinkOptions link;

  bool given() const { return !matrices.empty() || link.given(); }
};

void add_domains_options(cli::App& command, BenchDomainsOptions& options);

/// The table of the paper on several GPUs: prints it where talk, and returns it for --json.
nlohmann::ordered_json bench_domains(const exec::Device& device, const BenchDomainsOptions& options,
                                     bool quick, bool talk, bool& converged, Monitor& monitor);

}  // namespace setka::app
