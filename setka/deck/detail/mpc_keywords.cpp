// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *MPC: mean rotations, planes, lines and distances.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "setka/deck/detail/reader.hpp"

namespace setka::deck::detail {
namespace {

void read_mean_rotation(Reader& reader, const Card& card, DataLines& lines, FieldStream& fields) {
  std::string_view field;
  model::MeanRotation rotation;
  rotation.line = card.line;
  while (fields.next(field)) {
    if (!field.empty() && field != "0")
      rotation.nodes.push_back(reader.node(field, lines.line(), "*MPC MEANROT"));
  }
  if (rotation.nodes.size() < 7 || rotation.nodes.size() % 3 != 1)
    reader.fail(card.line, fmt::format("*MPC MEANROT: {} nodes", rotation.nodes.size()),
                "give each node three times, two or more of them, then the node of the axis and the angle");
  rotation.angle_node = rotation.nodes.back();
  std::vector<std::int32_t> each;
  for (std::size_t i = 0; i + 1 < rotation.nodes.size(); i += 3) {
    const std::int32_t node = rotation.nodes[i];
    if (rotation.nodes[i + 1] != node || rotation.nodes[i + 2] != node)
      reader.fail(card.line,
                  fmt::format("*MPC MEANROT: node {} is not there three times in a row",
                              reader.model().mesh.node_label(node)),
                  "give each node three times, once for each direction");
    each.push_back(node);
  }
  rotation.nodes = std::move(each);
  reader.model().mean_rotations.push_back(std::move(rotation));
}

/// What keeps nodes in line, by the name that the deck has for it.
struct AlignmentKind {
  std::string_view name;
  model::Alignment kind;
  std::size_t least;  // nodes
  std::size_t most;
  std::string_view nodes;      // what to give
  std::string_view undefined;  // what is wrong with those that define it
};

constexpr std::size_t any_number = static_cast<std::size_t>(-1);
constexpr std::array alignment_kinds{
    AlignmentKind{"PLANE", model::Alignment::plane, 4, any_number,
                  "give three nodes that define the plane, then those that stay in it",
                  "lie in one line and define no plane"},
    AlignmentKind{"STRAIGHT", model::Alignment::line, 3, any_number,
                  "give two nodes that define the line, then those that stay on it",
                  "coincide and define no line"},
    AlignmentKind{"BEAM", model::Alignment::distance, 2, 2, "give the two nodes that keep their distance",
                  "coincide and have no distance to keep"},
};

const AlignmentKind& kind_of(const model::AlignedNodes& aligned) {
  return *std::ranges::find(alignment_kinds, aligned.kind, &AlignmentKind::kind);
}

void read_alignment(Reader& reader, const Card& card, DataLines& lines, FieldStream& fields,
                    const AlignmentKind& kind) {
  const std::string keyword = fmt::format("*MPC {}", kind.name);
  model::AlignedNodes aligned{kind.kind, {}, card.line};
  std::string_view field;
  while (fields.next(field)) {
    if (field.empty() || field == "0") continue;
    for (const std::int32_t node : reader.nodes(field, lines.line(), keyword)) {
      if (std::ranges::find(aligned.nodes, node) != aligned.nodes.end())
        reader.fail(lines.line(),
                    fmt::format("{}: node {} is there twice", keyword, reader.mesh().node_label(node)),
                    "give each node once");
      aligned.nodes.push_back(node);
    }
  }
  if (aligned.nodes.size() < kind.least || aligned.nodes.size() > kind.most)
    reader.fail(
        card.line,
        fmt::format("{}: {} node{}", keyword, aligned.nodes.size(), aligned.nodes.size() == 1 ? "" : "s"),
        std::string(kind.nodes));
  reader.alignments.push_back(std::move(aligned));
}

}  // namespace

void read_mpc(Reader& reader, const Card& card) {
  reader.check_parameters(card, {});
  DataLines lines = reader.data(card);
  if (!lines.next()) reader.fail(card.line, "*MPC without a kind", "give it, then its nodes: MEANROT, ...");
  FieldStream fields(lines);
  std::string_view field;
  fields.next(field);
  const std::string kind = word(field);
  if (kind == "MEANROT") return read_mean_rotation(reader, card, lines, fields);
  const auto* const alignment = std::ranges::find(alignment_kinds, kind, &AlignmentKind::name);
  if (alignment != alignment_kinds.end()) return read_alignment(reader, card, lines, fields, *alignment);
  // An upper limit of a distance holds or not as the solution turns out.
  reader.unsupported(card.line, kind == "DIST" ? "*MPC DIST: a limit of a distance"
                                               : fmt::format("*MPC {}", kind.substr(0, 40)));
}

void make_alignments(Reader& reader, model::EquationMaker& equations) {
  const mesh::Mesh& mesh = reader.mesh();
  for (const model::AlignedNodes& aligned : reader.alignments) {
    const AlignmentKind& kind = kind_of(aligned);
    const std::string keyword = fmt::format("*MPC {}", kind.name);
    // Linear steps alone: CalculiX computes with large displacements wherever there is one.
    if (std::ranges::any_of(reader.model().steps, &model::Step::nonlinear_geometry))
      reader.unsupported(aligned.line, fmt::format("{} with NLGEOM", keyword));
    const model::AlignmentReport made = model::add_alignment(equations, mesh, aligned);
    if (made.undefined) {
      const std::size_t defining = kind.kind == model::Alignment::plane ? 3 : 2;
      std::string numbers;
      for (std::size_t i = 0; i < defining; ++i)
        numbers += fmt::format("{}{}", i == 0 ? "" : (i + 1 == defining ? " and " : ", "),
                               mesh.node_label(aligned.nodes[i]));
      reader.fail(aligned.line, fmt::format("{}: nodes {} {}", keyword, numbers, kind.undefined),
                  "begin with others");
    }
    if (made.conflict) {
      const SourceLine other = reader.cards().source(made.conflict->line);
      reader.fail(aligned.line,
                  fmt::format("{}: all displacements of an equation are prescribed or tied already, that of "
                              "node {}, direction {}, at {}:{}",
                              keyword, mesh.node_label(made.conflict->node), made.conflict->direction,
                              other.file, other.line),
                  "take the node out, or leave one of the others free");
    }
    if (made.farthest >= 0)
      reader.warn(aligned.line, fmt::format("{}: node {} is {:.4g} away from the {}, and is moved there",
                                            keyword, mesh.node_label(made.farthest), made.distance,
                                            kind.kind == model::Alignment::plane ? "plane" : "line"));
    reader.warn(aligned.line,
                fmt::format("{}: linear, about where the nodes are; CalculiX computes with large "
                            "displacements wherever there is one",
                            keyword));
  }
}

}  // namespace setka::deck::detail
