// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *HEADING, *NODE, *ELEMENT.
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/deck/detail/pieces.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/model/element_type.hpp"

namespace setka::deck::detail {
namespace {

/// Elements that CalculiX has and Setka has not; their numbers of nodes tell where an element ends.
struct OtherType {
  std::string_view name;
  int nodes;
};
constexpr std::array other_types{
    OtherType{"B21", 2},      OtherType{"T2D2", 2},     OtherType{"T3D3", 3},    OtherType{"D", 3},
    OtherType{"GAPUNI", 2},   OtherType{"DC3D4", 4},    OtherType{"DC3D6", 6},   OtherType{"DC3D8", 8},
    OtherType{"DC3D10", 10},  OtherType{"DC3D15", 15},  OtherType{"DC3D20", 20}, OtherType{"C3D10T", 10},
    OtherType{"C3D20RB", 20}, OtherType{"C3D20RH", 20}, OtherType{"F3D4", 4},    OtherType{"F3D6", 6},
    OtherType{"F3D8", 8},     OtherType{"DCAX3", 3},    OtherType{"DCAX4", 4},   OtherType{"DCAX6", 6},
    OtherType{"DCAX8", 8},
};

std::optional<int> nodes_of_other_type(std::string_view name) {
  for (const OtherType& type : other_types) {
    if (type.name == name) return type.nodes;
  }
  if (name.starts_with('U')) return 0;  // a user element: one a line
  return std::nullopt;
}

[[noreturn]] void fail_unknown_type(const Reader& reader, const Card& card, const std::string& name) {
  std::vector<std::string> names;
  names.reserve(deck::elements().size());
  for (const deck::NamedElement& known : deck::elements()) names.emplace_back(known.name);
  const std::string near = nearest_word(name, names);
  reader.fail(card.line, fmt::format("*ELEMENT: there is no element type {}", name.substr(0, 40)),
              near.empty() ? "there are " + join_words(names) : "did you mean " + near + "?");
}

/// About as many lines as the card has data, from the length of the first.
std::int64_t expected_lines(const Reader& reader, const Card& card) {
  DataLines lines = reader.data(card);
  return lines.next() ? card.bytes / static_cast<std::int64_t>(lines.text().size() + 1) + 1 : 0;
}

int field_count(std::string_view line) {
  Fields fields(line);
  int count = 0;
  for (; !fields.done(); ++count) fields.next();
  return count;
}

/// Elements of a type that is not supported: their numbers, so that sets and loads may name them.
void skip_elements(Reader& reader, const Card& card, int nodes) {
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    reader.skip_element(reader.label(fields.next(), lines.line(), "the element"));
    int missing = nodes - (field_count(lines.text()) - 1);
    while (missing > 0 && lines.next()) missing -= field_count(lines.text());
  }
}

/// Reads the nodes of one element, over several lines where they do not end the line before.
class ElementNodes {
 public:
  ElementNodes(const Reader& reader, const mesh::Mesh& mesh, DataLines& lines, const model::ElementType& type)
      : reader_(reader), mesh_(mesh), lines_(lines), type_(type), wanted_(mesh::node_count(type.cell)) {}

  std::span<const std::int32_t> read(std::int32_t element, Fields fields) {
    const Line began = lines_.line();
    int count = 0;
    while (count < wanted_) {
      if (fields.done()) {
        DataLines ahead = lines_;
        if (!ahead.next() || field_count(ahead.text()) > wanted_ - count) fail_count(began, element, count);
        lines_ = ahead;
        fields = Fields(lines_.text());
      }
      nodes_[static_cast<std::size_t>(count++)] = node(element, fields.next());
    }
    while (!fields.done()) {
      if (!fields.next().empty()) surplus_ = surplus_ == 0 ? element : surplus_;
    }
    if (type_.cell == mesh::Cell::line3) std::swap(nodes_[1], nodes_[2]);  // decks have the middle between
    return {nodes_.data(), static_cast<std::size_t>(wanted_)};
  }

  /// The first element that had more nodes than its type, or 0; CalculiX ignores them as well.
  std::int32_t surplus() const { return surplus_; }

 private:
  std::int32_t node(std::int32_t element, std::string_view field) const {
    std::int64_t number = 0;
    if (io::parse_integer(field, number)) {
      const std::int32_t position = mesh_.find_node(number);
      if (position >= 0) [[likely]]
        return position;
    }
    number = reader_.label(field, lines_.line(), "the node");
    reader_.fail(lines_.line(), fmt::format("element {} has node {}, which does not exist", element, number),
                 "define it by *NODE");
  }

  [[noreturn]] void fail_count(Line line, std::int32_t element, int count) const {
    reader_.fail(line,
                 fmt::format("element {} has {} node{}, but {} has {}", element, count, count == 1 ? "" : "s",
                             deck::name(type_), wanted_),
                 "give as many, or the TYPE that is meant");
  }

  const Reader& reader_;
  const mesh::Mesh& mesh_;
  DataLines& lines_;
  model::ElementType type_;
  int wanted_;
  std::int32_t surplus_ = 0;
  std::array<std::int32_t, 20> nodes_{};
};

struct ElementRows {
  struct Head {
    std::int32_t label;
    Line line;
  };
  std::vector<Head> heads;
  std::vector<std::int32_t> nodes;  // of all of them, one after the other
  std::int32_t surplus = 0;         // as in ElementNodes

  auto parts() { return std::tie(heads, nodes, surplus); }
};

struct NodeRows {
  std::vector<std::int32_t> labels;
  std::vector<double> x;  // [labels, 3], last index fastest

  auto parts() { return std::tie(labels, x); }
};

}  // namespace

void read_heading(Reader& reader, const Card& card) {
  DataLines lines = reader.data(card);
  while (lines.next()) {
    std::string& title = reader.model().title;
    if (!title.empty()) title += '\n';
    title += io::trimmed(lines.text());
  }
}

void read_nodes(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NSET"}, {"SYSTEM"});
  mesh::Mesh& mesh = reader.model().mesh;
  const std::int64_t expected = expected_lines(reader, card);
  if (expected > mesh.node_count()) mesh.reserve(mesh.node_count() + expected, mesh.element_count());
  std::vector<std::int32_t>* set = nullptr;
  if (card.has("NSET")) {
    const std::int32_t position = reader.open_node_set(reader.required(card, "NSET"));
    set = &reader.model().node_sets[static_cast<std::size_t>(position)].nodes;
  }

  read_pieces<NodeRows>(
      reader.cards(), card, [](std::string_view) { return true; },
      [&](DataLines& lines, const char* stop, NodeRows& rows) {
        while (next_before(lines, stop)) {
          Fields fields(lines.text());
          const Line line = lines.line();
          const std::int32_t label = reader.label(fields.next(), line, "the node");
          std::array<double, 3> x{};
          for (double& coordinate : x) coordinate = reader.real(fields.next(), line, "the coordinate", 0.0);
          rows.labels.push_back(label);
          rows.x.insert(rows.x.end(), x.begin(), x.end());
        }
      },
      [&](const NodeRows& rows) {
        for (std::size_t i = 0; i < rows.labels.size(); ++i) {
          const double* const x = rows.x.data() + 3 * i;
          const std::int32_t node = mesh.add_node(rows.labels[i], x[0], x[1], x[2]);
          if (set != nullptr) set->push_back(node);
        }
      });
}

void read_elements(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"TYPE", "ELSET"});
  const std::string name = reader.required(card, "TYPE");
  if (name == "DCOUP3D") {
    read_coupling_elements(reader, card);
    return;
  }
  mesh::Mesh& mesh = reader.model().mesh;
  std::int32_t position = -1;
  if (card.has("ELSET")) position = reader.open_element_set(reader.required(card, "ELSET"));

  const std::optional<model::ElementType> type = deck::find_element(name);
  if (!type) {
    const std::optional<int> nodes = nodes_of_other_type(name);
    if (!nodes) fail_unknown_type(reader, card, name);
    reader.unsupported(card.line, fmt::format("*ELEMENT, TYPE={}", name.substr(0, 40)));
    skip_elements(reader, card, *nodes);
    if (position >= 0) reader.element_set_partial[static_cast<std::size_t>(position)] = 1;
    return;
  }
  const std::int64_t expected = expected_lines(reader, card);
  if (expected > mesh.element_count()) {
    const std::int64_t elements = mesh.element_count() + expected;
    mesh.reserve(mesh.node_count(), elements, elements * mesh::node_count(type->cell));
  }
  std::vector<std::int32_t>* set = nullptr;
  if (position >= 0) {
    set = &reader.model().element_sets[static_cast<std::size_t>(position)].elements;
  }
  const auto wanted = static_cast<std::size_t>(mesh::node_count(type->cell));
  DataLines first = reader.data(card);
  const int fields_of_first = first.next() ? field_count(first.text()) : 0;
  std::int32_t surplus =
      0;  // the first element that has more nodes than its type, which CalculiX ignores too
  read_pieces<ElementRows>(
      reader.cards(), card, [&](std::string_view line) { return field_count(line) == fields_of_first; },
      [&](DataLines& lines, const char* stop, ElementRows& rows) {
        ElementNodes nodes(reader, mesh, lines, *type);
        while (next_before(lines, stop)) {
          Fields fields(lines.text());
          const Line line = lines.line();
          const std::int32_t label = reader.label(fields.next(), line, "the element");
          const std::span<const std::int32_t> own = nodes.read(label, fields);
          rows.heads.push_back({label, line});
          rows.nodes.insert(rows.nodes.end(), own.begin(), own.end());
          rows.surplus = nodes.surplus();
        }
      },
      [&](const ElementRows& rows) {
        for (std::size_t i = 0; i < rows.heads.size(); ++i) {
          const auto& [label, line] = rows.heads[i];
          if (mesh.find_element(label) >= 0)
            reader.fail(line, fmt::format("element {} is defined twice", label),
                        "give one of them another number");
          const std::int32_t element =
              model::add_element(mesh, label, *type, std::span(rows.nodes).subspan(i * wanted, wanted));
          if (set != nullptr) set->push_back(element);
        }
        if (surplus == 0) surplus = rows.surplus;
      });
  if (surplus != 0)
    reader.warn(card.line, fmt::format("element {} has more nodes than the {} of {}; the rest is ignored",
                                       surplus, wanted, name));
}

}  // namespace setka::deck::detail
