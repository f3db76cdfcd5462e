// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *SOLID SECTION, *SPRING, *TRANSFORM, and how a deck ends.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/detail/local_system.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {

std::int32_t section_set(Reader& reader, const Card& card) {
  const std::string name = reader.required(card, "ELSET");
  const std::int32_t set = reader.element_set(name, card.line, spelled(card.keyword));
  const auto s = static_cast<std::size_t>(set);
  if (reader.model().element_sets[s].elements.empty() && reader.element_set_partial[s] == 0)
    reader.fail(card.line, fmt::format("{}: element set {} is empty", spelled(card.keyword), name),
                "add elements to it by *ELSET or *ELEMENT,ELSET=");
  return set;
}

void read_solid_section(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET", "MATERIAL", "ORIENTATION"}, {"NODALTHICKNESS", "COMPOSITE"});
  model::Section section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  const std::string material = reader.required(card, "MATERIAL");
  section.material = reader.material(material, card.line, "*SOLID SECTION");
  const model::Model& model = reader.model();
  for (const std::int32_t e : model.element_sets[static_cast<std::size_t>(section.element_set)].elements) {
    const model::Family family = model::family(model.mesh, e);
    if (!model::has_profile(family)) continue;
    reader.fail(card.line,
                fmt::format("*SOLID SECTION: element {} is of type {}", model.mesh.element_label(e),
                            deck::name(model.mesh, e)),
                family == model::Family::shell      ? "use *SHELL SECTION"
                : family == model::Family::membrane ? "use *MEMBRANE SECTION"
                                                    : "use *BEAM SECTION");
  }
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

namespace {

/// *SPRING, NONLINEAR: force and elongation; false where they depend on temperature.
bool read_curve(Reader& reader, const Card& card, DataLines& lines,
                std::vector<std::array<double, 2>>& curve) {
  std::optional<double> temperature;
  while (lines.next()) {
    Fields fields(lines.text());
    const double force = reader.real(fields.next(), lines.line(), "the force");
    const double elongation = reader.real(fields.next(), lines.line(), "the elongation");
    const double at = reader.real(fields.next(), lines.line(), "the temperature", 0.0);
    if (temperature && *temperature != at) {
      reader.unsupported(lines.line(), "*SPRING, NONLINEAR: curves that depend on temperature");
      return false;
    }
    temperature = at;
    if (!curve.empty() && !(elongation > curve.back()[0]))
      reader.fail(lines.line(),
                  fmt::format("*SPRING, NONLINEAR: elongation {} follows {}", elongation, curve.back()[0]),
                  "give pairs of force and elongation with rising elongations");
    curve.push_back({elongation, force});
  }
  if (curve.size() < 2)
    reader.fail(card.line,
                fmt::format("*SPRING, NONLINEAR: {} point{}", curve.size(), curve.size() == 1 ? "" : "s"),
                "give two or more pairs of force and elongation");
  reader.warn_if_supported(card.line,
                           "*SPRING, NONLINEAR: stiffness is the slope at zero elongation, as in CalculiX's "
                           "linear steps; RF is that of the curve");
  return true;
}

}  // namespace

void read_spring(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET", "NONLINEAR", "ORIENTATION"});
  model::SpringSection section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  const model::Model& model = reader.model();
  const auto& elements = model.element_sets[static_cast<std::size_t>(section.element_set)].elements;
  if (elements.empty()) return;  // of types that are skipped
  const model::ElementType type = model::element_type(model.mesh, elements.front());
  for (const std::int32_t element : elements) {
    if (model::element_type(model.mesh, element) != type ||
        (type.family != model::Family::spring && type.family != model::Family::axial_spring))
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
  if (card.has("ORIENTATION")) {
    section.orientation = reader.orientation(reader.required(card, "ORIENTATION"), card.line, "*SPRING");
    if (type.family == model::Family::axial_spring)
      reader.warn(card.line, "*SPRING: ORIENTATION has no effect on SPRINGA, which acts along its line");
  }
  if (card.has("NONLINEAR")) {
    if (read_curve(reader, card, lines, section.curve)) reader.model().springs.push_back(std::move(section));
    return;
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

namespace {

/// The elements of a card's set, all of one family; none where they are of types that are skipped.
std::span<const std::int32_t> require_family(Reader& reader, const Card& card, std::int32_t set,
                                             model::Family family, std::string_view type) {
  const model::Model& model = reader.model();
  const auto& elements = model.element_sets[static_cast<std::size_t>(set)].elements;
  for (const std::int32_t element : elements) {
    if (model::family(model.mesh, element) == family) continue;
    reader.fail(card.line,
                fmt::format("{}: element {} is of type {}", card.keyword, model.mesh.element_label(element),
                            deck::name(model.mesh, element)),
                fmt::format("the set holds elements of type {}", type));
  }
  return elements;
}

}  // namespace

void read_dashpot(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET"});
  model::SpringSection section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  if (require_family(reader, card, section.element_set, model::Family::dashpot, "DASHPOTA").empty()) return;
  std::optional<double> temperature;
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    model::TableRow row;
    row.values.push_back(reader.real(fields.next(), lines.line(), "the dashpot constant"));
    row.temperature = reader.real(fields.next(), lines.line(), "the frequency", 0.0);
    const double at = reader.real(fields.next(), lines.line(), "the temperature", 0.0);
    if (temperature && *temperature != at) {
      reader.unsupported(lines.line(), "*DASHPOT: constants that depend on temperature");
      return;
    }
    temperature = at;
    if (!section.damping.empty() && !(row.temperature > section.damping.back().temperature))
      reader.fail(
          lines.line(),
          fmt::format("*DASHPOT: frequency {} after {}", row.temperature, section.damping.back().temperature),
          "give lines with rising frequencies");
    section.damping.push_back(std::move(row));
  }
  if (section.damping.empty())
    reader.fail(card.line, "*DASHPOT without a constant", "give it on the line after an empty one");
  reader.model().springs.push_back(std::move(section));
}

void read_mass(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET"});
  model::SpringSection section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  if (require_family(reader, card, section.element_set, model::Family::mass, "MASS").empty()) return;
  DataLines lines = reader.data(card);
  if (!lines.next()) reader.fail(card.line, "*MASS without a mass", "give it on the next line");
  section.mass = reader.real(Fields(lines.text()).next(), lines.line(), "the mass");
  if (!(section.mass >= 0))
    reader.fail(lines.line(), fmt::format("*MASS: the mass is {}", section.mass), "it is not negative");
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

void make_constraints(Reader& reader) {
  require_no_open_coupling(reader);
  if (reader.anything_unsupported()) return;  // what they name may be what was not read
  model::EquationMaker equations(reader.model());
  make_bodies(reader, equations);
  make_ties(reader, equations);
  make_alignments(reader, equations);
  make_cyclic(reader, equations);  // last: modes by nodal diameters take others in their place
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
  if (!reader.anything_unsupported()) check_cyclic(reader);
  make_constraints(reader);
}

}  // namespace setka::deck::detail
