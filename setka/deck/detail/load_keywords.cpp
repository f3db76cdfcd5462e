// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *CLOAD, *DLOAD, *DSLOAD, *TEMPERATURE.
#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/element_names.hpp"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"

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

/// kind: "P3"
void add_pressure(Reader& reader, model::DistributedLoad load, std::string_view who, std::string_view kind) {
  std::int64_t number = 0;
  if (!io::parse_integer(kind.substr(1), number)) {
    reader.unsupported(load.line, fmt::format("*DLOAD, load {}", kind.substr(0, 40)));
    return;
  }
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
  reader.check_parameters(card, {"OP", "AMPLITUDE", "LOADCASE"},
                          {"TIMEDELAY", "USER", "SECTOR", "SUBMODEL", "STEP", "DATASET", "OMEGA0"});
  const bool imaginary = is_imaginary(reader, card);
  if (card.has("USER") || card.has("SUBMODEL")) return;
  apply_operation(reader, card, reader.seen_point_loads, current_step(reader).operations.new_point_loads);
  const std::int32_t amplitude = reader.amplitude(card);
  DataLines lines = reader.data(card);
  while (lines.next()) {
    const Line line = lines.line();
    const DofValue load = dof_value(reader, lines, "*CLOAD", "the force", 6);
    if (load.direction > 3) {
      reader.warn_if_supported(line, "*CLOAD: these nodes have no rotations; the moment is ignored");
      continue;
    }
    for (const std::int32_t node : reader.nodes(load.who, line, "*CLOAD"))
      current_step(reader).point_loads.push_back(
          {node, load.direction, load.value, amplitude, line, imaginary});
  }
}

void read_distributed_load(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE", "LOADCASE"}, {"TIMEDELAY", "USER", "SECTOR"});
  const bool imaginary = is_imaginary(reader, card);
  apply_operation(reader, card, reader.seen_distributed,
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
    } else if (kind == "NEWTON" || kind == "P" || kind == "PN" || kind == "PP" || kind.starts_with("ED") ||
               kind.starts_with("BF") || kind.starts_with("CORIO") || kind.find("NU") != std::string::npos) {
      reader.unsupported(load.line, fmt::format("*DLOAD, load {}", kind.substr(0, 40)));
    } else {
      reader.fail(load.line, fmt::format("*DLOAD: there is no load '{}'", kind.substr(0, 40)),
                  "there are P1 to P6, GRAV and CENTRIF");
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
  apply_operation(reader, card, reader.seen_distributed,
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

void read_temperature(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"OP", "AMPLITUDE"},
                          {"TIMEDELAY", "USER", "SUBMODEL", "STEP", "FILE", "BSTEP", "DATASET"});
  if (card.has("USER") || card.has("SUBMODEL") || card.has("FILE")) return;
  if (reader.model().initial_temperatures.empty() && !reader.anything_unsupported()) {
    reader.fail(card.line, "*TEMPERATURE, but the temperatures to start from are not given",
                "add *INITIAL CONDITIONS, TYPE=TEMPERATURE before the first step");
  }
  apply_operation(reader, card, reader.seen_temperatures, current_step(reader).operations.new_temperatures);
  const std::int32_t amplitude = reader.amplitude(card);
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
