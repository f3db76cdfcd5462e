// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *CLOAD, *DLOAD, *DSLOAD, *TEMPERATURE.
#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/element_names.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"
#include "setka/io/frd_temperatures.hpp"
#include "setka/model/attributes.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

model::Step& current_step(Reader& reader) {
  return reader.model().steps.back();
}

void read_vector(const Reader& reader, Fields& fields, Line line, std::array<double, 3>& to) {
  for (double& x : to) x = reader.real(fields.next(), line, "the component", 0.0);
}

/// The length of a direction becomes 1.
void normalize(const Reader& reader, Line line, std::string_view what, std::array<double, 3>& direction) {
  const double length = std::hypot(direction[0], direction[1], direction[2]);
  if (!(length > 0) || !std::isfinite(length))
    reader.fail(line, fmt::format("{}: the direction has no length", what), "give its three components");
  for (double& x : direction) x /= length;
}

/// A load of every element that the line names.
void add_body_load(Reader& reader, model::DistributedLoad load, std::string_view who) {
  for (const std::int32_t element : reader.distinct_elements(who, load.line, "*DLOAD")) {
    load.element = element;
    current_step(reader).distributed_loads.push_back(load);
  }
}

/// The face of the solid that a surface or beam becomes: P of shells and membranes, EDNOR1 to 4, P1 and P2 of
/// beams. None:
/// there is no such load of it. Edges carry force by length.
struct SectionFace {
  std::int32_t face;
  bool by_thickness = false;
};
std::optional<SectionFace> section_face(const model::ElementType& type, std::string_view kind) {
  if (type.family == model::Family::beam) {
    if (kind == "P1") return SectionFace{0};
    if (kind == "P2") return SectionFace{4};
    return std::nullopt;
  }
  if (kind == "P" || kind == "P1") return SectionFace{0};
  if (kind == "P2") return SectionFace{1};  // of the other side
  const std::string_view edge = "EDNOR";
  if (!kind.starts_with(edge) || kind.size() != edge.size() + 1) return std::nullopt;
  const int number = kind.back() - '0';
  if (number < 1 || number > mesh::face_count(type.cell)) return std::nullopt;
  return SectionFace{number + 1, true};
}

/// Thickness of a surface, which edges are pressed over. section_of: of the elements; empty: not asked for
/// yet
double thickness_of(Reader& reader, std::int32_t element, Line line, std::vector<std::int32_t>& section_of) {
  const model::Model& model = reader.model();
  if (!model.nodal_thicknesses.empty()) reader.unsupported(line, "*DLOAD, EDNOR with *NODAL THICKNESS");
  if (section_of.empty()) section_of = model::sections_of_elements(model);
  const std::int32_t section = section_of[static_cast<std::size_t>(element)];
  if (section >= 0) return model.sections[static_cast<std::size_t>(section)].thickness;
  if (!reader.anything_unsupported())
    reader.fail(line, fmt::format("*DLOAD: element {} has no thickness", model.mesh.element_label(element)),
                "add *SHELL SECTION or *MEMBRANE SECTION for a set that holds it");
  return 1;
}

/// Pressures on shells, membranes and beams, kind: "P", "EDNOR3", "P1". False where the elements are others.
bool add_section_pressure(Reader& reader, model::DistributedLoad load, std::string_view who,
                          std::string_view kind) {
  const mesh::Mesh& mesh = reader.model().mesh;
  const auto elements = reader.elements(who, load.line, "*DLOAD");
  if (elements.empty()) return true;  // a warning said so
  if (!model::has_profile(model::family(mesh, elements.front()))) return false;
  const double value = load.value;
  std::vector<std::int32_t> section_of;
  for (const std::int32_t element : elements) {
    const model::ElementType type = model::element_type(mesh, element);
    const auto face = model::has_profile(type.family) ? section_face(type, kind) : std::nullopt;
    if (!face)
      reader.fail(load.line,
                  fmt::format("element {} of type {} has no load '{}'", mesh.element_label(element),
                              deck::name(type), kind.substr(0, 20)),
                  "shells and membranes have P and EDNOR1 to 4, beams P1 and P2, solids P1 to P6; use one "
                  "*DLOAD line "
                  "for each");
    load.element = element;
    load.face = face->face;
    load.value = face->by_thickness ? value / thickness_of(reader, element, load.line, section_of) : value;
    current_step(reader).distributed_loads.push_back(load);
  }
  return true;
}

/// kind: "P3"
void add_pressure(Reader& reader, model::DistributedLoad load, std::string_view who, std::string_view kind) {
  std::int64_t number = 0;
  if (!io::parse_integer(kind.substr(1), number)) {
    reader.unsupported(load.line, fmt::format("*DLOAD, load {}", kind.substr(0, 40)));
    return;
  }
  if (add_section_pressure(reader, load, who, kind)) return;
  const mesh::Mesh& mesh = reader.model().mesh;
  for (const std::int32_t element : reader.elements(who, load.line, "*DLOAD")) {
    const int faces = mesh::face_count(mesh.cell(element));
    if (number < 1 || number > faces)
      reader.fail(load.line,
                  fmt::format("element {} of type {} has no face '{}'", mesh.element_label(element),
                              deck::name(mesh, element), kind.substr(0, 20)),
                  faces == 0 ? "it has no faces" : fmt::format("it has P1 to P{}", faces));
    load.element = element;
    load.face = static_cast<std::int32_t>(number - 1);
    current_step(reader).distributed_loads.push_back(load);
  }
}

}  // namespace

void apply_operation(Reader& reader, const Card& card, bool& seen, bool& is_new) {
  const std::string_view operation = card.value("OP");
  if (!operation.empty() && operation != "NEW" && operation != "MOD")
    reader.fail(card.line, fmt::format("{}: OP is {}", spelled(card.keyword), operation.substr(0, 40)),
                "it is NEW or MOD");
  if (std::exchange(seen, true)) {
    if (operation == "NEW" && !is_new)
      reader.warn(card.line, fmt::format("{}: OP counts on the first such card of a step and is ignored here",
                                         spelled(card.keyword)));
    return;
  }
  is_new = operation == "NEW";
}

bool is_imaginary(Reader& reader, const Card& card) {
  if (!card.has("LOADCASE") || card.value("LOADCASE") == "1") return false;
  if (card.value("LOADCASE") == "2" && card.in_step &&
      std::holds_alternative<model::SteadyStateStep>(current_step(reader).procedure))
    return true;
  reader.unsupported(card.line, fmt::format("{}, LOAD CASE={} outside *STEADY STATE DYNAMICS",
                                            spelled(card.keyword), card.value("LOADCASE").substr(0, 40)));
  return false;
}

std::int32_t sector_of(Reader& reader, const Card& card) {
  if (!card.has("SECTOR")) return 1;
  const model::Model& model = reader.model();
  const auto& procedure = current_step(reader).procedure;
  bool by_diameters = false;
  for (const model::Step& step : model.steps) {
    if (const auto* modes = std::get_if<model::FrequencyStep>(&step.procedure))
      by_diameters = modes->diameters.has_value();
  }
  const bool sums = std::holds_alternative<model::ModalDynamicStep>(procedure) ||
                    std::holds_alternative<model::SteadyStateStep>(procedure);
  if (!model.cyclic || !by_diameters || !sums) {
    if (!reader.anything_unsupported())
      reader.fail(card.line,
                  fmt::format("{}: SECTOR is of sums of modes by nodal diameters", spelled(card.keyword)),
                  "put it into *MODAL DYNAMIC or *STEADY STATE DYNAMICS after *FREQUENCY with *SELECT CYCLIC "
                  "SYMMETRY MODES; loads of other steps act on all sectors alike");
    return 1;
  }
  const std::int64_t sector = reader.integer(card.value("SECTOR"), card.line, "SECTOR");
  if (sector < 1 || sector > model.cyclic->sectors)
    reader.fail(card.line, fmt::format("{}: SECTOR is {}", spelled(card.keyword), sector),
                fmt::format("the sectors are 1, that of the mesh, to {}", model.cyclic->sectors));
  return static_cast<std::int32_t>(sector);
}

std::int32_t degree_of_freedom(const Reader& reader, std::string_view field, Line line,
                               std::string_view asked_by, int last) {
  const std::int64_t direction = reader.integer(field, line, "the degree of freedom");
  if (direction < 1 || direction > last)
    reader.fail(line, fmt::format("{}: degree of freedom {}", asked_by, direction), "it is 1, 2 or 3");
  return static_cast<std::int32_t>(direction);
}

DofValue dof_value(const Reader& reader, const DataLines& lines, std::string_view asked_by,
                   std::string_view what, int last) {
  Fields fields(lines.text());
  const std::string_view who = fields.next();
  const std::int32_t direction = degree_of_freedom(reader, fields.next(), lines.line(), asked_by, last);
  return {who, direction, reader.real(fields.next(), lines.line(), what, 0.0)};
}

void read_point_load(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "LOADCASE", "SECTOR"},
                          {"TIMEDELAY", "USER", "SUBMODEL", "STEP", "DATASET", "OMEGA0"});
  const bool imaginary = is_imaginary(reader, card);
  const std::int32_t sector = sector_of(reader, card);
  if (card.has("USER") || card.has("SUBMODEL")) return;
  apply_operation(reader, card, reader.seen.point_loads, current_step(reader).operations.new_point_loads);
  const std::int32_t amplitude = reader.amplitude(card);
  DataLines lines = reader.data(card);
  while (lines.next()) {
    const Line line = lines.line();
    const DofValue load = dof_value(reader, lines, "*CLOAD", "the force", 6);
    bool without_rotations = false;
    for (const std::int32_t node : reader.nodes(load.who, line, "*CLOAD")) {
      const auto at = reader.user_direction(node, load.direction);
      without_rotations |= !at;
      if (at)
        current_step(reader).point_loads.push_back(
            {at->node, at->direction, load.value, amplitude, line, imaginary, sector});
    }
    if (without_rotations)
      reader.warn_if_supported(line, "*CLOAD: these nodes have no rotations; the moment is ignored");
  }
}

void read_distributed_load(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "LOADCASE", "SECTOR"}, {"TIMEDELAY", "USER"});
  const bool imaginary = is_imaginary(reader, card);
  const std::int32_t sector = sector_of(reader, card);
  apply_operation(reader, card, reader.seen.distributed,
                  current_step(reader).operations.new_distributed_loads);
  const std::int32_t amplitude = reader.amplitude(card);
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    const std::string kind = word(fields.next());
    model::DistributedLoad load{};
    load.amplitude = amplitude;
    load.line = lines.line();
    load.imaginary = imaginary;
    load.sector = sector;
    if (kind == "GRAV" || kind == "CENTRIF") {
      load.value = reader.real(fields.next(), load.line, "the size", 0.0);
      load.kind = kind == "GRAV" ? model::DistributedKind::gravity : model::DistributedKind::centrifugal;
      if (kind == "CENTRIF") read_vector(reader, fields, load.line, load.point);
      read_vector(reader, fields, load.line, load.direction);
      normalize(reader, load.line, "*DLOAD, " + kind, load.direction);
      add_body_load(reader, load, who);
    } else if (kind.size() == 4 && kind[0] == 'P' && kind.ends_with("NP")) {
      const std::int32_t node = reader.node(fields.next(), load.line, "*DLOAD");
      auto& loads = current_step(reader).distributed_loads;
      const std::size_t first = loads.size();
      add_pressure(reader, load, who, std::string_view(kind).substr(0, 2));
      for (std::size_t i = first; i < loads.size(); ++i) reader.node_pressures.push_back({i, node});
    } else if (kind.starts_with('P') && kind.size() > 1 && kind[1] >= '0' && kind[1] <= '9' &&
               kind.find("NU") == std::string::npos) {
      load.value = reader.real(fields.next(), load.line, "the pressure", 0.0);
      add_pressure(reader, load, who, kind);
    } else if (kind == "NEWTON") {
      load.kind = model::DistributedKind::attraction;
      load.value = 1;
      if (!reader.model().constants.newton_gravity)
        reader.fail(load.line, "*DLOAD, NEWTON: the constant of gravitation is not known",
                    "give it by *PHYSICAL CONSTANTS, NEWTON GRAVITY= before the first step");
      add_body_load(reader, load, who);
    } else if (kind == "P" || kind.starts_with("EDNOR")) {
      load.value = reader.real(fields.next(), load.line, "the pressure", 0.0);
      if (kind.find("NU") != std::string::npos || !add_section_pressure(reader, load, who, kind))
        reader.unsupported(load.line, fmt::format("*DLOAD, load {}", kind.substr(0, 40)));
    } else if (kind == "PN" || kind == "PP" || kind.starts_with("ED") || kind.starts_with("BF") ||
               kind.starts_with("CORIO") || kind.find("NU") != std::string::npos) {
      reader.unsupported(load.line, fmt::format("*DLOAD, load {}", kind.substr(0, 40)));
    } else {
      reader.fail(load.line, fmt::format("*DLOAD: there is no load '{}'", kind.substr(0, 40)),
                  "there are P1 to P6, GRAV, CENTRIF and NEWTON");
    }
  }
}

void resolve_node_pressures(Reader& reader) {
  if (reader.node_pressures.empty()) return;
  // Only a node outside all elements is surely no unknown of the structure.
  const model::Model& model = reader.model();
  std::vector<char> in_element(static_cast<std::size_t>(model.mesh.node_count()), 0);
  for (std::int32_t element = 0; element < model.mesh.element_count(); ++element) {
    for (const std::int32_t node : model.mesh.nodes(element)) in_element[static_cast<std::size_t>(node)] = 1;
  }
  model::Step& step = current_step(reader);
  for (const Reader::NodePressure& pressure : reader.node_pressures) {
    model::DistributedLoad& load = step.distributed_loads[pressure.load];
    bool found = false;
    for (const model::PrescribedValue& value : step.prescribed) {
      if (value.node != pressure.node || value.direction != 2) continue;
      load.value = value.value;
      load.amplitude = value.amplitude;
      found = true;
    }
    if (!found || in_element[static_cast<std::size_t>(pressure.node)] != 0) {
      reader.unsupported(load.line, "*DLOAD, a pressure that is computed at a node");
      break;
    }
  }
  reader.node_pressures.clear();
}

void read_surface_load(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE"}, {"TIMEDELAY", "SUBMODEL", "STEP", "DATASET"});
  if (card.has("SUBMODEL")) return;
  apply_operation(reader, card, reader.seen.distributed,
                  current_step(reader).operations.new_distributed_loads);
  const std::int32_t amplitude = reader.amplitude(card);
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    const std::int32_t position = reader.surface(word(fields.next()), line, "*DSLOAD");
    const std::string_view kind = fields.next();
    if (word(kind) != "P")
      reader.fail(line, fmt::format("*DSLOAD: there is no load '{}'", word(kind).substr(0, 40)),
                  "write the surface, P and the pressure");
    model::DistributedLoad load{};
    load.value = reader.real(fields.next(), line, "the pressure", 0.0);
    load.amplitude = amplitude;
    load.line = line;
    const model::Surface& surface = reader.model().surfaces[static_cast<std::size_t>(position)];
    if (surface.of_nodes)
      reader.fail(line, fmt::format("*DSLOAD: surface {} is made of nodes", surface.name),
                  "a pressure needs a *SURFACE,TYPE=ELEMENT");
    for (const model::ElementFace& face : surface.faces) {
      load.element = face.element;
      load.face = face.face;
      current_step(reader).distributed_loads.push_back(load);
    }
  }
}

namespace {

/// *TEMPERATURE, FILE=: those that an earlier run has written for nodes of the same numbers.
void take_temperatures_of_file(Reader& reader, const Card& card, std::int32_t amplitude) {
  std::optional<int> step;
  if (card.has("BSTEP")) {
    const std::int64_t number = reader.integer(card.value("BSTEP"), card.line, "BSTEP");
    if (number < 1 || number > std::numeric_limits<int>::max())
      reader.fail(card.line, fmt::format("*TEMPERATURE: BSTEP={}", number),
                  "steps of the file are counted from 1");
    step = static_cast<int>(number);
  }
  const io::FrdTemperatures found = io::read_frd_temperatures(card.input, step);
  std::int64_t taken = 0;
  for (std::size_t i = 0; i < found.node.size(); ++i) {
    const std::int32_t node = reader.mesh().find_node(found.node[i]);
    if (node < 0) continue;  // of a part that is not in this model
    current_step(reader).temperatures.push_back({node, found.value[i], amplitude});
    ++taken;
  }
  if (taken == 0)
    reader.fail(card.line, fmt::format("*TEMPERATURE: {} has no node of this deck", card.input.string()),
                "take the result file of a run with the same node numbers");
  if (taken < reader.mesh().node_count())
    reader.warn(card.line,
                fmt::format("*TEMPERATURE: {} has temperatures of {} of {} nodes; the others keep theirs",
                            card.input.filename().string(), taken, reader.mesh().node_count()));
}

}  // namespace

void read_temperature(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "FILE", "BSTEP"},
                          {"TIMEDELAY", "USER", "SUBMODEL", "STEP", "DATASET"});
  if (card.has("USER") || card.has("SUBMODEL")) return;
  if (reader.model().initial_temperatures.empty() && !reader.anything_unsupported()) {
    reader.fail(card.line, "*TEMPERATURE, but the temperatures to start from are not given",
                "add *INITIAL CONDITIONS, TYPE=TEMPERATURE before the first step");
  }
  apply_operation(reader, card, reader.seen.temperatures, current_step(reader).operations.new_temperatures);
  const std::int32_t amplitude = reader.amplitude(card);
  if (card.has("FILE")) {
    take_temperatures_of_file(reader, card, amplitude);
  } else if (card.has("BSTEP")) {
    reader.fail(card.line, "*TEMPERATURE: BSTEP without FILE",
                "add FILE=name of the .frd file that has the step");
  }
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const std::string_view who = fields.next();
    const double value = reader.real(fields.next(), lines.line(), "the temperature", 0.0);
    for (const std::int32_t node : reader.nodes(who, lines.line(), "*TEMPERATURE"))
      current_step(reader).temperatures.push_back({node, value, amplitude});
  }
}

}  // namespace setka::deck::detail
