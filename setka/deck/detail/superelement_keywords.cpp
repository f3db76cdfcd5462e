// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
// *SUBSTRUCTURE GENERATE, *RETAINED NODAL DOFS, *SUBSTRUCTURE MATRIX OUTPUT, *MATRIX INPUT, *MATRIX ASSEMBLE.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "setka/base/error.hpp"
#include "setka/deck/detail/load_card.hpp"
#include "setka/deck/detail/reader.hpp"
#include "setka/io/superelement.hpp"

namespace setka::deck::detail {
namespace {

/// The procedure of the step, which the card belongs to.
model::SubstructureStep& substructure(Reader& reader, const Card& card) {
  auto* const procedure = std::get_if<model::SubstructureStep>(&reader.model().steps.back().procedure);
  if (procedure == nullptr)
    reader.fail(card.line, fmt::format("{} in a step without *SUBSTRUCTURE GENERATE", spelled(card.keyword)),
                "put *SUBSTRUCTURE GENERATE before it");
  return *procedure;
}

/// YES or NO of a parameter that Abaqus has NO for where it is left out.
bool is_yes(const Reader& reader, const Card& card, std::string_view key) {
  const std::string_view value = card.value(key);
  if (value == "YES") return true;
  if (card.has(key) && value != "NO")
    reader.fail(card.line, fmt::format("{}: {} is {}", spelled(card.keyword), key, value.substr(0, 40)),
                "it is YES or NO");
  return false;
}

}  // namespace

void read_substructure(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SOLVER"}, {"TYPE", "OVERWRITE", "MASSMATRIX", "GRAVITYLOAD"});
  if (reader.model().steps.back().perturbation)
    reader.unsupported(card.line, "*SUBSTRUCTURE GENERATE, *STEP, PERTURBATION: stiffness about a preload");
  model::SubstructureStep procedure;
  procedure.line = card.line;
  reader.take_procedure(card, std::move(procedure));
}

void read_retained_dofs(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"SORTED"});
  model::SubstructureStep& procedure = substructure(reader, card);
  if (card.has("SORTED") && card.value("SORTED") != "NO")
    reader.unsupported(card.line,
                       fmt::format("*RETAINED NODAL DOFS, SORTED={}", card.value("SORTED").substr(0, 40)));
  std::vector<char> known(3 * static_cast<std::size_t>(reader.model().mesh.node_count()), 0);
  const auto number = [](const model::NodalDof& dof) {
    return 3 * static_cast<std::size_t>(dof.node) + static_cast<std::size_t>(dof.direction) - 1;
  };
  for (const model::NodalDof& dof : procedure.retained) known[number(dof)] = 1;
  DataLines lines = reader.data(card);
  while (lines.next()) {
    Fields fields(lines.text());
    const Line line = lines.line();
    const std::string_view who = fields.next();
    const std::int32_t first = degree_of_freedom(reader, fields.next(), line, "*RETAINED NODAL DOFS");
    const std::string_view end = fields.next();
    const std::int32_t last =
        end.empty() ? first : degree_of_freedom(reader, end, line, "*RETAINED NODAL DOFS");
    if (last < first)
      reader.fail(line, fmt::format("*RETAINED NODAL DOFS: from degree of freedom {} to {}", first, last),
                  "give the lower one first");
    for (const std::int32_t node : reader.nodes(who, line, "*RETAINED NODAL DOFS")) {
      for (std::int32_t direction = first; direction <= last; ++direction) {
        const model::NodalDof dof{node, direction, line};
        if (std::exchange(known[number(dof)], 1) == 0) procedure.retained.push_back(dof);
      }
    }
  }
}

void read_substructure_output(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"STIFFNESS", "OUTPUTFILE", "FILENAME"},
                          {"MASS", "VISCOUSDAMPING", "STRUCTURALDAMPING", "SLOAD", "RECOVERYMATRIX"});
  model::SubstructureStep& procedure = substructure(reader, card);
  if (!is_yes(reader, card, "STIFFNESS"))
    reader.fail(card.line, "*SUBSTRUCTURE MATRIX OUTPUT asks for no matrix", "add STIFFNESS=YES");
  if (card.has("OUTPUTFILE") && card.value("OUTPUTFILE") != "USERDEFINED")
    reader.unsupported(card.line, fmt::format("*SUBSTRUCTURE MATRIX OUTPUT, OUTPUT FILE={}",
                                              card.value("OUTPUTFILE").substr(0, 40)));
  if (card.has("FILENAME") && card.output.empty())
    reader.fail(card.line, "*SUBSTRUCTURE MATRIX OUTPUT: FILE NAME names no file",
                "give the name without .mtx, or leave it out for that of the deck");
  procedure.file = card.output;
}

void read_matrix_input(Reader& reader, const Card& card) {
  reader.check_parameters(card, {"NAME", "INPUT"}, {"MATRIX", "TYPE", "SCALEFACTOR"});
  model::Superelement matrix;
  matrix.name = reader.required(card, "NAME");
  matrix.line = card.line;
  if (!card.has("INPUT"))
    reader.fail(card.line, "*MATRIX INPUT without INPUT",
                "add INPUT=name of the .mtx file that *SUBSTRUCTURE GENERATE wrote");
  if (reader.data(card).next()) reader.unsupported(card.line, "*MATRIX INPUT, entries on data lines");
  io::SuperelementMatrix read = io::read_superelement(card.input);
  matrix.stiffness = std::move(read.lower);
  for (std::size_t i = 0; i < read.node.size(); ++i) {
    const std::int32_t node = reader.model().mesh.find_node(read.node[i]);
    if (node < 0)
      reader.fail(card.line,
                  fmt::format("matrix {} is of node {}, which does not exist", matrix.name, read.node[i]),
                  "define it by *NODE, with the number that it has where the matrix was made");
    matrix.dofs.push_back({node, read.direction[i], card.line});
  }
  const auto position = static_cast<std::int32_t>(reader.matrix_inputs.size());
  if (!reader.matrices.positions.try_emplace(matrix.name, position).second)
    reader.fail(card.line, fmt::format("there are two matrices {}", matrix.name), "rename one of them");
  reader.matrix_inputs.push_back(std::move(matrix));
}

void read_matrix_assemble(Reader& reader, const Card& card) {
  reader.check_parameters(
      card, {"STIFFNESS"},
      {"MASS", "VISCOUSDAMPING", "STRUCTURALDAMPING", "NAME", "STIFFNESSFILE", "MASSFILE"});
  const std::int32_t position =
      reader.matrix(reader.required(card, "STIFFNESS"), card.line, spelled(card.keyword));
  model::Superelement& matrix = reader.matrix_inputs[static_cast<std::size_t>(position)];
  if (matrix.dofs.empty())
    reader.fail(card.line, fmt::format("matrix {} is assembled already", matrix.name),
                "leave this *MATRIX ASSEMBLE out");
  std::string name = matrix.name;
  reader.model().superelements.push_back(std::exchange(matrix, {}));
  matrix.name = std::move(name);
}

void check_matrices(Reader& reader) {
  for (const model::Superelement& matrix : reader.matrix_inputs) {
    if (!matrix.dofs.empty())
      reader.warn(matrix.line, fmt::format("matrix {} is not assembled and has no effect; *MATRIX ASSEMBLE, "
                                           "STIFFNESS={} assembles it",
                                           matrix.name, matrix.name));
  }
}

}  // namespace setka::deck::detail
