// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "setka/analysis/frequency.hpp"
#include "setka/analysis/modal_loads.hpp"
#include "setka/model/model.hpp"

namespace setka::analysis {

/// The nodes whose motion is all that a step writes: its output is *NODE PRINT of U, V and A of sets, and
/// nothing else. Empty where it asks for more, or for nothing.
std::vector<std::int32_t> nodes_written_alone(const model::Model& model, const model::Step& step);

/// Sums of modes at a few nodes, at the cost of these alone.
class ChosenNodes {
 public:
  ChosenNodes(const ModalBasis& basis, const ModalLoads& loads, std::vector<std::int32_t> nodes);

  const std::vector<std::int32_t>& nodes() const { return nodes_; }

  /// Into the nodes' places of a field, [mesh nodes, 3]; q: [modes], base: [bases].
  void fill(std::span<const double> q, std::span<const double> base, std::vector<double>& field) const;

 private:
  std::vector<std::int32_t> nodes_;
  std::size_t width_;
  std::vector<double> shapes_;  // [nodes, 3, modes and bases]
};

}  // namespace setka::analysis
