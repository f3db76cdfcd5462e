// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/analysis/chosen_nodes.hpp"

#include <algorithm>
#include <utility>

namespace setka::analysis {

std::vector<std::int32_t> nodes_written_alone(const model::Model& model, const model::Step& step) {
  std::vector<std::int32_t> nodes;
  for (const model::OutputRequest& request : step.output) {
    if (request.frequency == 0) continue;
    const bool motion = std::ranges::all_of(
        request.variables, [](const std::string& name) { return name == "U" || name == "V" || name == "A"; });
    if (request.kind != model::OutputKind::node_print || request.set < 0 || !motion) return {};
    const auto& set = model.node_sets[static_cast<std::size_t>(request.set)].nodes;
    nodes.insert(nodes.end(), set.begin(), set.end());
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

ChosenNodes::ChosenNodes(const ModalBasis& basis, const ModalLoads& loads, std::vector<std::int32_t> nodes)
    : nodes_(std::move(nodes)), width_(basis.shapes.size() + loads.bases.size()) {
  shapes_.reserve(3 * nodes_.size() * width_);
  for (const std::int32_t node : nodes_) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t dof = 3 * static_cast<std::size_t>(node) + i;
      for (const std::vector<double>& shape : basis.shapes) shapes_.push_back(shape[dof]);
      for (const BaseShape& base : loads.bases) shapes_.push_back(base.shape[dof]);
    }
  }
}

void ChosenNodes::fill(std::span<const double> q, std::span<const double> base,
                       std::vector<double>& field) const {
  const double* row = shapes_.data();
  for (const std::int32_t node : nodes_) {
    for (std::size_t i = 0; i < 3; ++i, row += width_) {
      double sum = 0;
      for (std::size_t j = 0; j < q.size(); ++j) sum += q[j] * row[j];
      for (std::size_t b = 0; b < base.size(); ++b) sum += base[b] * row[q.size() + b];
      field[3 * static_cast<std::size_t>(node) + i] = sum;
    }
  }
}

}  // namespace setka::analysis
