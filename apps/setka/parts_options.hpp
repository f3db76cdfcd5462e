// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "cli.hpp"
#include "setka/domains/schwarz.hpp"

namespace setka::app {

/// How a system is solved in parts; what is empty was not given.
struct PartsOptions {
  std::optional<int> parts;
  std::optional<int> overlap;
  std::string schwarz;
  std::string local;
  std::string coarse;

  /// Of --preconditioner schwarz.
  domains::SchwarzOptions of_schwarz() const;

  /// Throws Error(Fault::usage) for those of Schwarz's method that were given without it, and for a number of
  /// parts where nothing is solved in parts.
  void refuse_unused(bool schwarz_chosen, bool in_parts) const;
};

void add_parts_options(cli::App& command, PartsOptions& options);

}  // namespace setka::app
