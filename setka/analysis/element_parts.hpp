// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setka/analysis/solids.hpp"
#include "setka/model/model.hpp"
#include "setka/model/profile.hpp"

namespace setka::analysis {

/// A solid within another one: on the same cell, in a box of that one's reference coordinates.
struct Part {
  fem::Element type;
  std::int32_t section;  // into Model::sections
  std::array<double, 3> low{-1, -1, -1};
  std::array<double, 3> high{1, 1, 1};
};

/// What an element is made of where one solid does not do: the layers of a composite shell, from below; the
/// fibres of a pipe or a box. Empty where it does. type: of the whole; section: of the element, -1: none.
std::vector<Part> parts_of(const model::Model& model, fem::Element type, std::int32_t section);

/// One term for each index, without those that only rounding leaves.
void add_up(std::vector<fem::Term>& row);

/// Appends the nodes of a part: its own, which move as the whole has it there. What a wedge15 or hex20 can be
/// in such a box it can be as a whole, and the other way round, so that nothing is lost by it.
void add_part_nodes(const Whole& whole, const Part& part, Solids& solids);

}  // namespace setka::analysis
