// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "parts_options.hpp"

#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "setka/base/error.hpp"

namespace setka::app {

void add_parts_options(cli::App& command, PartsOptions& options) {
  constexpr const char* group = "Parts";
  command
      .add_option("--parts", options.parts,
                  "How many parts the system is solved in [default: one for every 4000 unknowns]")
      ->type_name("N")
      ->group(group);
  command
      .add_option("--schwarz", options.schwarz,
                  "Of --preconditioner schwarz: additive, restricted (of gmres) or multiplicative [default: "
                  "additive]")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--overlap", options.overlap,
                  "Of schwarz: layers of neighbours that each part has besides [default: 1]")
      ->type_name("K")
      ->group(group);
  command
      .add_option("--local", options.local,
                  "Of schwarz: how parts are solved, by cholesky, amg, chebyshev or fsai "
                  "[default: cholesky]")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--coarse", options.coarse,
                  "Of schwarz: what carries forces from part to part at once, modes (the near-nullspace of "
                  "each part) or none [default: modes]")
      ->type_name("NAME")
      ->group(group);
}

domains::SchwarzOptions PartsOptions::of_schwarz() const {
  domains::SchwarzOptions made;
  if (!schwarz.empty()) made.method = domains::schwarz_method_of(schwarz);
  if (parts && *parts < 1)
    throw Error(Fault::usage, fmt::format("--parts {} makes none", *parts), "give a number from 1 on");
  made.parts = parts.value_or(made.parts);
  made.overlap = overlap.value_or(made.overlap);
  if (!local.empty()) made.local = local;
  if (!coarse.empty() && coarse != "modes" && coarse != "none") {
    throw Error(Fault::usage, fmt::format("'{}' is no coarse space", coarse), "give modes or none");
  }
  made.coarse = coarse != "none";
  return made;
}

void PartsOptions::refuse_unused(bool schwarz_chosen, bool in_parts) const {
  const auto refuse = [](std::string_view option, const std::string& value, std::string_view remedy) {
    if (value.empty()) return;
    throw Error(Fault::usage,
                fmt::format("{} {} is of a solution in parts, which was not asked for", option, value),
                fmt::format("leave it out, or add {}", remedy));
  };
  const auto number = [](const std::optional<int>& value) {
    return value ? std::to_string(*value) : std::string();
  };
  constexpr std::string_view by_schwarz = "--preconditioner schwarz";
  if (!in_parts) refuse("--parts", number(parts), by_schwarz);
  if (schwarz_chosen) return;
  refuse("--schwarz", schwarz, by_schwarz);
  refuse("--overlap", number(overlap), by_schwarz);
  refuse("--local", local, by_schwarz);
  refuse("--coarse", coarse, by_schwarz);
}

}  // namespace setka::app
