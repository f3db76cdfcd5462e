// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *MATERIAL and its properties, *ORIENTATION.
#include <fmt/core.h>

#include "setka/deck/detail/local_system.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/detail/table.hpp"
#include "setka/model/local_system.hpp"

namespace setka::deck::detail {

model::Material& current_material(Reader& reader, const Card& card) {
  if (reader.model().materials.empty())
    reader.fail(card.line, fmt::format("{} before any *MATERIAL", spelled(card.keyword)),
                "put it after *MATERIAL,NAME=name");
  return reader.model().materials.back();
}

TensorForm tensor_form(const Reader& reader, const Card& card) {
  const std::string_view type = card.value("TYPE");
  if (type.empty() || type.starts_with("ISO")) return {model::TensorKind::isotropic, 1};
  if (type.starts_with("ORTHO")) return {model::TensorKind::orthotropic, 3};
  if (type.starts_with("ANISO")) return {model::TensorKind::anisotropic, 6};
  reader.fail(card.line, fmt::format("{}: TYPE is {}", spelled(card.keyword), type.substr(0, 40)),
              "it is ISO, ORTHO or ANISO");
}

model::Table read_table(Reader& reader, const Card& card, int count) {
  constexpr int fields_a_line = 8;
  model::Table table;
  DataLines lines = reader.data(card);
  while (lines.next()) {
    const Line line = lines.line();
    model::TableRow row;
    Fields fields(lines.text());
    for (int i = 0; i < count; ++i) {
      if (i > 0 && i % fields_a_line == 0) {
        if (!fields.done())
          reader.fail(
              lines.line(),
              fmt::format("{} has more than {} constants on a line", spelled(card.keyword), fields_a_line),
              fmt::format("give {}, then the rest on the next line", fields_a_line));
        if (!lines.next())
          reader.fail(line,
                      fmt::format("{} has {} constants here, but needs {}", spelled(card.keyword), i, count),
                      "give the rest on the next lines");
        fields = Fields(lines.text());
      }
      row.values.push_back(reader.real(fields.next(), lines.line(), "the constant", 0.0));
    }
    row.temperature = reader.real(fields.next(), lines.line(), "the temperature", 0.0);
    if (!table.empty() && row.temperature <= table.back().temperature)
      reader.fail(line,
                  fmt::format("{}: the temperature {} follows {}", spelled(card.keyword), row.temperature,
                              table.back().temperature),
                  "order the lines by rising temperature");
    table.push_back(std::move(row));
  }
  if (table.empty())
    reader.fail(card.line, fmt::format("{} without data", spelled(card.keyword)),
                "give the constants on the lines after it");
  return table;
}

void read_local_system(Reader& reader, const Card& card, model::LocalSystem& system) {
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, fmt::format("{} without data", spelled(card.keyword)),
                "give the coordinates of the points a and b on the next line");
  Fields fields(lines.text());
  for (double& x : system.a) x = reader.real(fields.next(), lines.line(), "the coordinate", 0.0);
  for (double& x : system.b) x = reader.real(fields.next(), lines.line(), "the coordinate", 0.0);
  system.line = card.line;

  if (!model::spans_axes(system)) {
    reader.fail(lines.line(),
                fmt::format("{}: {}", spelled(card.keyword),
                            system.cylindrical ? "the points a and b coincide"
                                               : "the origin and the points a and b are on one line"),
                system.cylindrical ? "the axis goes from a to b"
                                   : "a is on the local x axis and b beside it in the local x-y plane");
  }
  if (card.keyword == "*ORIENTATION" && lines.next()) {
    Fields turn(lines.text());
    const std::int64_t axis = reader.integer(turn.next(), lines.line(), "the axis");
    if (axis < 1 || axis > 3)
      reader.fail(lines.line(), fmt::format("*ORIENTATION: the axis is {}", axis), "it is 1, 2 or 3");
    system.turned_about = static_cast<int>(axis);
    system.turned_by = reader.real(turn.next(), lines.line(), "the angle", 0.0);
  }
}

void read_material(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME"});
  const std::string name = reader.required(card, "NAME");
  auto& materials = reader.model().materials;
  const auto [at, added] =
      reader.materials.positions.try_emplace(name, static_cast<std::int32_t>(materials.size()));
  if (!added)
    reader.fail(card.line,
                fmt::format("material {} is defined twice, first at line {}", name,
                            materials[static_cast<std::size_t>(at->second)].line.number),
                "give one of them another name");
  model::Material material;
  material.name = name;
  material.line = card.line;
  materials.push_back(std::move(material));
}

void read_elastic(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"TYPE"});
  model::Material& material = current_material(reader, card);
  const std::string_view type = card.value("TYPE");
  int count = 2;
  if (type.empty() || type.starts_with("ISO")) {
    material.elastic_kind = model::ElasticKind::isotropic;
  } else if (type.starts_with("ORTHO")) {
    material.elastic_kind = model::ElasticKind::orthotropic;
    count = 9;
  } else if (type.starts_with("ENGINEERING")) {
    material.elastic_kind = model::ElasticKind::engineering_constants;
    count = 9;
  } else if (type.starts_with("ANISO")) {
    material.elastic_kind = model::ElasticKind::anisotropic;
    count = 21;
  } else {
    reader.fail(card.line, fmt::format("*ELASTIC: TYPE is {}", type.substr(0, 40)),
                "it is ISO, ORTHO, ENGINEERING CONSTANTS or ANISO");
  }
  material.elastic = read_table(reader, card, count);
}

void read_hyperelastic(Reader& reader, const Card& card) {
  // N of the polynomial forms is 1 in the two laws that are read.
  reader.check_parameters(
      card, {"NEOHOOKE", "MOONEY-RIVLIN", "N"},
      {"ARRUDA-BOYCE", "OGDEN", "POLYNOMIAL", "REDUCEDPOLYNOMIAL", "YEOH", "TESTDATAINPUT"});
  model::Material& material = current_material(reader, card);
  const bool neo_hooke = card.has("NEOHOOKE");
  if (!neo_hooke && !card.has("MOONEY-RIVLIN")) {
    if (card.parameters.empty()) reader.unsupported(card.line, "*HYPERELASTIC without a law: a polynomial");
    return;
  }
  const Line line = card.line;
  for (model::TableRow row : read_table(reader, card, neo_hooke ? 2 : 3)) {
    if (neo_hooke) row.values = {row.values[0], 0.0, row.values[1]};
    if (!(row.values[2] > 0))
      reader.fail(line, fmt::format("*HYPERELASTIC: D1 is {}", row.values[2]),
                  "it is 2 over the bulk modulus, larger than zero: 3 (1 - 2 nu) / (2 (C10 + C01) (1 + nu))");
    if (!(row.values[0] + row.values[1] > 0))
      reader.fail(line, fmt::format("*HYPERELASTIC: C10 + C01 is {}", row.values[0] + row.values[1]),
                  "it is half the shear modulus, larger than zero");
    material.hyperelastic.push_back(std::move(row));
  }
}

void read_density(Reader& reader, const Card& card) {
  reader.check_parameters(card, {});
  model::Material& material = current_material(reader, card);
  material.density = read_table(reader, card, 1);
  for (const model::TableRow& row : material.density) {
    if (!(row.values[0] >= 0))
      reader.fail(card.line, fmt::format("*DENSITY: the density is {}", row.values[0]), "it is not negative");
  }
}

void read_damping(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ALPHA", "BETA"}, {"STRUCTURAL"});
  model::Material& material = current_material(reader, card);
  material.damping_by_mass = reader.real(card.value("ALPHA"), card.line, "ALPHA", 0.0);
  material.damping_by_stiffness = reader.real(card.value("BETA"), card.line, "BETA", 0.0);
  if (!(material.damping_by_mass >= 0 && material.damping_by_stiffness >= 0))
    reader.fail(card.line, "*DAMPING: a coefficient is negative", "damping takes energy away");
}

void read_expansion(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"TYPE", "ZERO"}, {"USER"});
  model::Material& material = current_material(reader, card);
  const TensorForm form = tensor_form(reader, card);
  material.expansion_kind = form.kind;
  if (card.has("ZERO")) material.expansion_zero = reader.real(card.value("ZERO"), card.line, "ZERO");
  material.expansion = read_table(reader, card, form.constants);
}

void read_orientation(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME", "SYSTEM", "DEFINITION"});
  model::LocalSystem system;
  system.name = reader.required(card, "NAME");
  const std::string_view kind = card.value("SYSTEM");
  if (!kind.empty() && !kind.starts_with("R") && !kind.starts_with("C"))
    reader.fail(card.line, fmt::format("*ORIENTATION: SYSTEM is {}", kind.substr(0, 40)),
                "it is RECTANGULAR or CYLINDRICAL");
  const std::string_view definition = card.value("DEFINITION");
  if (!definition.empty() && definition != "COORDINATES")
    reader.unsupported(card.line, fmt::format("*ORIENTATION, DEFINITION={}", definition.substr(0, 40)));
  system.cylindrical = kind.starts_with("C");
  read_local_system(reader, card, system);
  auto& orientations = reader.model().orientations;
  const auto [at, added] =
      reader.orientations.positions.try_emplace(system.name, static_cast<std::int32_t>(orientations.size()));
  if (!added)
    reader.fail(card.line, fmt::format("orientation {} is defined twice", system.name),
                "give one of them another name");
  orientations.push_back(std::move(system));
}

}  // namespace setka::deck::detail
