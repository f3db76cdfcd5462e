// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *SHELL SECTION, *BEAM SECTION, *NODAL THICKNESS, *NORMAL.
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

double size_of(const Reader& reader, std::string_view field, Line line, std::string_view keyword) {
  const double size = reader.real(field, line, "the thickness");
  if (!(size > 0) || !std::isfinite(size))
    reader.fail(line, fmt::format("{}: the thickness is {}", keyword, size), "it is larger than zero");
  return size;
}

/// The parts that all sections have, of a set whose elements are of that family.
model::Section begin_section(Reader& reader, const Card& card, model::Family family) {
  model::Section section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  section.material = reader.material(reader.required(card, "MATERIAL"), card.line, spelled(card.keyword));
  const model::Model& model = reader.model();
  for (const std::int32_t e : model.element_sets[static_cast<std::size_t>(section.element_set)].elements) {
    if (model::family(model.mesh, e) == family) continue;
    reader.fail(card.line,
                fmt::format("{}: element {} is of type {}", spelled(card.keyword),
                            model.mesh.element_label(e), deck::name(model.mesh, e)),
                family == model::Family::shell ? "it is for S3, S4, S4R, S6, S8 and S8R"
                                               : "it is for B31, B31R and B32");
  }
  return section;
}

double offset_of(const Reader& reader, const Card& card, std::string_view name) {
  return card.has(name) ? reader.real(card.value(name), card.line, name) : 0.0;
}

bool isotropic(const model::Model& model, const model::Section& section) {
  const model::Material& material = model.materials[static_cast<std::size_t>(section.material)];
  return material.elastic_kind == model::ElasticKind::isotropic &&
         material.expansion_kind == model::TensorKind::isotropic;
}

/// Isotropic materials look alike in all axes; others would need those of the surface.
void refuse_orientation(Reader& reader, const Card& card, const model::Section& section) {
  if (!card.has("ORIENTATION")) return;
  reader.orientation(reader.required(card, "ORIENTATION"), card.line, spelled(card.keyword));
  if (!isotropic(reader.model(), section))
    reader.unsupported(card.line,
                       fmt::format("{}, ORIENTATION of an anisotropic material", spelled(card.keyword)));
}

}  // namespace

void read_shell_section(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET", "MATERIAL", "ORIENTATION", "OFFSET", "NODALTHICKNESS"},
                          {"COMPOSITE"});
  if (card.has("COMPOSITE")) return;
  model::Section section = begin_section(reader, card, model::Family::shell);
  refuse_orientation(reader, card, section);
  model::Profile profile;
  profile.offset[0] = offset_of(reader, card, "OFFSET");
  if (!card.has("NODALTHICKNESS")) {
    DataLines lines = reader.data(card);
    if (!lines.next())
      reader.fail(card.line, "*SHELL SECTION without a thickness", "give it on the next line");
    profile.size[0] = size_of(reader, Fields(lines.text()).next(), lines.line(), "*SHELL SECTION");
  }
  section.thickness = profile.size[0];
  section.profile = profile;
  reader.model().sections.push_back(section);
}

void read_beam_section(Reader& reader, const Card& card) {
  reader.check_parameters(
      card, {"ELSET", "MATERIAL", "ORIENTATION", "SECTION", "OFFSET1", "OFFSET2", "NODALTHICKNESS"});
  const std::string shape = reader.required(card, "SECTION");
  if (shape == "PIPE" || shape == "BOX") {
    reader.unsupported(card.line, fmt::format("*BEAM SECTION, SECTION={}", shape));
    return;
  }
  if (!shape.starts_with("RECT") && !shape.starts_with("CIRC"))
    reader.fail(card.line, fmt::format("*BEAM SECTION: SECTION is {}", shape.substr(0, 40)),
                "it is RECT or CIRC");
  model::Section section = begin_section(reader, card, model::Family::beam);
  refuse_orientation(reader, card, section);
  model::Profile profile;
  profile.shape = shape.starts_with("RECT") ? model::ProfileShape::rectangle : model::ProfileShape::ellipse;
  profile.offset = {offset_of(reader, card, "OFFSET1"), offset_of(reader, card, "OFFSET2")};
  const model::Model& model = reader.model();
  if (profile.shape == model::ProfileShape::ellipse) {
    for (const std::int32_t e : model.element_sets[static_cast<std::size_t>(section.element_set)].elements) {
      if (model.mesh.cell(e) != mesh::Cell::line2) continue;
      reader.fail(card.line,
                  fmt::format("*BEAM SECTION, SECTION=CIRC: element {} is of type {}",
                              model.mesh.element_label(e), deck::name(model.mesh, e)),
                  "round sections are of B32");
    }
  }
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, "*BEAM SECTION without a thickness",
                "give those along axes 1 and 2 on the next line");
  Fields sizes(lines.text());
  profile.size[0] = size_of(reader, sizes.next(), lines.line(), "*BEAM SECTION");
  const std::string_view second = sizes.next();
  profile.size[1] = second.empty() ? profile.size[0] : size_of(reader, second, lines.line(), "*BEAM SECTION");
  if (lines.next()) {
    Fields fields(lines.text());
    double length = 0;
    for (double& x : profile.first_axis) {
      x = reader.real(fields.next(), lines.line(), "the component", 0.0);
      length = std::hypot(length, x);
    }
    if (!(length > 0) || !std::isfinite(length))
      reader.fail(lines.line(), "*BEAM SECTION: axis 1 has no length", "give its three components");
    for (double& x : profile.first_axis) x /= length;
  }
  const double box = profile.size[0] * profile.size[1];
  section.thickness = profile.shape == model::ProfileShape::rectangle ? box : std::numbers::pi / 4 * box;
  section.profile = profile;
  reader.model().sections.push_back(section);
}

void read_nodal_thickness(Reader& reader, const Card& card) {
  reader.check_parameters(card, {});
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    model::NodalThickness given{-1, {}};
    given.size[0] = size_of(reader, fields.next(), lines.line(), "*NODAL THICKNESS");
    const std::string_view second = fields.next();
    given.size[1] = second.empty() ? 0.0 : size_of(reader, second, lines.line(), "*NODAL THICKNESS");
    for (const std::int32_t node : reader.nodes(who, lines.line(), "*NODAL THICKNESS")) {
      given.node = node;
      reader.model().nodal_thicknesses.push_back(given);
    }
  }
}

void read_normal(Reader& reader, const Card& card) {
  reader.check_parameters(card, {});
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    const auto elements = reader.elements(fields.next(), line, "*NORMAL");
    model::GivenNormal given{};
    given.node = reader.node(fields.next(), line, "*NORMAL");
    double length = 0;
    for (double& x : given.direction) {
      x = reader.real(fields.next(), line, "the component", 0.0);
      length = std::hypot(length, x);
    }
    if (!(length > 0) || !std::isfinite(length))
      reader.fail(line, "*NORMAL: the normal has no length", "give its three components");
    for (double& x : given.direction) x /= length;
    for (const std::int32_t element : elements) {
      given.element = element;
      reader.model().normals.push_back(given);
    }
  }
}

}  // namespace setka::deck::detail
