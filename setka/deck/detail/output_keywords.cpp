// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *NODE PRINT, *EL PRINT, *SECTION PRINT, *NODE FILE, *EL FILE and what goes by other names.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

using Words = std::span<const std::string_view>;

constexpr auto node_print_words =
    std::to_array<std::string_view>({"U",    "NT", "TS", "RF", "RFL", "TSF", "TTF", "PN", "PS", "PSF",  "PTF",
                                     "MACH", "CP", "VF", "MF", "V",   "PNT", "MT",  "TT", "PT", "ENER", "A"});
constexpr auto element_print_words =
    std::to_array<std::string_view>({"S", "E", "ME", "PEEQ", "CEEQ", "ENER", "SDV", "HFL", "HFLF", "ELSE",
                                     "ELKE", "EVOL", "EMAS", "SVF", "COORD", "EBHE", "CENT"});
constexpr auto section_print_words =
    std::to_array<std::string_view>({"SOF", "SOM", "SOAREA", "DRAG", "FLUX"});

/// What result files have of all that CalculiX knows.
constexpr auto node_file_words = std::to_array<std::string_view>({"U", "V", "A", "NT", "RF", "RFL"});
constexpr auto element_file_words = std::to_array<std::string_view>({"S", "E", "ENER", "HFL", "ERR"});

bool contains(Words words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// FREQUENCY=0 drops the requests of the card.
bool switched_off(const Card& card) {
  return card.value("FREQUENCY") == "0";
}

/// FREQUENCY, TIME POINTS and OUTPUT count for all requests, and stay for later steps.
void read_common(Reader& reader, const Card& card) {
  if (card.has("FREQUENCY") && !switched_off(card)) {
    reader.output_frequency = reader.label(card.value("FREQUENCY"), card.line, "FREQUENCY");
    reader.output_time_points = -1;
    reader.output_intervals = 0;
  }
  if (card.has("NUMBERINTERVAL")) {
    reader.output_intervals = reader.label(card.value("NUMBERINTERVAL"), card.line, "NUMBER INTERVAL");
    reader.output_time_points = -1;
    reader.output_frequency = 1;
  }
  if (card.has("TIMEPOINTS")) {
    reader.output_time_points = reader.points_in_time(card);
    reader.output_frequency = 1;
    reader.output_intervals = 0;
  }
  const std::string_view output = card.value("OUTPUT");
  const bool first_step = reader.model().steps.size() == 1;
  if (output == "3D" && !first_step && !reader.output_expanded)
    reader.warn(card.line,
                fmt::format("{}, OUTPUT=3D counts in the first step alone", spelled(card.keyword)));
  if (!output.empty() && first_step) reader.output_expanded = output == "3D";
}

model::Totals totals(const Reader& reader, const Card& card) {
  const std::string_view value = card.value("TOTALS");
  if (value.empty() || value == "NO") return model::Totals::no;
  if (value == "YES") return model::Totals::yes;
  if (value == "ONLY") return model::Totals::only;
  reader.fail(card.line, fmt::format("{}: TOTALS is {}", spelled(card.keyword), value.substr(0, 40)),
              "it is YES, ONLY or NO");
}

/// The variables of a card, and the request into the step: the first card of a kind drops what was inherited.
bool has_temperatures(Reader& reader) {
  return reader.has_heat_steps() || !reader.model().initial_temperatures.empty();
}

/// Section forces of beams take the place of their stresses; other elements have none.
bool has_section_forces(const Reader& reader) {
  const mesh::Mesh& mesh = reader.mesh();
  for (std::int32_t element = 0; element < mesh.element_count(); ++element) {
    if (model::family(mesh, element) == model::Family::beam) return true;
  }
  return false;
}

void add_request(Reader& reader, const Card& card, model::OutputRequest request, Words words) {
  request.line = card.line;
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    while (!fields.done()) {
      std::string variable = word(fields.next());
      if (variable.empty()) continue;
      if (!words.empty() && !contains(words, variable)) {
        reader.warn(lines.line(), fmt::format("{} has no variable {}; it is ignored", spelled(card.keyword),
                                              variable.substr(0, 40)));
        continue;
      }
      if (variable == "NT" && request.kind == model::OutputKind::node_print && !has_temperatures(reader)) {
        reader.warn_if_supported(lines.line(), "*NODE PRINT: there are no temperatures; NT prints nothing");
        continue;
      }
      const bool of_nodes = request.kind == model::OutputKind::node_file;
      if (words.empty() && !contains(of_nodes ? Words(node_file_words) : Words(element_file_words), variable))
        reader.warn_if_supported(lines.line(), fmt::format("{}: {} is not written to result files",
                                                           spelled(card.keyword), variable.substr(0, 40)));
      if (variable == "S" && card.has("SECTIONFORCES") && has_section_forces(reader)) variable = "SF";
      request.variables.push_back(std::move(variable));
    }
  }
  auto& output = reader.model().steps.back().output;
  auto& renewed = reader.renewed_output;
  if (std::find(renewed.begin(), renewed.end(), request.kind) == renewed.end()) {
    renewed.push_back(request.kind);
    std::erase_if(output, [&](const model::OutputRequest& old) { return old.kind == request.kind; });
  }
  if (!switched_off(card)) output.push_back(std::move(request));
}

void read_file(Reader& reader, const Card& card, model::OutputKind kind) {
  reader.check_parameters(card, {"FREQUENCY", "FREQUENCYF", "GLOBAL", "OUTPUT", "NSET", "LASTITERATIONS",
                                 "CONTACTELEMENTS", "SECTIONFORCES", "TIMEPOINTS", "NUMBERINTERVAL"});
  read_common(reader, card);
  model::OutputRequest request;
  request.kind = kind;
  request.global = card.value("GLOBAL") != "NO";
  if (card.has("NSET"))
    request.set = reader.node_set(reader.required(card, "NSET"), card.line, spelled(card.keyword));
  add_request(reader, card, std::move(request), {});
}

}  // namespace

void read_output(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"FREQUENCY", "FREQUENCYF", "FIELD", "HISTORY", "VARIABLE", "OP",
                                 "TIMEPOINTS", "NUMBERINTERVAL"});
  read_common(reader, card);
}

void read_node_print(Reader& reader, const Card& card) {
  reader.check_parameters(
      card, {"NSET", "FREQUENCY", "FREQUENCYF", "TOTALS", "GLOBAL", "TIMEPOINTS", "NUMBERINTERVAL"});
  read_common(reader, card);
  model::OutputRequest request;
  request.kind = model::OutputKind::node_print;
  if (!switched_off(card))
    request.set = reader.node_set(reader.required(card, "NSET"), card.line, "*NODE PRINT");
  request.totals = totals(reader, card);
  request.global = card.value("GLOBAL") == "YES";
  add_request(reader, card, std::move(request), node_print_words);
}

void read_element_print(Reader& reader, const Card& card) {
  reader.check_parameters(
      card, {"ELSET", "FREQUENCY", "FREQUENCYF", "TOTALS", "GLOBAL", "TIMEPOINTS", "NUMBERINTERVAL"});
  read_common(reader, card);
  model::OutputRequest request;
  request.kind = model::OutputKind::element_print;
  if (!switched_off(card))
    request.set = reader.element_set(reader.required(card, "ELSET"), card.line, "*EL PRINT");
  request.totals = totals(reader, card);
  request.global = card.value("GLOBAL") == "YES";
  add_request(reader, card, std::move(request), element_print_words);
}

void read_section_print(Reader& reader, const Card& card) {
  reader.check_parameters(card,
                          {"SURFACE", "NAME", "FREQUENCY", "FREQUENCYF", "TIMEPOINTS", "NUMBERINTERVAL"});
  read_common(reader, card);
  model::OutputRequest request;
  request.kind = model::OutputKind::section_print;
  request.set = reader.surface(reader.required(card, "SURFACE"), card.line, "*SECTION PRINT");
  request.name = reader.required(card, "NAME");
  add_request(reader, card, std::move(request), section_print_words);
}

void read_node_file(Reader& reader, const Card& card) {
  read_file(reader, card, model::OutputKind::node_file);
}

void read_element_file(Reader& reader, const Card& card) {
  read_file(reader, card, model::OutputKind::element_file);
}

}  // namespace setka::deck::detail
