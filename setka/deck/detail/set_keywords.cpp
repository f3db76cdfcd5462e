// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *NSET, *ELSET, *SURFACE.
#include <algorithm>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

/// What a card named that is not there: CalculiX ignores it as well, with a warning.
struct Missing {
  std::int64_t count = 0;
  std::int32_t first = 0;

  void add(std::int32_t label) {
    if (count++ == 0) first = label;
  }
  void tell(Reader& reader, const Card& card, std::string_view kind) const {
    if (count == 0) return;
    reader.warn(card.line, count == 1
                               ? fmt::format("{} {} does not exist and is left out of the set", kind, first)
                               : fmt::format("{} {}s do not exist and are left out of the set, {} first",
                                             count, kind, first));
  }
};

/// Sets that name themselves over and over would double each time.
void check_size(const Reader& reader, Line line, std::size_t size, std::int32_t count) {
  constexpr std::size_t often = 16;
  if (size > often * static_cast<std::size_t>(count) + 1024)
    reader.fail(line, fmt::format("the set would have {} members in a mesh of {}", size, count),
                "name each set once");
}

/// A line of GENERATE.
struct Range {
  std::int32_t first;
  std::int32_t last;
  std::int32_t step;
  std::int64_t size() const { return (std::int64_t{last} - first) / step + 1; }
  bool holds(std::int32_t label) const {
    return label >= first && label <= last && (label - first) % step == 0;
  }
};

Range read_range(const Reader& reader, const DataLines& lines) {
  Fields fields(lines.text());
  const Line line = lines.line();
  Range range{};
  range.first = reader.label(fields.next(), line, "the first number");
  const std::string_view last = fields.next();
  range.last = last.empty() ? range.first : reader.label(last, line, "the last number");
  const std::string_view step = fields.next();
  range.step = step.empty() ? 1 : reader.label(step, line, "the increment");
  if (range.last < range.first)
    reader.fail(line, fmt::format("the range goes from {} down to {}", range.first, range.last),
                "give the smaller number first");
  return range;
}

/// Members of a range, in the order of their numbers; a range much longer than the mesh walks the mesh.
/// find: from a number to a position or none; label_of: back.
template <class Find, class LabelOf>
void add_range(const Range& range, std::int32_t count, const Find& find, const LabelOf& label_of,
               std::vector<std::int32_t>& to) {
  if (range.size() <= 4 * std::int64_t{count} + 16) {
    for (std::int64_t label = range.first; label <= range.last; label += range.step) {
      const std::int32_t position = find(label);
      if (position >= 0) to.push_back(position);
    }
    return;
  }
  const auto begin = static_cast<std::ptrdiff_t>(to.size());
  for (std::int32_t i = 0; i < count; ++i) {
    if (range.holds(label_of(i))) to.push_back(i);
  }
  std::sort(to.begin() + begin, to.end(),
            [&](std::int32_t a, std::int32_t b) { return label_of(a) < label_of(b); });
}

/// CalculiX knows every number up to the highest: a number of a range that no *NODE gave is a node at the
/// origin, without elements. Where numbers are sparse those in between are left out: a deck could ask for
/// billions.
void add_unset_nodes(const Range& range, mesh::Mesh& mesh) {
  if (mesh.highest_node_label() > 4 * std::int64_t{mesh.node_count()} + 1024) return;
  const std::int64_t last = std::min(range.last, mesh.highest_node_label());
  for (std::int64_t label = range.first; label <= last; label += range.step) {
    if (mesh.find_node(label) < 0) mesh.add_node(static_cast<std::int32_t>(label), 0, 0, 0);
  }
}

void add_faces(Reader& reader, model::Surface& surface, Fields fields, Line line) {
  const std::string_view who = fields.next();
  const std::string face = word(fields.next());
  for (const std::int32_t element : reader.elements(who, line, "*SURFACE")) {
    const mesh::Mesh& mesh = reader.model().mesh;
    if (face == "SP" || face == "SN" || face == "SPOS" || face == "SNEG") {
      reader.unsupported(line, fmt::format("*SURFACE, face {} of a plane element", face));
      return;
    }
    if (model::family(mesh, element) == model::Family::beam) {
      reader.unsupported(line, "*SURFACE of faces of beams");
      return;
    }
    std::int64_t number = 0;
    const bool is_face =
        face.size() > 1 && face[0] == 'S' && io::parse_integer(std::string_view(face).substr(1), number);
    const int faces = mesh::face_count(mesh.cell(element));
    if (!is_face || number < 1 || number > faces)
      reader.fail(line,
                  fmt::format("element {} of type {} has no face '{}'", mesh.element_label(element),
                              deck::name(mesh, element), face.substr(0, 20)),
                  faces == 0 ? "it has no faces" : fmt::format("it has S1 to S{}", faces));
    surface.faces.push_back({element, static_cast<std::int32_t>(number - 1)});
  }
}

}  // namespace

void read_node_set(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NSET", "GENERATE", "UNSORTED", "INTERNAL", "INSTANCE"}, {"ELSET"});
  model::Model& model = reader.model();
  const std::int32_t position = reader.open_node_set(reader.required(card, "NSET"));
  std::vector<std::int32_t> added;
  Missing missing;
  DataLines lines = reader.data(card);
  while (lines.next()) {
    if (card.has("GENERATE")) {
      const Range range = read_range(reader, lines);
      add_unset_nodes(range, model.mesh);
      add_range(
          range, model.mesh.node_count(), [&](std::int64_t label) { return model.mesh.find_node(label); },
          [&](std::int32_t node) { return model.mesh.node_label(node); }, added);
      continue;
    }
    Fields fields(lines.text());
    while (!fields.done()) {
      const std::string_view field = fields.next();
      if (field.empty()) continue;
      std::int64_t number = 0;
      if (io::parse_integer(field, number)) {
        const std::int32_t label = reader.label(field, lines.line(), "the node");
        const std::int32_t node = model.mesh.find_node(label);
        if (node >= 0) {
          added.push_back(node);
        } else {
          missing.add(label);
        }
        continue;
      }
      const std::int32_t other = reader.node_set(word(field), lines.line(), "*NSET");
      const auto& members = model.node_sets[static_cast<std::size_t>(other)].nodes;
      check_size(reader, lines.line(), added.size() + members.size(), model.mesh.node_count());
      added.insert(added.end(), members.begin(), members.end());
    }
  }
  missing.tell(reader, card, "node");
  auto& nodes = model.node_sets[static_cast<std::size_t>(position)].nodes;
  nodes.insert(nodes.end(), added.begin(), added.end());
}

void read_element_set(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"ELSET", "GENERATE", "UNSORTED", "INTERNAL", "INSTANCE"});
  model::Model& model = reader.model();
  const std::int32_t position = reader.open_element_set(reader.required(card, "ELSET"));
  const auto set = static_cast<std::size_t>(position);
  std::vector<std::int32_t> added;
  Missing missing;
  DataLines lines = reader.data(card);
  while (lines.next()) {
    if (card.has("GENERATE")) {
      add_range(
          read_range(reader, lines), model.mesh.element_count(),
          [&](std::int64_t label) { return model.mesh.find_element(label); },
          [&](std::int32_t element) { return model.mesh.element_label(element); }, added);
      if (reader.anything_unsupported()) reader.element_set_partial[set] = 1;
      continue;
    }
    Fields fields(lines.text());
    while (!fields.done()) {
      const std::string_view field = fields.next();
      if (field.empty()) continue;
      std::int64_t number = 0;
      if (io::parse_integer(field, number)) {
        const std::int32_t label = reader.label(field, lines.line(), "the element");
        const std::int32_t element = model.mesh.find_element(label);
        if (element >= 0) {
          added.push_back(element);
        } else if (reader.skipped(label)) {
          reader.element_set_partial[set] = 1;
          const auto coupling = reader.coupling_node.find(label);
          if (coupling != reader.coupling_node.end())
            reader.couplings[model.element_sets[set].name].push_back(coupling->second);
        } else {
          missing.add(label);
        }
        continue;
      }
      const std::int32_t other = reader.element_set(word(field), lines.line(), "*ELSET");
      const auto& members = model.element_sets[static_cast<std::size_t>(other)].elements;
      check_size(reader, lines.line(), added.size() + members.size(), model.mesh.element_count());
      added.insert(added.end(), members.begin(), members.end());
      if (reader.element_set_partial[static_cast<std::size_t>(other)] != 0)
        reader.element_set_partial[set] = 1;
    }
  }
  missing.tell(reader, card, "element");
  auto& elements = model.element_sets[set].elements;
  elements.insert(elements.end(), added.begin(), added.end());
}

void read_surface(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME", "TYPE", "INTERNAL"});
  const std::string name = reader.required(card, "NAME");
  const std::string_view type = card.value("TYPE");
  if (!type.empty() && type != "NODE" && type != "ELEMENT")
    reader.fail(card.line, fmt::format("*SURFACE: TYPE is {}", type.substr(0, 20)), "it is ELEMENT or NODE");
  model::Surface surface;
  surface.name = name;
  surface.of_nodes = type == "NODE";
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    if (surface.of_nodes) {
      const auto nodes = reader.nodes(fields.next(), lines.line(), "*SURFACE");
      surface.nodes.insert(surface.nodes.end(), nodes.begin(), nodes.end());
    } else {
      add_faces(reader, surface, fields, lines.line());
    }
  }
  Reader::Names& names = surface.of_nodes ? reader.node_surfaces : reader.surfaces;
  const auto [at, added] =
      names.positions.try_emplace(name, static_cast<std::int32_t>(reader.model().surfaces.size()));
  if (!added)
    reader.fail(card.line, fmt::format("*SURFACE: surface {} is defined twice", name),
                "give one of them another name");
  reader.model().surfaces.push_back(std::move(surface));
}

}  // namespace setka::deck::detail
