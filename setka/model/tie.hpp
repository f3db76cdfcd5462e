// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "setka/model/equation_maker.hpp"
#include "setka/model/model.hpp"

namespace setka::model {

/// *TIE: nodes of the dependent surface follow the faces of the independent one.
struct Tie {
  std::string name;
  std::int32_t dependent = -1;    // into Model::surfaces; of nodes or of faces
  std::int32_t independent = -1;  // of faces of solids
  double tolerance = 0;           // of the distance; 0: default_tie_share of the mean edge of the faces
  bool adjust = true;             // nodes are moved onto the faces, without strain
  Line line;
};

inline constexpr double default_tie_share = 0.025;

/// A node, and the nodes of a face by whose shape functions it moves.
struct TiedNode {
  std::int32_t node;
  std::int32_t count;  // of the nodes of the face
  std::array<std::int32_t, 8> face;
  std::array<double, 8> weight;
};

struct TieSearch {
  double tolerance = 0;             // that counted
  std::vector<TiedNode> tied;       // by node
  std::vector<std::int32_t> loose;  // nodes farther away than the tolerance
  double nearest = 0;               // the distance of the nearest of these
};

/// The nodes of a surface of either kind, ascending, each once.
std::vector<std::int32_t> nodes_of_surface(const mesh::Mesh& mesh, const Surface& surface);

/// Looks for the face of every dependent node, the nearest one, and moves the node onto it where the tie says
/// so. Nodes that the face has itself are left out.
TieSearch find_tied(Model& model, const Tie& tie);

/// What becomes an equation: each direction of each tied node, and its temperature where asked for, that
/// nothing else determines. Returns the nodes of which something was left out for that.
std::vector<std::int32_t> add_tie(EquationMaker& equations, const TieSearch& found, bool temperatures,
                                  Line line);

}  // namespace setka::model
