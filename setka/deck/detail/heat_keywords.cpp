// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// What materials and the world are for *HEAT TRANSFER: *CONDUCTIVITY, *SPECIFIC HEAT, *PHYSICAL CONSTANTS.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "setka/deck/detail/reader.hpp"
#include "setka/deck/detail/table.hpp"

namespace setka::deck::detail {
namespace {

/// Heat flows from warm to cold: no eigenvalue of the tensor is negative. k: xx yy zz xy xz yz
bool conducts(const std::vector<double>& k) {
  if (k.size() < 6) return std::ranges::all_of(k, [](double value) { return value >= 0; });
  const double size = std::max({k[0], k[1], k[2]});
  const double slack = 1e-12 * size * size;  // of products that cancel
  const double determinant = k[0] * (k[1] * k[2] - k[5] * k[5]) - k[3] * (k[3] * k[2] - k[5] * k[4]) +
                             k[4] * (k[3] * k[5] - k[1] * k[4]);
  return k[0] >= 0 && k[1] >= 0 && k[2] >= 0 && k[0] * k[1] - k[3] * k[3] >= -slack &&
         k[0] * k[2] - k[4] * k[4] >= -slack && k[1] * k[2] - k[5] * k[5] >= -slack &&
         determinant >= -slack * size;
}

}  // namespace

void read_conductivity(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"TYPE"});
  warn_without_heat(reader, card);
  model::Material& material = current_material(reader, card);
  const TensorForm form = tensor_form(reader, card);
  material.conductivity_kind = form.kind;
  material.conductivity = read_table(reader, card, form.constants);
  for (const model::TableRow& row : material.conductivity) {
    if (conducts(row.values)) continue;
    reader.fail(card.line,
                fmt::format("*CONDUCTIVITY: heat would flow from cold to warm with {} at the temperature {}",
                            fmt::join(row.values, ", "), row.temperature),
                form.kind == model::TensorKind::anisotropic
                    ? "the tensor xx, yy, zz, xy, xz, yz has no negative eigenvalue"
                    : "a conductivity is not negative");
  }
}

void read_specific_heat(Reader& reader, const Card& card) {
  reader.check_parameters(card, {});
  warn_without_heat(reader, card);
  model::Material& material = current_material(reader, card);
  material.specific_heat = read_table(reader, card, 1);
  for (const model::TableRow& row : material.specific_heat) {
    if (!(row.values[0] >= 0))
      reader.fail(card.line, fmt::format("*SPECIFIC HEAT: the specific heat is {}", row.values[0]),
                  "it is not negative");
  }
}

void read_physical_constants(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ABSOLUTEZERO", "STEFANBOLTZMANN", "NEWTONGRAVITY"});
  if (card.has("ABSOLUTEZERO") || card.has("STEFANBOLTZMANN")) warn_without_heat(reader, card);
  model::PhysicalConstants& constants = reader.model().constants;
  if (card.has("ABSOLUTEZERO"))
    constants.absolute_zero = reader.real(reader.required(card, "ABSOLUTEZERO"), card.line, "ABSOLUTE ZERO");
  if (card.has("NEWTONGRAVITY")) {
    constants.newton_gravity =
        reader.real(reader.required(card, "NEWTONGRAVITY"), card.line, "NEWTON GRAVITY");
    if (!(*constants.newton_gravity > 0))
      reader.fail(card.line,
                  fmt::format("*PHYSICAL CONSTANTS: NEWTON GRAVITY is {}", *constants.newton_gravity),
                  "it is larger than zero: 6.674E-11 for m, kg and s");
  }
  if (!card.has("STEFANBOLTZMANN")) return;
  constants.stefan_boltzmann =
      reader.real(reader.required(card, "STEFANBOLTZMANN"), card.line, "STEFAN BOLTZMANN");
  if (!(*constants.stefan_boltzmann > 0))
    reader.fail(card.line,
                fmt::format("*PHYSICAL CONSTANTS: STEFAN BOLTZMANN is {}", *constants.stefan_boltzmann),
                "it is larger than zero: 5.669E-8 for W, m and K, 5.669E-11 for t, mm, s and K");
}

void require_above_absolute_zero(const Reader& reader, double temperature, Line line, std::string_view what) {
  const std::optional<double>& zero = reader.constants().absolute_zero;
  if (!zero || temperature >= *zero) return;
  reader.fail(line, fmt::format("{} {} is below absolute zero, {}", what, temperature, *zero),
              "give both in the same degrees");
}

}  // namespace setka::deck::detail
