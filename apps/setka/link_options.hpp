// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "cli.hpp"
#include "setka/plan/profile.hpp"

namespace setka::app {

/// Between two devices of those that a prediction is about; what is empty was not given.
struct LinkOptions {
  std::optional<double> rate;     // GB/s
  std::optional<double> latency;  // microseconds

  bool given() const { return rate || latency; }

  /// With plan::usual_link() for what was not given; Error(Fault::usage) where it is no link.
  plan::Transfer link(bool gpu) const;
};

void add_link_options(cli::App& command, LinkOptions& options, const char* group);

}  // namespace setka::app
