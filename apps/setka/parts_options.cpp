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
                  "How many parts the system is solved in [default: one for every 4000 unknowns, of --modes "
                  "reduced 6000]")
      ->type_name("N")
      ->group(group);
  command
      .add_option("--schwarz", options.schwarz,
                  "Of --preconditioner schwarz: additive, restricted (of gmres) or multiplicative [default: "
                  "additive]")
      ->type_name("NAME")
      ->offers({"additive", "restricted", "multiplicative"})
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
      ->offers({"cholesky", "amg", "chebyshev", "fsai"})
      ->group(group);
  command
      .add_option("--coarse", options.coarse,
                  "Of schwarz: what carries forces from part to part at once, modes (the near-nullspace of "
                  "each part) or none [default: modes]")
      ->type_name("NAME")
      ->offers({"modes", "none"})
      ->group(group);
  command
      .add_option(
          "--schur", options.schur,
          "Of substructures: how condensed parts are kept, explicit (as dense matrices), implicit (by "
          "factors) or auto [default: auto]")
      ->type_name("NAME")
      ->offers({"auto", "explicit", "implicit"})
      ->group(group);
}

namespace {

int count_of(const std::optional<int>& parts) {
  if (parts && *parts < 1)
    throw Error(Fault::usage, fmt::format("--parts {} makes none", *parts), "give a number from 1 on");
  return parts.value_or(0);
}

}  // namespace

domains::SubstructureOptions PartsOptions::of_substructures() const {
  domains::SubstructureOptions made;
  made.parts = count_of(parts);
  if (!schur.empty()) made.schur = domains::schur_of(schur);
  return made;
}

domains::SchwarzOptions PartsOptions::of_schwarz() const {
  domains::SchwarzOptions made;
  if (!schwarz.empty()) made.method = domains::schwarz_method_of(schwarz);
  made.parts = count_of(parts);
  made.overlap = overlap.value_or(made.overlap);
  if (!local.empty()) made.local = local;
  if (!coarse.empty() && coarse != "modes" && coarse != "none") {
    throw Error(Fault::usage, fmt::format("'{}' is no coarse space", coarse), "give modes or none");
  }
  made.coarse = coarse != "none";
  return made;
}

void PartsOptions::refuse_unused(bool schwarz_chosen, bool substructures_chosen, bool modes_chosen) const {
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
  constexpr std::string_view by_parts =
      "--preconditioner schwarz, or in setka run --solver substructures or --modes reduced";
  if (!substructures_chosen) refuse("--schur", schur, "--solver substructures");
  if (!schwarz_chosen && !substructures_chosen && !modes_chosen) refuse("--parts", number(parts), by_parts);
  if (schwarz_chosen) return;
  refuse("--schwarz", schwarz, by_schwarz);
  refuse("--overlap", number(overlap), by_schwarz);
  refuse("--local", local, by_schwarz);
  refuse("--coarse", coarse, by_schwarz);
}

}  // namespace setka::app
