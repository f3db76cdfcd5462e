// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *TIE.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "setka/base/text.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/mesh/cell.hpp"

namespace setka::deck::detail {
namespace {

/// Those of nodes have names of their own.
std::int32_t any_surface(const Reader& reader, const std::string& name, Line line) {
  const std::int32_t of_nodes = reader.node_surfaces.find(name);
  return reader.surfaces.find(name) < 0 && of_nodes >= 0 ? of_nodes : reader.surface(name, line, "*TIE");
}

/// The faces of a surface that are not those of solids are named.
void check_faces(Reader& reader, const model::Surface& surface, Line line) {
  const mesh::Mesh& mesh = reader.mesh();
  for (const model::ElementFace& face : surface.faces) {
    if (mesh::dimension(mesh.cell(face.element)) == 3) continue;
    reader.unsupported(line, fmt::format("*TIE of elements {}", deck::name(mesh, face.element)));
    return;
  }
}

std::string numbers_of(const mesh::Mesh& mesh, const std::vector<std::int32_t>& nodes) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(nodes.size());
  for (const std::int32_t node : nodes) numbers.push_back(mesh.node_label(node));
  return fmt::format("node{} {}", nodes.size() == 1 ? "" : "s", some_numbers(numbers, 10));
}

}  // namespace

void read_tie(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME", "POSITIONTOLERANCE", "ADJUST", "CYCLICSYMMETRY"},
                          {"MULTISTAGE", "FLUIDPERIODIC", "FLUIDCYCLIC"});
  if (card.has("MULTISTAGE") || card.has("FLUIDPERIODIC") || card.has("FLUIDCYCLIC")) {
    reader.other_cyclic_ties.push_back(card.line);
    return;
  }
  const bool cyclic = card.has("CYCLICSYMMETRY");
  model::Tie tie;
  tie.name = card.value("NAME");
  tie.line = card.line;
  tie.tolerance = reader.real(card.value("POSITIONTOLERANCE"), card.line, "*TIE, POSITION TOLERANCE", 0.0);
  if (!(tie.tolerance >= 0))
    reader.fail(card.line, fmt::format("*TIE: POSITION TOLERANCE is {}", tie.tolerance),
                "it is a distance, larger than zero");
  const std::string_view adjust = card.value("ADJUST");
  if (!adjust.empty() && adjust != "YES" && adjust != "NO")
    reader.fail(card.line, fmt::format("*TIE: ADJUST is {}", adjust.substr(0, 40)), "it is YES or NO");
  tie.adjust = adjust != "NO";
  const auto has_its_name = [&](const model::Tie& other) {
    return !tie.name.empty() && other.name == tie.name;
  };
  if (std::ranges::any_of(reader.ties, has_its_name) || std::ranges::any_of(reader.cyclic_ties, has_its_name))
    reader.fail(card.line, fmt::format("tie {} is defined twice", tie.name), "give one of them another name");

  DataLines lines = reader.data(card);
  if (!lines.next())
    reader.fail(card.line, "*TIE without surfaces",
                "give the dependent surface and the independent one on the next line");
  Fields fields(lines.text());
  const std::string dependent = word(fields.next());
  const std::string independent = word(fields.next());
  if (dependent.empty() || independent.empty())
    reader.fail(lines.line(), "*TIE names one surface", "give the dependent surface and the independent one");
  const Line line = lines.line();
  if (lines.next())
    reader.fail(lines.line(), "*TIE with a second line", "give each pair of surfaces a *TIE of its own");
  tie.dependent = any_surface(reader, dependent, line);
  if (cyclic) {
    tie.independent = any_surface(reader, independent, line);
    return take_cyclic_tie(reader, std::move(tie));
  }
  if (reader.surfaces.find(independent) < 0 && reader.node_surfaces.find(independent) >= 0)
    reader.fail(line, fmt::format("*TIE: the independent surface, {}, is one of nodes", independent),
                "give a surface of element faces");
  tie.independent = reader.surface(independent, line, "*TIE");
  const model::Model& model = reader.model();
  for (const std::int32_t surface : {tie.dependent, tie.independent})
    check_faces(reader, model.surfaces[static_cast<std::size_t>(surface)], line);
  reader.ties.push_back(std::move(tie));
}

void make_ties(Reader& reader, model::EquationMaker& equations) {
  const model::Model& model = reader.model();
  for (const model::Tie& tie : reader.ties) {
    const std::string& dependent = model.surfaces[static_cast<std::size_t>(tie.dependent)].name;
    const std::string& independent = model.surfaces[static_cast<std::size_t>(tie.independent)].name;
    const model::TieSearch found = model::find_tied(reader.model(), tie);
    if (found.tied.empty() && !found.loose.empty())
      reader.fail(
          tie.line,
          fmt::format("*TIE: surfaces {} and {} do not face each other: no node is nearer than {:.4g}, "
                      "and the tolerance is {:.4g}",
                      dependent, independent, found.nearest, found.tolerance),
          "check the surfaces, or give a larger POSITION TOLERANCE");
    if (!found.loose.empty())
      reader.warn(tie.line,
                  fmt::format("*TIE: {} of surface {} {} farther than {:.4g} from surface {} and not tied",
                              numbers_of(model.mesh, found.loose), dependent,
                              found.loose.size() == 1 ? "is" : "are", found.tolerance, independent));
    const std::vector<std::int32_t> left_out =
        model::add_tie(equations, found, reader.has_heat_steps(), tie.line);
    if (!left_out.empty())
      reader.warn(tie.line,
                  fmt::format("*TIE: {} of surface {}: directions that are prescribed or tied by other "
                              "constraints are not tied here",
                              numbers_of(model.mesh, left_out), dependent));
  }
}

}  // namespace setka::deck::detail
