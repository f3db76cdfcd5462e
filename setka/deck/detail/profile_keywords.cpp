// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *SHELL SECTION, *MEMBRANE SECTION, *BEAM SECTION, *NODAL THICKNESS, *NORMAL.
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
model::Section begin_section(Reader& reader, const Card& card, model::Family family,
                             bool of_one_material = true) {
  model::Section section;
  section.line = card.line;
  section.element_set = section_set(reader, card);
  if (of_one_material)
    section.material = reader.material(reader.required(card, "MATERIAL"), card.line, spelled(card.keyword));
  const model::Model& model = reader.model();
  for (const std::int32_t e : model.element_sets[static_cast<std::size_t>(section.element_set)].elements) {
    if (model::family(model.mesh, e) == family) continue;
    reader.fail(card.line,
                fmt::format("{}: element {} is of type {}", spelled(card.keyword),
                            model.mesh.element_label(e), deck::name(model.mesh, e)),
                family == model::Family::shell      ? "it is for S3, S4, S4R, S6, S8 and S8R"
                : family == model::Family::membrane ? "it is for M3D3, M3D4, M3D4R, M3D6, M3D8 and M3D8R"
                                                    : "it is for B31, B31R, B32 and B32R");
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

namespace {

/// Layers from below: thickness, nothing, material, orientation. One without an orientation has that of the
/// layer below it. Those above the lowest come first, so that it is the one that elements have.
void read_layers(Reader& reader, const Card& card, model::Section section) {
  const model::Model& model = reader.model();
  for (const std::int32_t e : model.element_sets[static_cast<std::size_t>(section.element_set)].elements) {
    const model::ElementType type = model::element_type(model.mesh, e);
    if (type.cell == mesh::Cell::tri6 ||
        (type.cell == mesh::Cell::quad8 && type.integration == model::Integration::reduced))
      continue;
    reader.fail(card.line,
                fmt::format("*SHELL SECTION, COMPOSITE: element {} is of type {}",
                            model.mesh.element_label(e), deck::name(type)),
                "layers are of S6 and S8R");
  }
  std::vector<model::Section> layers;
  DataLines lines = reader.data(card);
  double total = 0;
  while (lines.next()) {
    Fields fields(lines.text());
    section.line = lines.line();
    section.thickness = size_of(reader, fields.next(), lines.line(), "*SHELL SECTION, COMPOSITE");
    total += section.thickness;
    fields.next();  // not used
    const std::string material = word(fields.next());
    if (material.empty())
      reader.fail(lines.line(), "*SHELL SECTION, COMPOSITE: a layer without a material",
                  "give it as the third entry of the line");
    section.material = reader.material(material, lines.line(), "*SHELL SECTION");
    const std::string orientation = word(fields.next());
    if (!orientation.empty())
      section.orientation = reader.orientation(orientation, lines.line(), "*SHELL SECTION");
    layers.push_back(section);
  }
  if (layers.empty()) reader.fail(card.line, "*SHELL SECTION, COMPOSITE without layers", "give one a line");
  double below = 0;
  for (model::Section& layer : layers) {
    layer.profile->size[0] = total;
    layer.layer[0] = 2 * below / total - 1;
    below += layer.thickness;
    layer.layer[1] = 2 * below / total - 1;
    layer.thickness = total;
  }
  std::int32_t above = -1;
  while (!layers.empty()) {
    layers.back().layer_above = above;
    above = static_cast<std::int32_t>(reader.model().sections.size());
    reader.model().sections.push_back(std::move(layers.back()));
    layers.pop_back();
  }
}

/// Orientation, offset and thickness of a surface of one material.
void read_surface(Reader& reader, const Card& card, model::Section& section) {
  const std::string keyword(spelled(card.keyword));
  if (card.has("ORIENTATION"))
    section.orientation = reader.orientation(reader.required(card, "ORIENTATION"), card.line, keyword);
  model::Profile profile;
  profile.offset[0] = offset_of(reader, card, "OFFSET");
  if (!card.has("NODALTHICKNESS") && !card.has("COMPOSITE")) {
    DataLines lines = reader.data(card);
    if (!lines.next()) reader.fail(card.line, keyword + " without a thickness", "give it on the next line");
    profile.size[0] = size_of(reader, Fields(lines.text()).next(), lines.line(), keyword);
  }
  section.thickness = profile.size[0];
  section.profile = profile;
}

}  // namespace

void read_shell_section(Reader& reader, const Card& card) {
  reader.check_parameters(card,
                          {"ELSET", "MATERIAL", "ORIENTATION", "OFFSET", "NODALTHICKNESS", "COMPOSITE"});
  const bool composite = card.has("COMPOSITE");
  if (composite && (card.has("MATERIAL") || card.has("NODALTHICKNESS")))
    reader.fail(card.line, "*SHELL SECTION, COMPOSITE with MATERIAL or NODAL THICKNESS",
                "give materials and thicknesses on the lines of the layers");
  model::Section section = begin_section(reader, card, model::Family::shell, !composite);
  read_surface(reader, card, section);
  if (composite)
    read_layers(reader, card, std::move(section));
  else
    reader.model().sections.push_back(section);
}

void read_membrane_section(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET", "MATERIAL", "ORIENTATION", "OFFSET", "NODALTHICKNESS"},
                          {"COMPOSITE"});
  if (card.has("COMPOSITE")) return;
  model::Section section = begin_section(reader, card, model::Family::membrane);
  read_surface(reader, card, section);
  reader.model().sections.push_back(section);
}

namespace {

model::ProfileShape profile_shape(Reader& reader, const Card& card) {
  const std::string shape = reader.required(card, "SECTION");
  if (shape.starts_with("RECT")) return model::ProfileShape::rectangle;
  if (shape.starts_with("CIRC")) return model::ProfileShape::ellipse;
  if (shape == "PIPE") return model::ProfileShape::pipe;
  if (shape == "BOX") return model::ProfileShape::box;
  reader.fail(card.line, fmt::format("{}: SECTION is {}", spelled(card.keyword), shape.substr(0, 40)),
              "it is RECT, CIRC, PIPE or BOX");
}

/// Round sections need solids of second order, pipes and boxes those of B32R.
void require_elements(Reader& reader, const Card& card, const model::Section& section,
                      model::ProfileShape shape) {
  if (shape == model::ProfileShape::rectangle) return;
  const bool hollow = shape == model::ProfileShape::pipe || shape == model::ProfileShape::box;
  const model::Model& model = reader.model();
  for (const std::int32_t e : model.element_sets[static_cast<std::size_t>(section.element_set)].elements) {
    const model::ElementType type = model::element_type(model.mesh, e);
    if (type.cell != mesh::Cell::line2 && (!hollow || type.integration == model::Integration::reduced))
      continue;
    reader.fail(card.line,
                fmt::format("{}, SECTION={}: element {} is of type {}", spelled(card.keyword),
                            card.value("SECTION"), model.mesh.element_label(e), deck::name(type)),
                hollow ? "pipes and boxes are of B32R" : "round sections are of B32 and B32R");
  }
}

/// Outer radius and thickness.
void read_pipe(const Reader& reader, Fields& sizes, Line line, std::string_view keyword,
               model::Profile& profile) {
  const double radius = size_of(reader, sizes.next(), line, keyword);
  profile.wall[0] = size_of(reader, sizes.next(), line, keyword);
  if (profile.wall[0] > radius)
    reader.fail(line, fmt::format("{}: a pipe of radius {} is {} thick", keyword, radius, profile.wall[0]),
                "give the outer radius and the thickness");
  profile.size = {2 * radius, 2 * radius};
}

/// Sizes along axes 1 and 2, then the walls, of which some may be zero.
void read_box(const Reader& reader, Fields& sizes, Line line, std::string_view keyword,
              model::Profile& profile) {
  for (double& size : profile.size) size = size_of(reader, sizes.next(), line, keyword);
  double sum = 0;
  for (std::size_t i = 0; i < profile.wall.size(); ++i) {
    double& wall = profile.wall[i];
    wall = reader.real(sizes.next(), line, "the thickness of the wall");
    if (!(wall >= 0) || !(wall < profile.size[i % 2]))
      reader.fail(line, fmt::format("{}: a wall of the box is {} thick", keyword, wall),
                  "it is less than the size of the box, and not negative");
    sum += wall;
  }
  if (sum == 0) reader.fail(line, fmt::format("{}: the box has no walls", keyword), "give their thickness");
}

double area_of(const model::Profile& profile) {
  const double box = profile.size[0] * profile.size[1];
  switch (profile.shape) {
    case model::ProfileShape::ellipse:
      return std::numbers::pi / 4 * box;
    case model::ProfileShape::pipe:
      return std::numbers::pi * profile.wall[0] * (profile.size[0] - profile.wall[0]);
    case model::ProfileShape::box: {  // along the middle of the walls
      const auto& wall = profile.wall;
      return (wall[0] + wall[2]) * (profile.size[1] - (wall[1] + wall[3]) / 2) +
             (wall[1] + wall[3]) * (profile.size[0] - (wall[0] + wall[2]) / 2);
    }
    default:
      return box;
  }
}

}  // namespace

void read_beam_section(Reader& reader, const Card& card) {
  reader.check_parameters(
      card, {"ELSET", "MATERIAL", "ORIENTATION", "SECTION", "OFFSET1", "OFFSET2", "NODALTHICKNESS"});
  const std::string keyword(spelled(card.keyword));
  model::Profile profile;
  profile.shape = profile_shape(reader, card);
  model::Section section = begin_section(reader, card, model::Family::beam);
  refuse_orientation(reader, card, section);
  require_elements(reader, card, section, profile.shape);
  profile.offset = {offset_of(reader, card, "OFFSET1"), offset_of(reader, card, "OFFSET2")};
  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, keyword + " without a thickness",
                "give those along axes 1 and 2 on the next line");
  Fields sizes(lines.text());
  if (profile.shape == model::ProfileShape::pipe) {
    read_pipe(reader, sizes, lines.line(), keyword, profile);
  } else if (profile.shape == model::ProfileShape::box) {
    read_box(reader, sizes, lines.line(), keyword, profile);
  } else {
    profile.size[0] = size_of(reader, sizes.next(), lines.line(), keyword);
    const std::string_view second = sizes.next();
    profile.size[1] = second.empty() ? profile.size[0] : size_of(reader, second, lines.line(), keyword);
  }
  if (lines.next()) {
    Fields fields(lines.text());
    double length = 0;
    for (double& x : profile.first_axis) {
      x = reader.real(fields.next(), lines.line(), "the component", 0.0);
      length = std::hypot(length, x);
    }
    if (!(length > 0) || !std::isfinite(length))
      reader.fail(lines.line(), keyword + ": axis 1 has no length", "give its three components");
    for (double& x : profile.first_axis) x /= length;
  }
  section.thickness = area_of(profile);
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
