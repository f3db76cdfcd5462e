// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "setka/model/equation_maker.hpp"
#include "setka/model/model.hpp"

namespace setka::model {

/// What nodes keep while they move.
enum class Alignment : std::uint8_t {
  plane,     // they lie in the plane of the first three
  line,      // they lie on the line through the first two
  distance,  // of two nodes
};

struct AlignedNodes {
  Alignment kind;
  std::vector<std::int32_t> nodes;  // each once, at least as many as define the plane or line
  Line line;
};

struct AlignmentReport {
  bool undefined = false;  // what should define the plane or line lies in a line, or in one point
  std::optional<Conflict> conflict;
  std::int32_t farthest = -1;  // a node that is off the plane or line, which the equations move there
  double distance = 0;         // how far it is
};

/// Adds their equations, linear about where the nodes are: a node of a plane has one, a node of a line two,
/// two nodes that keep their distance one. What is eliminated belongs to that node where it is free, else to
/// those that define the plane or line. Ends at what is undefined and at the first conflict.
AlignmentReport add_alignment(EquationMaker& equations, const mesh::Mesh& mesh, const AlignedNodes& aligned);

}  // namespace setka::model
