// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "meshes.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "setka/deck/element_names.hpp"
#include "setka/io/msh.hpp"
#include "setka/mesh/cell.hpp"

namespace setka::python {
namespace {

py::object as_array(std::vector<std::int32_t>&& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return given_away(std::move(values), {count});
}

/// The elements of one type.
struct Block {
  std::vector<std::int32_t> elements;
  std::vector<std::int32_t> nodes;
  int width = 0;
};

}  // namespace

py::dict mesh_of(const model::Model& model, const std::shared_ptr<void>& owner) {
  const mesh::Mesh& mesh = model.mesh;
  const std::int32_t nodes = mesh.node_count();
  std::vector<std::int32_t> node_labels;
  std::vector<std::int32_t> element_labels;
  for (std::int32_t i = 0; i < nodes; ++i) node_labels.push_back(mesh.node_label(i));
  std::map<std::string, Block> blocks;
  for (std::int32_t e = 0; e < mesh.element_count(); ++e) {
    element_labels.push_back(mesh.element_label(e));
    Block& block = blocks[std::string(deck::name(mesh, e))];
    const std::span<const std::int32_t> own = mesh.nodes(e);
    block.elements.push_back(e);
    block.nodes.insert(block.nodes.end(), own.begin(), own.end());
    block.width = static_cast<int>(own.size());
  }
  py::dict made;
  made["points"] = shown(mesh.coordinates(), {nodes, 3}, owner);
  made["node_labels"] = as_array(std::move(node_labels));
  made["element_labels"] = as_array(std::move(element_labels));
  py::list cells;
  for (auto& [name, block] : blocks) {
    const auto count = static_cast<std::int64_t>(block.elements.size());
    const std::string cell(mesh::name(mesh.cell(block.elements.front())));
    cells.append(py::make_tuple(name, cell, given_away(std::move(block.nodes), {count, block.width}),
                                as_array(std::move(block.elements))));
  }
  made["cells"] = cells;
  py::dict node_sets;
  for (const model::NodeSet& set : model.node_sets)
    node_sets[py::str(set.name)] = as_array(std::vector<std::int32_t>(set.nodes));
  made["node_sets"] = node_sets;
  py::dict element_sets;
  for (const model::ElementSet& set : model.element_sets)
    element_sets[py::str(set.name)] = as_array(std::vector<std::int32_t>(set.elements));
  made["element_sets"] = element_sets;
  return made;
}

}  // namespace setka::python
