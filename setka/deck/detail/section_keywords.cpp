// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *SOLID SECTION, *SPRING, *TRANSFORM, and how a deck ends.
#include <fmt/core.h>

#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/detail/local_system.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

/// The set of a section; an empty one is an error unless its elements were of types that are skipped.
std::int32_t section_set(Reader& reader, const Card& card) {
  const std::string name = reader.required(card, "ELSET");
  const std::int32_t set = reader.element_set(name, card.line, spelled(card.keyword));
  const auto s = static_cast<std::size_t>(set);
  if (reader.model().element_sets[s].elements.empty() && reader.element_set_partial[s] == 0)
    reader.fail(card.line, fmt::format("{}: element set {} is empty", spelled(card.keyword), name),
                "add elements to it by *ELSET or *ELEMENT,ELSET=");
  return set;
}

}  // namespace

void read_solid_section(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET", "MATERIAL", "ORIENTATION"}, {"NODALTHICKNESS", "COMPOSITE"});
  model::Section section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  const std::string material = reader.required(card, "MATERIAL");
  section.material = reader.material(material, card.line, "*SOLID SECTION");
  if (card.has("ORIENTATION"))
    section.orientation =
        reader.orientation(reader.required(card, "ORIENTATION"), card.line, "*SOLID SECTION");
  DataLines lines = reader.data(card);
  if (lines.next()) {
    section.thickness = reader.real(Fields(lines.text()).next(), lines.line(), "the thickness", 1.0);
    if (!(section.thickness > 0))
      reader.fail(lines.line(), fmt::format("*SOLID SECTION: the thickness is {}", section.thickness),
                  "it is larger than zero");
  }
  reader.model().sections.push_back(section);
}

void read_spring(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET"}, {"NONLINEAR", "ORIENTATION"});
  if (card.has("NONLINEAR")) return;
  model::SpringSection section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  const model::Model& model = reader.model();
  const auto& elements = model.element_sets[static_cast<std::size_t>(section.element_set)].elements;
  if (elements.empty()) return;  // of types that are skipped
  const model::ElementType type = model::element_type(model.mesh, elements.front());
  for (const std::int32_t element : elements) {
    if (model::element_type(model.mesh, element) != type || !model::is_spring(type.family))
      reader.fail(card.line,
                  fmt::format("*SPRING: element {} is of type {}", model.mesh.element_label(element),
                              deck::name(model.mesh, element)),
                  "the set holds springs of one type: SPRINGA, SPRING1 or SPRING2");
  }

  DataLines lines = reader.data(card);
  if (type.family != model::Family::axial_spring && lines.next()) {
    Fields fields(lines.text());
    section.first_direction = degree_of_freedom(reader, fields.next(), lines.line(), "*SPRING");
    if (type.cell == mesh::Cell::line2)
      section.second_direction = degree_of_freedom(reader, fields.next(), lines.line(), "*SPRING");
  }
  while (lines.next()) {
    Fields fields(lines.text());
    model::TableRow row;
    row.values.push_back(reader.real(fields.next(), lines.line(), "the spring constant"));
    fields.next();  // not used
    row.temperature = reader.real(fields.next(), lines.line(), "the temperature", 0.0);
    section.stiffness.push_back(std::move(row));
  }
  if (section.stiffness.empty())
    reader.fail(card.line, "*SPRING without a spring constant", "give it on the line after the directions");
  reader.model().springs.push_back(std::move(section));
}

void read_transform(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NSET", "TYPE"});
  model::Transform transform;
  transform.node_set = reader.node_set(reader.required(card, "NSET"), card.line, "*TRANSFORM");
  const std::string_view type = card.value("TYPE");
  if (!type.empty() && type != "R" && type != "C")
    reader.fail(card.line, fmt::format("*TRANSFORM: TYPE is {}", type.substr(0, 40)),
                "it is R (rectangular) or C (cylindrical)");
  transform.system.cylindrical = type == "C";
  read_local_system(reader, card, transform.system);
  reader.model().transforms.push_back(std::move(transform));
}

void check_end(Reader& reader) {
  check_matrices(reader);
  if (reader.in_step && reader.ends_with_step()) {
    reader.warn(reader.model().steps.back().line, "a *STEP with nothing after it is ignored");
    reader.model().steps.pop_back();
  } else if (reader.in_step) {
    reader.fail(reader.model().steps.back().line, "the step has no *END STEP; the deck may be cut off",
                "end the step with *END STEP");
  }
}

}  // namespace setka::deck::detail
