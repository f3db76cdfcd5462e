// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "setka/model/local_system.hpp"
#include "setka/model/model.hpp"

namespace setka::model {

inline constexpr std::int32_t temperature_direction = 11;

/// An unknown that a constraint would determine and that is determined already.
struct Conflict {
  std::int32_t node;
  std::int32_t direction;  // 1..3
  Line line;               // where
};

/// Makes equations of constraints between nodes, once all else of a model is known. It knows which unknowns
/// are spoken for: prescribed, in any step, or eliminated by an equation. The model must outlive it.
class EquationMaker {
 public:
  explicit EquationMaker(Model& model);

  /// Where an unknown is prescribed or eliminated; none: nothing determines it. direction: 1..3, in the
  /// node's own axes, or temperature_direction.
  std::optional<Line> taken(std::int32_t node, std::int32_t direction) const;

  /// The directions of a node: global, or those of *TRANSFORM.
  Axes axes(std::int32_t node) const;

  /// Adds factors . u to the terms, u the displacement of a node in global components.
  void add_terms(std::vector<EquationTerm>& terms, std::int32_t node,
                 const std::array<double, 3>& factors) const;

  /// The sum of terms is the constant; the first one is eliminated. carries: as of Equation
  void add(std::vector<EquationTerm> terms, Line line, bool carries = false, double constant = 0);

 private:
  Model& model_;
  std::unordered_map<std::int32_t, std::size_t> transform_of_;  // by node, into Model::transforms
  std::unordered_map<std::int64_t, Line> taken_;                // by node and direction
};

}  // namespace setka::model
