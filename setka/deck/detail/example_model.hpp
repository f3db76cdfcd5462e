// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "setka/deck/detail/deck_text.hpp"
#include "setka/deck/example_decks.hpp"
#include "setka/mesh/block_mesh.hpp"

namespace setka::deck::detail {

/// What its nodes have.
enum class ExampleField : std::uint8_t { displacements, temperatures };

/// What one example is: its blocks, and the deck about them.
struct ExampleModel {
  Example example;
  double coarsest = 1;  // of `grid`
  /// The blocks in cells of about this size (a length, or what the example takes for one).
  mesh::BlockGrid (*grid)(double size, mesh::Cell cell);
  mesh::BlockPosition position;
  /// Lines of the comment at the head, without asterisks: what it is, how large, in which units.
  std::string (*comment)();
  /// All after the nodes but the step: elements, sets with a PROBE, materials, supports.
  void (*body)(DeckText& text, const mesh::BlockMesh& made);
  /// The step, from *STEP to *END STEP.
  void (*step)(DeckText& text, const mesh::BlockMesh& made);
  ExampleField field = ExampleField::displacements;
};

const ExampleModel& block_example();
const ExampleModel& column_example();
const ExampleModel& fin_example();
const ExampleModel& plate_example();
const ExampleModel& pump_example();
const ExampleModel& roof_example();

/// All elements of solids, the one that is taken unless another is named first.
std::vector<std::string_view> solid_elements();

/// *STATIC with these loads, displacements at the PROBE and everywhere, stresses.
void static_step(DeckText& text, const mesh::BlockMesh& made,
                 void (*loads)(DeckText& text, const mesh::BlockMesh& made));

/// As a step of an example.
template <void (*loads)(DeckText& text, const mesh::BlockMesh& made)>
void static_step(DeckText& text, const mesh::BlockMesh& made) {
  static_step(text, made, loads);
}

/// Cells of a length, one at least.
int cell_count(double length, double size, int least = 1);

/// Nodes whose coordinate is `value`, as the positions of the example give it exactly.
std::vector<bool> nodes_at(const mesh::Mesh& mesh, int axis, double value);

/// The label of the node nearest to a point.
std::int32_t nearest_node(const mesh::Mesh& mesh, const std::array<double, 3>& point);

}  // namespace setka::deck::detail
