// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setka/model/equation_maker.hpp"
#include "setka/model/local_system.hpp"
#include "setka/model/model.hpp"

namespace setka::model {

/// A node of the dependent side, and the nodes of the independent one by whose shape functions it moves once
/// they are turned by the angle of a sector.
struct CyclicNode {
  std::int32_t node;
  std::int32_t count;  // of the others
  std::array<std::int32_t, 8> others;
  std::array<double, 8> weight;
  bool on_axis = false;  // it is its own image: both sides have it
};

struct CyclicSearch {
  double angle = 0;                 // radians, from the independent side to the dependent one
  Axes turn{};                      // the rotation by that angle
  double tolerance = 0;             // that counted
  std::vector<CyclicNode> tied;     // by node
  std::vector<std::int32_t> loose;  // nodes farther away than the tolerance
  double farthest = 0;              // the distance of the farthest of these
  std::vector<std::int32_t> amid;   // nodes that both sides have away from the axis
};

/// The rotation by an angle about the axis from a to b.
Axes rotation(const CyclicSymmetry& cyclic, double angle);

/// No more of the mean edge of the faces is a tolerance: beyond, sides of another angle would match.
inline constexpr double largest_cyclic_share = 0.1;

/// Looks for the place of each dependent node on the independent side, turned one way or the other about the
/// axis.
CyclicSearch find_sides(const Model& model, const CyclicSymmetry& cyclic);

/// Two copies of a sector, without the equations of cyclic symmetry: the real part of what repeats itself
/// around the axis, and the imaginary one. Nodes, elements, loads and the like of the second follow those of
/// the first; output is asked of the first alone.
Model two_copies(const Model& model, const CyclicSymmetry& cyclic);

/// Equations u_dependent = e^(i diameter angle) turn u_independent. imaginary: where the nodes of the
/// imaginary part begin; 0: there is none, for diameter zero. Returns nodes of which directions were left
/// out, since something else determines them.
std::vector<std::int32_t> add_cyclic(EquationMaker& equations, const CyclicSearch& found, int diameter,
                                     std::int32_t imaginary, bool temperatures, Line line);

}  // namespace setka::model
