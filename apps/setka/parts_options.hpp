// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "cli.hpp"
#include "setka/domains/schwarz.hpp"
#include "setka/domains/substructures.hpp"

namespace setka::app {

/// How a system is solved in parts; what is empty was not given.
struct PartsOptions {
  std::optional<int> parts;
  std::optional<int> overlap;
  std::string schwarz;
  std::string local;
  std::string coarse;
  std::string schur;  // of substructures

  /// Of --preconditioner schwarz.
  domains::SchwarzOptions of_schwarz() const;

  /// Of --solver substructures.
  domains::SubstructureOptions of_substructures() const;

  /// Throws Error(Fault::usage) for options of a method that were given without it.
  void refuse_unused(bool schwarz_chosen, bool substructures_chosen, bool modes_chosen) const;
};

void add_parts_options(cli::App& command, PartsOptions& options);

}  // namespace setka::app
